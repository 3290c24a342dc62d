/** Auth API calls of the sign-in document. Loaded on demand by `load-auth-service.ts`, after the form is usable. */
import { resetRequestSchema, setPasswordSchema, signInSchema } from '@lanternrock/contract/credentials';
import { type SignInMethod, signInMethodsSchema } from '@lanternrock/contract/sign-in-methods';
import { auth, requestAuth, type Session } from '../../api/auth.ts';
import { ApiError, fromAuthError, unreadableMessage } from '../../api/errors.ts';
import { validateForm } from '../../forms/validate-form.ts';
import { clearPasswordSetupMarker } from '../../session/password-setup-marker.ts';
import {
  needsSecondFactor,
  checkSession,
  type SessionStep,
  requiredStep,
} from '../../session/session-check.ts';
import { fromWebAuthnError } from '../../api/webauthn-error.ts';

export { needsSecondFactor, checkSession };

export type AuthResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ApiError };

const failed = (error: unknown): { ok: false; error: ApiError } => ({
  ok: false,
  error: fromAuthError(error),
});

export const validateSignIn = (form: Record<'email' | 'password', string>) =>
  validateForm(signInSchema, form);
export const validateResetRequest = (form: Record<'email', string>) => validateForm(resetRequestSchema, form);
export const validateNewPassword = (form: Record<'password' | 'confirmPassword', string>) =>
  validateForm(setPasswordSchema, form);

/** Signs in. The value is the step required before the console opens. */
export const signIn = async (email: string, password: string): Promise<AuthResult<SessionStep>> => {
  const { data, error } = await auth.signInWithPassword({ email, password });
  if (error !== null) return failed(error);
  // The marker may come from a link of another user in this tab.
  clearPasswordSetupMarker();
  return { ok: true, value: await requiredStep(data.session) };
};

/** Requests a recovery email. The response does not reveal whether the email address exists. */
export const requestPasswordReset = async (email: string): Promise<AuthResult<null>> => {
  const { error } = await auth.resetPasswordForEmail(email, {
    redirectTo: `${location.origin}/auth/callback`,
  });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Redeems the six-digit code of a recovery email. */
export const verifyResetCode = async (email: string, code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.verifyOtp({ email, token: code, type: 'recovery' });
  return error === null ? { ok: true, value: null } : failed(error);
};

/**
 * Lists the sign-in methods that `setPassword` removes unless the user keeps them. Requires the feature
 * `sign-in-methods`. Throws on network errors, like `setPassword`.
 */
export const signInMethods = async (): Promise<AuthResult<readonly SignInMethod[]>> => {
  try {
    const parsed = signInMethodsSchema.safeParse(await requestAuth('/user/sign-in-methods'));
    if (parsed.success) return { ok: true, value: parsed.data };
    return failed(new ApiError({ kind: 'shape', message: unreadableMessage }));
  } catch (error) {
    if (error instanceof ApiError) return failed(error);
    throw error;
  }
};

/**
 * Sets the password of the current user. Throws on network errors.
 *
 * @param keep IDs of the sign-in methods to keep, or undefined if the user had no choice
 */
export const setPassword = async (
  password: string,
  keep: readonly string[] | undefined,
): Promise<AuthResult<null>> => {
  const attributes = keep === undefined ? { password } : { password, keep_sign_in_methods: keep };
  const { error } = await auth.updateUser(attributes);
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Removes the session from this browser without a request. */
export const clearSession = async (): Promise<void> => {
  await auth.signOut({ scope: 'local' });
};

/** Fetches the current user. Fails if the session has been revoked. */
export const fetchUser = async (): Promise<AuthResult<Session['user']>> => {
  const { data, error } = await auth.getUser();
  return error === null ? { ok: true, value: data.user } : failed(error);
};

/** Signs in with a passkey. The value is the step required before the console opens. */
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

/**
 * Fetches the verified second factors of the current user, oldest first.
 *
 * @throws ApiError
 */
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

/** Verifies the code of an authenticator app. */
export const verifyAppCode = async (factorId: string, code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Sends a code to the phone of the factor. The value is the ID of the challenge. */
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

/** Verifies a security key. The browser prompts for it. */
export const verifySecurityKey = async (factorId: string): Promise<AuthResult<null>> => {
  const { error } = await auth.mfa.webauthn.authenticate({ factorId });
  return error === null ? { ok: true, value: null } : { ok: false, error: fromWebAuthnError(error) };
};

/** Consumes a recovery code. */
export const verifyRecoveryCode = async (code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.mfa.recoveryCodes.verify({ code });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Redeems the token hash of an email link. The new session replaces the current one. */
export const exchangeTokenHash = async (tokenHash: string, type: LinkType): Promise<AuthResult<null>> => {
  const { error } = await auth.verifyOtp({ token_hash: tokenHash, type });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Values of `type` that `verifyOtp` accepts for a token hash. */
export type LinkType = 'invite' | 'recovery' | 'signup' | 'magiclink' | 'email_change' | 'email';

/** Creates the session from the tokens in a URL fragment. */
export const setSessionTokens = async (
  accessToken: string,
  refreshToken: string,
): Promise<AuthResult<null>> => {
  const { error } = await auth.setSession({ access_token: accessToken, refresh_token: refreshToken });
  return error === null ? { ok: true, value: null } : failed(error);
};

/** Exchanges a PKCE authorization code. Only the browser that requested the email has the verifier. */
export const exchangeCode = async (code: string): Promise<AuthResult<null>> => {
  const { error } = await auth.exchangeCodeForSession(code);
  return error === null ? { ok: true, value: null } : failed(error);
};
