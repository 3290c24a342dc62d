/** Converts errors of passkeys and security keys to messages for users. */
import { ApiError, errorMessage, fromAuthError } from './errors.ts';

type Ceremony = 'authentication' | 'registration';

const alreadyRegistered = 'This device or key is already registered.';
const wrongDomain = 'Passkeys and security keys work only at the configured URL of this console.';

/** Messages by the error code of auth-js or of the service. */
const messagesByCode: Readonly<Record<string, string>> = {
  ERROR_CEREMONY_ABORTED: 'The request was replaced by a newer one. Try again.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: alreadyRegistered,
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This device or key cannot store passkeys.',
  ERROR_AUTHENTICATOR_GENERAL_ERROR:
    'The device or key reported an error. Try again, or use a different device or key.',
  ERROR_INVALID_DOMAIN: wrongDomain,
  ERROR_INVALID_RP_ID: wrongDomain,
  webauthn_credential_exists: alreadyRegistered,
  passkey_disabled: 'Passkeys are turned off on this server.',
};

/** Messages by the error code of the service, for a code with a different meaning in each ceremony. */
const messagesByCeremony: Readonly<Record<Ceremony, Readonly<Record<string, string>>>> = {
  authentication: {
    webauthn_verification_failed: 'This passkey could not be used. Use another sign-in method.',
  },
  registration: {
    webauthn_verification_failed:
      'The new passkey could not be verified. Try again, or use a different device or key.',
  },
};

/** Messages for errors that auth-js reports without a code. */
const messagesByText: Readonly<Record<string, string>> = {
  'Browser does not support WebAuthn': 'This browser does not support passkeys or security keys.',
  'a Non-Webauthn related error has occurred':
    'The browser could not use a passkey or security key. Use another method.',
};

/** Browsers report a canceled ceremony, a timeout and an unknown key as the same error. */
const isNotAllowedError = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.name === 'NotAllowedError';

/** Like `fromAuthError`, with the messages of a WebAuthn ceremony. */
export const fromWebAuthnError = (error: unknown, ceremony: Ceremony): ApiError => {
  const authError = fromAuthError(error);
  const { status, code } = authError;
  // The original text: `fromAuthError` replaces that of an `AuthUnknownError`, such as a missing browser feature.
  const message = isNotAllowedError(error)
    ? 'The request was canceled or timed out. Try again when you are ready.'
    : (messagesByText[errorMessage(error)] ?? messagesByCode[code] ?? messagesByCeremony[ceremony][code]);
  return message === undefined
    ? authError
    : new ApiError({ kind: 'auth', status, code, message, cause: error });
};
