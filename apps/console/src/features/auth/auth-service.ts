/** Auth API calls of the sign-in document. Loaded on demand by `load-auth-service.ts`, after the form is usable. */
import { resetRequestSchema, setPasswordSchema, signInSchema } from '@lanternrock/contract/credentials';
import { type SignInMethod, signInMethodsSchema } from '@lanternrock/contract/sign-in-methods';
import { auth, unwrap, refreshSession, type Session } from '../../api/auth.ts';
import { endLocalSession } from '../../api/local-session.ts';
import { readTimeoutMs } from '../../api/deadline.ts';
import { type ApiError, shapeError } from '../../api/errors.ts';
import { readStoredSession } from '../../api/stored-session.ts';
import { fromWebAuthnError } from '../../api/webauthn-error.ts';
import { requireWebAuthn } from '../../api/webauthn-support.ts';
import { validateForm } from '../../forms/validate-form.ts';
import { clearPasswordSetupMarker } from '../../session/password-setup-marker.ts';
import { getRequiredStep, needsSecondFactor, type SessionStep } from '../../session/required-step.ts';
import { checkSession, type SessionCheck } from '../../session/session-check.ts';

export { needsSecondFactor, checkSession, endLocalSession };

/**
 * Checks the session with the user as the service knows it: a second factor can have been added or removed elsewhere. Does
 * not store this user, because another tab may just have stored a new session.
 */
export const checkSessionAndUser = async (): Promise<SessionCheck> => {
  const found = await checkSession();
  if (found.kind !== 'session') return found;
  try {
    const session = { ...found.session, user: await fetchUser() };
    const step = getRequiredStep(session);
    if (step !== 'ready' || found.step === 'ready') return { kind: 'session', session, step };
    // The console reads the stored user and would redirect back.
    await refreshSession();
    return await checkSession();
  } catch {
    // The console checks the session again and reports an outage.
    return readStoredSession() !== null ? found : { kind: 'none' };
  }
};

export const validateSignIn = (form: object) => validateForm(signInSchema, form);
export const validateResetRequest = (form: object) => validateForm(resetRequestSchema, form);
export const validateNewPassword = (form: object) => validateForm(setPasswordSchema, form);

/** Signs in. Returns the step required before the console opens. */
export const signIn = async (email: string, password: string): Promise<SessionStep> => {
  const { session } = await unwrap(auth.signInWithPassword({ email, password }));
  // The marker may come from a link of another user in this tab.
  clearPasswordSetupMarker();
  return getRequiredStep(session);
};

/** Requests a recovery email. The response does not reveal whether the email address exists. */
export const requestPasswordReset = (email: string): Promise<unknown> =>
  unwrap(auth.resetPasswordForEmail(email, { redirectTo: `${location.origin}/auth/callback` }));

/** Redeems the six-digit code of a recovery email. */
export const verifyResetCode = (email: string, code: string): Promise<unknown> =>
  unwrap(auth.verifyOtp({ email, token: code, type: 'recovery' }));

/**
 * Lists the sign-in methods that `setPassword` removes unless the user keeps them. Requires the feature
 * `extensions`.
 */
export const signInMethods = async (): Promise<readonly SignInMethod[]> => {
  const parsed = signInMethodsSchema.safeParse(await auth.request('/user/sign-in-methods'));
  if (parsed.success) return parsed.data;
  throw shapeError();
};

/**
 * Sets the password of the current user.
 *
 * @param keep IDs of the sign-in methods to keep, or undefined if the user had no choice
 * @throws ApiError if the service rejects it; other errors of the browser are not converted
 */
export const setPassword = async (password: string, keep: readonly string[] | undefined): Promise<void> => {
  const attributes = keep === undefined ? { password } : { password, keep_sign_in_methods: keep };
  await unwrap(auth.updateUser(attributes));
};

/** Fetches the current user. Fails if the session has been revoked. */
export const fetchUser = async (): Promise<Session['user']> =>
  (await unwrap(auth.getUser(), { timeoutMs: readTimeoutMs })).user;

const fromAuthenticationError = (error: unknown): ApiError => fromWebAuthnError(error, 'authentication');

/** Signs in with a passkey. Returns the step required before the console opens. */
export const signInWithPasskey = async (): Promise<SessionStep> => {
  requireWebAuthn();
  const { session } = await unwrap(auth.signInWithPasskey(), { toApiError: fromAuthenticationError });
  if (session === null) throw shapeError();
  clearPasswordSetupMarker();
  return getRequiredStep(session);
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

/** Fetches the verified second factors of the current user, oldest first. */
export const secondFactors = async (): Promise<readonly SecondFactor[]> => {
  const { all } = await unwrap(auth.mfa.listFactors(), { timeoutMs: readTimeoutMs });
  return all
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
export const verifyAppCode = (factorId: string, code: string): Promise<unknown> =>
  unwrap(auth.mfa.challengeAndVerify({ factorId, code }));

/** Sends a code to the phone of the factor. Returns the ID of the challenge. */
export const sendPhoneCode = async (factorId: string): Promise<string> =>
  (await unwrap(auth.mfa.challenge({ factorId, channel: 'sms' }))).id;

export const verifyPhoneCode = (factorId: string, challengeId: string, code: string): Promise<unknown> =>
  unwrap(auth.mfa.verify({ factorId, challengeId, code }));

/** Verifies a security key. The browser prompts for it. */
export const verifySecurityKey = async (factorId: string): Promise<unknown> => {
  requireWebAuthn();
  return unwrap(auth.mfa.webauthn.authenticate({ factorId }), { toApiError: fromAuthenticationError });
};

/** Consumes a recovery code. */
export const verifyRecoveryCode = (code: string): Promise<unknown> =>
  unwrap(auth.mfa.recoveryCodes.verify({ code }));

/** Counts the recovery codes of the current user. */
export const countRecoveryCodes = (): Promise<{ total: number; remaining: number }> =>
  unwrap(auth.mfa.recoveryCodes.getStatus(), { timeoutMs: readTimeoutMs });

/** Redeems the token hash of an email link. The new session replaces the current one. */
export const exchangeTokenHash = (tokenHash: string, type: LinkType): Promise<unknown> =>
  unwrap(auth.verifyOtp({ token_hash: tokenHash, type }));

/** Values of `type` that `verifyOtp` accepts for a token hash. */
export type LinkType = 'invite' | 'recovery' | 'signup' | 'magiclink' | 'email_change' | 'email';

/** Creates the session from the tokens in a URL fragment. */
export const setSessionTokens = (accessToken: string, refreshToken: string): Promise<unknown> =>
  unwrap(auth.setSession({ access_token: accessToken, refresh_token: refreshToken }));

/** Exchanges a PKCE authorization code. Only the browser that requested the email has the verifier. */
export const exchangeCode = (code: string): Promise<unknown> => unwrap(auth.exchangeCodeForSession(code));
