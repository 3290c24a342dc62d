/** Parses the links of emails and decides where they lead. */
import { findField, parseTokenClaims } from '../../api/json.ts';

/** Types of email links with a token hash. */
const linkTypes = ['invite', 'recovery', 'signup', 'magiclink', 'email_change', 'email'] as const;
export type LinkType = (typeof linkTypes)[number];

export type CallbackLink =
  | { readonly kind: 'none' }
  | { readonly kind: 'token-hash'; readonly tokenHash: string; readonly type: LinkType }
  | { readonly kind: 'tokens'; readonly accessToken: string; readonly refreshToken: string }
  | { readonly kind: 'code'; readonly code: string }
  /** The URL contains an error code, or a token hash whose type is missing or unknown. */
  | { readonly kind: 'error'; readonly code: string };

/**
 * Parses the query and the fragment of a link. The query takes precedence. An error in the link takes
 * precedence over all other parameters.
 */
export const parseCallbackLink = (search: string, fragment: string): CallbackLink => {
  const query = new URLSearchParams(search);
  const hash = new URLSearchParams(fragment.replace(/^#/, ''));
  const readParam = (name: string): string => query.get(name) ?? hash.get(name) ?? '';
  if (readParam('error') !== '' || readParam('error_code') !== '' || readParam('error_description') !== '') {
    return { kind: 'error', code: readParam('error_code') || readParam('error') };
  }
  const type = linkTypes.find((each) => each === readParam('type'));
  if (readParam('token_hash') !== '') {
    return type === undefined
      ? { kind: 'error', code: 'validation_failed' }
      : { kind: 'token-hash', tokenHash: readParam('token_hash'), type };
  }
  if (readParam('access_token') !== '') {
    return {
      kind: 'tokens',
      accessToken: readParam('access_token'),
      refreshToken: readParam('refresh_token'),
    };
  }
  return readParam('code') === '' ? { kind: 'none' } : { kind: 'code', code: readParam('code') };
};

/**
 * Reads the `sub` claim without verifying the token. Use it only to compare with the current session.
 *
 * @returns '' if the token cannot be parsed
 */
export const readTokenSubject = (accessToken: string): string => {
  const subject = findField(parseTokenClaims(accessToken), 'sub');
  return typeof subject === 'string' ? subject : '';
};

/**
 * Returns true if the link must not replace the current session. Token hashes come from emails of this
 * service. Fragments and codes can come from an attacker (login CSRF).
 */
export const shouldIgnoreLink = (link: CallbackLink, signedInUserId: string | null): boolean => {
  if (signedInUserId === null) return false;
  if (link.kind === 'tokens') return readTokenSubject(link.accessToken) !== signedInUserId;
  return link.kind === 'code';
};

export interface CallbackState {
  readonly hasSession: boolean;
  /** The URL contains `setup=true`. */
  readonly setupFlag: boolean;
  /** A link in this tab requested the password setup (`password-setup-marker.ts`). */
  readonly hasMarker: boolean;
  /** The user has no password yet. */
  readonly setupRequired: boolean;
}

/** Returns the path to open. For '/auth' the screen also clears the marker. */
export const selectNextPath = (state: CallbackState): '/auth' | '/auth/set-password' | '/admin/accounts' => {
  if (!state.hasSession) return '/auth';
  const mustSetPassword = state.setupFlag || state.hasMarker || state.setupRequired;
  return mustSetPassword ? '/auth/set-password' : '/admin/accounts';
};

interface LinkConfirmation {
  readonly title: string;
  readonly button: string;
}

const signInConfirmation: LinkConfirmation = { title: 'Sign in with this link?', button: 'Sign in' };
const confirmations: Partial<Record<LinkType, LinkConfirmation>> = {
  signup: { title: 'Confirm your email address?', button: 'Confirm email address' },
  email_change: { title: 'Confirm your new email address?', button: 'Confirm email address' },
  magiclink: signInConfirmation,
  email: signInConfirmation,
};

/**
 * Returns the confirmation to show before a link is redeemed. Email clients and scanners open links, some
 * of them with scripts, so a single-use link requires a click. Invitation and recovery links stay valid
 * until the password is set. Codes and tokens come from a page of the service that required a click.
 *
 * @returns null if no confirmation is required
 */
export const findLinkConfirmation = (link: CallbackLink): LinkConfirmation | null =>
  link.kind === 'token-hash' ? (confirmations[link.type] ?? null) : null;
