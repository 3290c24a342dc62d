/** Checks whether passkeys and security keys can work at the URL of this page. */
import { ApiError } from './errors.ts';
import { readRuntimeConfig } from './runtime-config.ts';

interface PageOrigin {
  readonly hostname: string;
  /** `isSecureContext`: https, or http on this device. */
  readonly isSecure: boolean;
}

/** Returns true if browsers resolve the host name to this device, also without a name server. */
export const isLoopback = (hostname: string): boolean => /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
const isIpAddress = (hostname: string): boolean => /^(?:\[.*\]|[\d.]+)$/.test(hostname);

/** Returns true if the user of a page at `pageHostname` can open `site` instead, and WebAuthn works there. */
const isAlternative = (site: URL, pageHostname: string): boolean => {
  if (isIpAddress(site.hostname)) return false;
  // A loopback name means the device of the user.
  return isLoopback(site.hostname) ? isLoopback(pageHostname) : site.protocol === 'https:';
};

/**
 * Returns why passkeys and security keys cannot work at the URL of the page, and the remedy; null if they can.
 * Browsers bind them to the host name of the configured URL, or to a name below it, and reject IP addresses.
 *
 * @param siteUrl the configured URL of the console; '' if it is unknown
 */
export const findWebAuthnObstacle = ({ hostname, isSecure }: PageOrigin, siteUrl: string): string | null => {
  const site = URL.canParse(siteUrl) ? new URL(siteUrl) : null;
  const hasAlternative = site !== null && isAlternative(site, hostname);
  const remedy = hasAlternative
    ? `Open ${site.origin} instead.`
    : 'Ask the operator of this console for a URL with https and a host name.';
  if (isIpAddress(hostname)) return `Passkeys and security keys do not work at an IP address. ${remedy}`;
  if (!isSecure)
    return `Passkeys and security keys need https, and this page was opened without it. ${remedy}`;
  if (site === null || hostname === site.hostname || hostname.endsWith(`.${site.hostname}`)) return null;
  return hasAlternative
    ? `Passkeys and security keys work only at ${site.hostname}, and this page is at ${hostname}. ${remedy}`
    : `Passkeys and security keys do not work with the configured URL of this console. ${remedy}`;
};

/** Call before a request that begins a registration or a sign-in. @throws ApiError if it cannot succeed on this page */
export const requireWebAuthn = (): void => {
  const page = { hostname: location.hostname, isSecure: isSecureContext };
  const message = findWebAuthnObstacle(page, readRuntimeConfig().siteUrl);
  if (message !== null) throw new ApiError({ kind: 'auth', code: 'webauthn_unavailable', message });
};
