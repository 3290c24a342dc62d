/** What browsers say when a passkey or security key was not used, in words for a person. */
import { BackendError, fromAuthError } from './errors.ts';

/** The client's codes: what it could tell from the browser's error. */
const messages: Readonly<Record<string, string>> = {
  ERROR_CEREMONY_ABORTED: 'The request was replaced by a newer one. Try again.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device or key is registered already.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This device or key cannot keep passkeys.',
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'The device or key could not do this. Try again, or use another one.',
  ERROR_INVALID_DOMAIN: 'Passkeys and security keys work only at the address that this console is made for.',
  ERROR_INVALID_RP_ID: 'Passkeys and security keys work only at the address that this console is made for.',
  webauthn_credential_exists: 'This device or key is registered already.',
  webauthn_verification_failed: 'This passkey is not known here. Use another way.',
  passkey_disabled: 'Passkeys are turned off on this server.',
};

/** What the client says in words alone. */
const byWords: Readonly<Record<string, string>> = {
  'Browser does not support WebAuthn': 'This browser knows neither passkeys nor security keys.',
  'a Non-Webauthn related error has occurred':
    'The browser could not use a passkey or security key. Use another way.',
};

const namesNotAllowed = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.name === 'NotAllowedError';

/** As `fromAuthError`; browsers tell "cancelled", "timed out" and "no such key" by one and the same error. */
export const fromWebAuthnError = (error: unknown): BackendError => {
  const failure = fromAuthError(error);
  const message = namesNotAllowed(error)
    ? 'The request was cancelled or timed out. Try again when you are ready.'
    : (byWords[failure.message] ?? messages[failure.code]);
  if (message === undefined) return failure;
  return new BackendError({
    kind: 'auth',
    status: failure.status,
    code: failure.code,
    message,
    cause: error,
  });
};
