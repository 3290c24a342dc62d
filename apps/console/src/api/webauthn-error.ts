/** Converts errors of passkeys and security keys to messages for users. */
import { ApiError, fromAuthError } from './errors.ts';

/** Messages by the error code of auth-js or of the service. */
const messagesByCode: Readonly<Record<string, string>> = {
  ERROR_CEREMONY_ABORTED: 'The request was replaced by a newer one. Try again.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device or key is already registered.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This device or key cannot store passkeys.',
  ERROR_AUTHENTICATOR_GENERAL_ERROR:
    'The device or key reported an error. Try again, or use a different device or key.',
  ERROR_INVALID_DOMAIN: 'Passkeys and security keys work only at the configured URL of this console.',
  ERROR_INVALID_RP_ID: 'Passkeys and security keys work only at the configured URL of this console.',
  webauthn_credential_exists: 'This device or key is already registered.',
  webauthn_verification_failed: 'This passkey is not registered. Use another sign-in method.',
  passkey_disabled: 'Passkeys are turned off on this server.',
};

/** Messages for errors that auth-js reports without a code. */
const messagesByText: Readonly<Record<string, string>> = {
  'Browser does not support WebAuthn': 'This browser does not support passkeys or security keys.',
  'a Non-Webauthn related error has occurred':
    'The browser could not use a passkey or security key. Use another method.',
};

const isNotAllowedError = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.name === 'NotAllowedError';

/** Like `fromAuthError`. Browsers report canceled, timed out and unknown key as the same error. */
export const fromWebAuthnError = (error: unknown): ApiError => {
  const authError = fromAuthError(error);
  const message = isNotAllowedError(error)
    ? 'The request was canceled or timed out. Try again when you are ready.'
    : (messagesByText[authError.message] ?? messagesByCode[authError.code]);
  if (message === undefined) return authError;
  return new ApiError({
    kind: 'auth',
    status: authError.status,
    code: authError.code,
    message,
    cause: error,
  });
};
