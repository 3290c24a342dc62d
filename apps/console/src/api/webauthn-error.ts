/** Converts errors of passkeys and security keys to messages for users. */
import { ApiError, fromAuthError } from './errors.ts';
import { readRuntimeConfig } from './runtime-config.ts';

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

/** Messages by the error code that mean something else when a passkey or security key is added. */
const registrationMessages: Readonly<Record<string, string>> = {
  webauthn_verification_failed:
    'The new passkey could not be verified. Try again, or use a different device or key.',
};

/** Messages for errors that auth-js reports without a code. */
const messagesByText: Readonly<Record<string, string>> = {
  'Browser does not support WebAuthn': 'This browser does not support passkeys or security keys.',
  'a Non-Webauthn related error has occurred':
    'The browser could not use a passkey or security key. Use another method.',
};

interface PageAddress {
  readonly hostname: string;
  /** `isSecureContext`: https, or http on this device. */
  readonly isSecure: boolean;
}

const isLoopback = (hostname: string): boolean => /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
const isIpAddress = (hostname: string): boolean => /^(?:\[.*\]|[\d.]+)$/.test(hostname);

/**
 * Returns why passkeys and security keys cannot work at the URL of the page, with the way out; undefined if they can.
 * Browsers bind them to the host name of the configured URL, or to a name below it, and refuse IP addresses.
 *
 * @param siteUrl the configured URL of the console; '' if it is unknown
 */
export const webAuthnObstacle = (page: PageAddress, siteUrl: string): string | undefined => {
  const site = URL.canParse(siteUrl) ? new URL(siteUrl) : undefined;
  const isUsable =
    site !== undefined &&
    !isIpAddress(site.hostname) &&
    // The name `localhost` means the device of the user.
    (isLoopback(site.hostname) ? isLoopback(page.hostname) : site.protocol === 'https:');
  const wayOut = isUsable
    ? `Open ${site.origin} instead.`
    : 'Ask the operator of this console for a URL with https and a host name.';
  if (isIpAddress(page.hostname)) return `Passkeys and security keys do not work at an IP address. ${wayOut}`;
  if (!page.isSecure)
    return `Passkeys and security keys need https, and this page was opened without it. ${wayOut}`;
  if (site === undefined || page.hostname === site.hostname || page.hostname.endsWith(`.${site.hostname}`))
    return undefined;
  if (!isUsable)
    return `Passkeys and security keys do not work with the configured URL of this console. ${wayOut}`;
  return `Passkeys and security keys work only at ${site.hostname}, and this page is at ${page.hostname}. ${wayOut}`;
};

/** Call before a request that begins a registration or a sign-in. @throws ApiError if it cannot succeed on this page */
export const requireWebAuthn = (): void => {
  const page = { hostname: location.hostname, isSecure: isSecureContext };
  const message = webAuthnObstacle(page, readRuntimeConfig().siteUrl);
  if (message !== undefined) throw new ApiError({ kind: 'auth', code: 'webauthn_unavailable', message });
};

const isNotAllowedError = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.name === 'NotAllowedError';

/** Like `fromAuthError`. Browsers report canceled, timed out and unknown key as the same error. */
export const fromWebAuthnError = (error: unknown): ApiError => convertError(error, messagesByCode);

/** `fromWebAuthnError` for a new passkey or security key. */
export const fromRegistrationError = (error: unknown): ApiError =>
  convertError(error, { ...messagesByCode, ...registrationMessages });

const convertError = (error: unknown, messages: Readonly<Record<string, string>>): ApiError => {
  const authError = fromAuthError(error);
  const message = isNotAllowedError(error)
    ? 'The request was canceled or timed out. Try again when you are ready.'
    : (messagesByText[authError.message] ?? messages[authError.code]);
  if (message === undefined) return authError;
  return new ApiError({
    kind: 'auth',
    status: authError.status,
    code: authError.code,
    message,
    cause: error,
  });
};
