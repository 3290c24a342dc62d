/**
 * What the sign-in document asks of the auth service. Loaded on demand (`load-auth-service.ts`):
 * the form shows and takes input before any of this has arrived.
 */
import { resetRequestSchema, setPasswordSchema, signInSchema } from '@lanternrock/contract/credentials';
import { type SignInMethod, signInMethodsSchema } from '@lanternrock/contract/sign-in-methods';
import { auth, requestAuth, type Session } from '../../api/auth.ts';
import { BackendError, fromAuthError, unreadableMessage } from '../../api/errors.ts';
import { validateForm } from '../../forms/validate-form.ts';
import { clearPasswordSetupMarker } from '../../session/password-setup-marker.ts';
import {
  needsSecondFactor,
  checkSession,
  type SessionStep,
  requiredStep,
} from '../../session/session-check.ts';
import { fromWebAuthnError } from '../../api/webauthn-error.ts';

export { needsSecondFactor as asksForSecondFactor, checkSession };

export type AuthResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: BackendError };

const failed = (error: unknown): { ok: false; error: BackendError } => ({
  ok: false,
  error: fromAuthError(error),
});

export const validateSignIn = (form: Record<'email' | 'password', string>) =>
  validateForm(signInSchema, form);
export const validateResetRequest = (form: Record<'email', string>) => validateForm(resetRequestSchema, form);
export const validateNewPassword = (form: Record<'password' | 'confirmPassword', string>) =>
  validateForm(setPasswordSchema, form);

/** Signs in; the value is what has to happen before the console opens. */
export const signIn = async (email: string, password: string): Promise<AuthResult<SessionStep>> => {
  const { data, error } = await auth.signInWithPassword({ email, password });
  if (error !== null) return failed(error);
  // A marker left by somebody else's link in this tab says nothing about this person.
  clearPasswordSetupMarker();
  return { ok: true, value: await requiredStep(data.session) };
};

/** Asks for a reset mail. The answer is the same whether or not the address is known. */
export const requestPasswordReset = async (email: string): Promise<AuthResult<null>> => {
  const { error } = await auth.resetPasswordForEmail(email, {
    redirectTo: `${location.origin}/auth/callback`,
  });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** The six digits of a reset mail, in place of its link. */
export const verifyResetCode = async (email: string, code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.verifyOtp({ email, token: code, type: 'recovery' });
  return error === null ? { ok: true, value: null } : failed(error);
};

/**
 * Lists the sign-in methods that setting the password removes unless they are kept. Needs the feature
 * `sign-in-methods`. May throw, as `setPassword` does.
 */
export const signInMethods = async (): Promise<AuthResult<readonly SignInMethod[]>> => {
  try {
    const parsed = signInMethodsSchema.safeParse(await requestAuth('/user/sign-in-methods'));
    if (parsed.success) return { ok: true, value: parsed.data };
    return failed(new BackendError({ kind: 'shape', message: unreadableMessage }));
  } catch (error) {
    if (error instanceof BackendError) return failed(error);
    throw error;
  }
};

/**
 * Stores the new password of the session's user. May throw, as the client does.
 *
 * @param keep IDs of the sign-in methods that stay; undefined where the user was not asked
 */
export const setPassword = async (
  password: string,
  keep: readonly string[] | undefined,
): Promise<AuthResult<null>> => {
  const attributes = keep === undefined ? { password } : { password, keep_sign_in_methods: keep };
  const { error } = await auth.updateUser(attributes);
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Forgets the session in this browser without asking the service. */
export const clearSession = async (): Promise<void> => {
  await auth.signOut({ scope: 'local' });
};

/** Whose session it is, as the service says now; an error when it no longer holds. */
export const fetchUser = async (): Promise<AuthResult<Session['user']>> => {
  const { data, error } = await auth.getUser();
  return error === null ? { ok: true, value: data.user } : failed(error);
};

/** Signs in with a passkey of this device; the value is what has to happen before the console opens. */
export const signInWithPasskey = async (): Promise<AuthResult<SessionStep>> => {
  const { data, error } = await auth.signInWithPasskey();
  if (error !== null) return { ok: false, error: fromWebAuthnError(error) };
  if (data.session === null) return failed(new Error(unreadableMessage));
  clearPasswordSetupMarker();
  return { ok: true, value: await requiredStep(data.session) };
};

export interface SecondFactor {
  readonly id: string;
  readonly kind: 'app' | 'key' | 'phone';
  readonly name: string;
}

const factorKinds = {
  totp: { kind: 'app', name: 'Authenticator app' },
  webauthn: { kind: 'key', name: 'Security key' },
  phone: { kind: 'phone', name: 'Phone' },
} as const;

/** Verified second factors of the signed-in user as the service knows them now, oldest first. @throws BackendError */
export const secondFactors = async (): Promise<readonly SecondFactor[]> => {
  const { data, error } = await auth.mfa.listFactors();
  if (error !== null) throw fromAuthError(error);
  return data.all
    .filter((factor) => factor.status === 'verified')
    .flatMap((factor) => {
      const known =
        factor.factor_type in factorKinds
          ? factorKinds[factor.factor_type as keyof typeof factorKinds]
          : null;
      if (known === null) return [];
      return [{ id: factor.id, kind: known.kind, name: factor.friendly_name ?? known.name }];
    });
};

/** The code that an authenticator app shows now. */
export const verifyAppCode = async (factorId: string, code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Lets the service send a code to the factor's phone; the value names the challenge that it answers. */
export const sendPhoneCode = async (factorId: string): Promise<AuthResult<string>> => {
  const { data, error } = await auth.mfa.challenge({ factorId, channel: 'sms' });
  return error === null ? { ok: true, value: data.id } : failed(error);
};

export const verifyPhoneCode = async (
  factorId: string,
  challengeId: string,
  code: string,
): Promise<AuthResult<null>> => {
  const { error } = await auth.mfa.verify({ factorId, challengeId, code });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Lets the browser ask for the security key. */
export const verifySecurityKey = async (factorId: string): Promise<AuthResult<null>> => {
  const { error } = await auth.mfa.webauthn.authenticate({ factorId });
  return error === null ? { ok: true, value: null } : { ok: false, error: fromWebAuthnError(error) };
};

/** Uses a recovery code up. */
export const verifyRecoveryCode = async (code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.mfa.recoveryCodes.verify({ code });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** The link of a mail: token hash and type. The session it gives replaces any other one. */
export const exchangeTokenHash = async (tokenHash: string, type: LinkType): Promise<AuthResult<null>> => {
  const { error } = await auth.verifyOtp({ token_hash: tokenHash, type });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** What `verifyOtp` takes for a link. */
export type LinkType = 'invite' | 'recovery' | 'signup' | 'magiclink' | 'email_change' | 'email';

/** Tokens that came in a fragment. */
export const setSessionTokens = async (
  accessToken: string,
  refreshToken: string,
): Promise<AuthResult<null>> => {
  const { error } = await auth.setSession({ access_token: accessToken, refresh_token: refreshToken });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** A PKCE code; only the browser that asked for the mail holds the verifier. */
export const exchangeCode = async (code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.exchangeCodeForSession(code);
  return error === null ? { ok: true, value: null } : failed(error);
};
