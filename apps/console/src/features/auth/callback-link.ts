/** Parses the links of emails and decides where they lead. */
import { expiredLinkMessage } from '@lanternrock/contract/link-errors';
import { errorMessage, isUnanswered } from '../../api/errors.ts';
import { findField, parseTokenClaims } from '../../api/json.ts';

/** Types of email links with a token hash. */
const linkTypes = ['invite', 'recovery', 'signup', 'magiclink', 'email_change', 'email'] as const;
type LinkType = (typeof linkTypes)[number];

export type CallbackLink =
  | { readonly kind: 'none' }
  | { readonly kind: 'token-hash'; readonly tokenHash: string; readonly type: LinkType }
  | { readonly kind: 'tokens'; readonly accessToken: string; readonly refreshToken: string }
  | { readonly kind: 'code'; readonly code: string }
  /** The service rejected the link and redirected here with its error code. */
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
export const shouldIgnoreLink = (link: CallbackLink, signedInUser: string | null): boolean => {
  if (signedInUser === null) return false;
  if (link.kind === 'tokens') return readTokenSubject(link.accessToken) !== signedInUser;
  return link.kind === 'code';
};

export interface CallbackState {
  readonly hasSession: boolean;
  /** The URL contains `setup=true`. */
  readonly setupFlag: boolean;
  readonly marker: boolean;
  /** The user has no password yet. */
  readonly setupRequired: boolean;
}

/** Returns the path to open. For '/auth' the screen also clears the marker. */
export const callbackTarget = (state: CallbackState): '/auth' | '/auth/set-password' | '/admin/accounts' => {
  if (!state.hasSession) return '/auth';
  const mustSetPassword = state.setupFlag || state.marker || state.setupRequired;
  return mustSetPassword ? '/auth/set-password' : '/admin/accounts';
};

/** Returns the message for an error in the URL. Texts from the URL are untrusted and never shown. */
export const linkErrorMessage = (code: string): string => {
  if (code === 'otp_expired' || code === 'flow_state_expired') {
    return 'This link has expired or has already been used. Request a new one.';
  }
  if (code === 'user_banned') return blockedMessage;
  return 'This link cannot be used. Request a new one.';
};

const blockedMessage = 'Your access is blocked. Ask an administrator for help.';

/** Token of this service (43 characters) or of a hosted Supabase project (56). */
const completeToken = /^(?:pkce_)?(?:[\w-]{43}|[0-9a-f]{56})$/;

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

/** After the service has deleted a token, it cannot distinguish used, replaced and revoked links. */
const endedMessages = {
  invite: {
    expired: 'This invitation has expired. Ask an administrator to send it again.',
    used: 'This invitation has already been used or is no longer valid. If you have set a password, sign in with it. Otherwise, ask an administrator for a new invitation.',
  },
  recovery: {
    expired: 'This link has expired. Request a new one with "Forgot password?".',
    used: 'This link has already been used or was replaced by a newer email. Request a new one with "Forgot password?".',
  },
  other: {
    expired: 'This link has expired. Request a new one.',
    used: 'This link has already been used or was replaced by a newer email. Request a new one.',
  },
} as const;

/** Returns the message for a token hash that the service rejected. */
export const tokenErrorMessage = (
  { tokenHash, type }: { readonly tokenHash: string; readonly type: LinkType },
  error: { readonly code: string; readonly message: string },
): string => {
  if (error.code === 'user_banned') return blockedMessage;
  if (error.code !== 'otp_expired') return error.message;
  if (!completeToken.test(tokenHash))
    return 'The link is incomplete. Open it again from the email or copy the full link.';
  const messages = type === 'invite' || type === 'recovery' ? endedMessages[type] : endedMessages.other;
  return error.message === expiredLinkMessage ? messages.expired : messages.used;
};

/**
 * Returns the toast for a link that could not be redeemed.
 *
 * @param error an `ApiError`, or an error with one as its cause
 */
export const linkFailure = (error: unknown): { readonly title: string; readonly description: string } => {
  const description = errorMessage(error);
  if (!isUnanswered(error) && !isUnanswered(findField(error, 'cause')))
    return { title: 'The link could not be used', description };
  return {
    title: 'The link may have been used',
    description: `${description} If the link no longer works, request a new one.`,
  };
};
