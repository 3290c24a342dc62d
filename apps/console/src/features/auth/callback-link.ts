/** What a link from a mail carries, and where it leads. Pure: the screen does the acting. */

import { expiredLinkMessage } from '@lanternrock/contract/link-errors';

/** The kinds of mail whose links carry a token hash. */
const linkTypes = ['invite', 'recovery', 'signup', 'magiclink', 'email_change', 'email'] as const;
type LinkType = (typeof linkTypes)[number];

export type CallbackLink =
  | { readonly kind: 'none' }
  | { readonly kind: 'token-hash'; readonly tokenHash: string; readonly type: LinkType }
  | { readonly kind: 'tokens'; readonly accessToken: string; readonly refreshToken: string }
  | { readonly kind: 'code'; readonly code: string }
  /** The service refused the link before it came here. `code` is its word for why. */
  | { readonly kind: 'refused'; readonly code: string };

/**
 * The three shapes a link may have (reading A03), from query and fragment; the query wins. A link
 * that names an error counts as refused whatever else it carries.
 */
export const parseCallbackLink = (search: string, fragment: string): CallbackLink => {
  const query = new URLSearchParams(search);
  const hash = new URLSearchParams(fragment.replace(/^#/, ''));
  const read = (name: string): string => query.get(name) ?? hash.get(name) ?? '';
  if (read('error') !== '' || read('error_code') !== '' || read('error_description') !== '') {
    return { kind: 'refused', code: read('error_code') || read('error') };
  }
  const type = linkTypes.find((each) => each === read('type'));
  if (read('token_hash') !== '') {
    return type === undefined
      ? { kind: 'refused', code: 'validation_failed' }
      : { kind: 'token-hash', tokenHash: read('token_hash'), type };
  }
  if (read('access_token') !== '') {
    return { kind: 'tokens', accessToken: read('access_token'), refreshToken: read('refresh_token') };
  }
  return read('code') === '' ? { kind: 'none' } : { kind: 'code', code: read('code') };
};

/**
 * The person an access token speaks of, read without checking it: only to compare with the session
 * that is there. '' when it cannot be read.
 */
export const readTokenSubject = (accessToken: string): string => {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(payload));
    const subject: unknown = Reflect.get(Object(claims), 'sub');
    return typeof subject === 'string' ? subject : '';
  } catch {
    return '';
  }
};

/**
 * True when a link must not replace the session that is there. Token hashes come from mails of this
 * service and win (reading A04); fragments and codes can be planted by anybody (login CSRF).
 */
export const shouldIgnoreLink = (link: CallbackLink, signedInUser: string | null): boolean => {
  if (signedInUser === null) return false;
  if (link.kind === 'tokens') return readTokenSubject(link.accessToken) !== signedInUser;
  return link.kind === 'code';
};

export interface CallbackState {
  readonly hasSession: boolean;
  /** The address asked for it with setup=true. */
  readonly setupFlag: boolean;
  readonly marker: boolean;
  /** The service says that this person has no password yet. */
  readonly setupRequired: boolean;
}

/** Where the callback leads; a target of '/auth' also clears the marker. */
export const callbackTarget = (
  situation: CallbackState,
): '/auth' | '/auth/set-password' | '/admin/accounts' => {
  if (!situation.hasSession) return '/auth';
  const asked = situation.setupFlag || situation.marker || situation.setupRequired;
  return asked ? '/auth/set-password' : '/admin/accounts';
};

/** Our own words for a refusal that came by the address: texts there are anybody's and never shown. */
export const linkErrorMessage = (code: string): string => {
  if (code === 'otp_expired' || code === 'flow_state_expired') {
    return 'The link has expired or has been used already. Ask for a new one.';
  }
  if (code === 'user_banned') return suspended;
  return 'The link cannot be used. Ask for a new one.';
};

const suspended = 'This account has been suspended. Ask an administrator for help.';

/** How a token looks: 43 characters of this service, 56 of a hosted project. */
const wholeToken = /^(?:pkce_)?(?:[\w-]{43}|[0-9a-f]{56})$/;

interface LinkQuestion {
  readonly title: string;
  readonly button: string;
}

const signInQuestion: LinkQuestion = { title: 'Sign in with this link?', button: 'Sign in' };
const questions: Partial<Record<LinkType, LinkQuestion>> = {
  signup: { title: 'Confirm your email address?', button: 'Confirm email address' },
  email_change: { title: 'Confirm your new email address?', button: 'Confirm email address' },
  magiclink: signInQuestion,
  email: signInQuestion,
};

/**
 * What to ask before a link is used. Mail programs and scanners open links, some of them with scripts, so a link that
 * works once is used at a click only. Links of invitations and recoveries stay good until the password is set; codes
 * and tokens come from a page of the service that has asked already.
 *
 * @returns null when the link may be used immediately
 */
export const questionFor = (link: CallbackLink): LinkQuestion | null =>
  link.kind === 'token-hash' ? (questions[link.type] ?? null) : null;

/** What became of a link, and the next step. A service that has forgotten a link cannot tell why it ended. */
const ended = {
  invite: {
    expired: 'The invitation has expired. Ask an administrator to send it again.',
    gone: 'The invitation was used already or is no longer valid. If you have set a password, sign in with it; else ask an administrator for a new invitation.',
  },
  recovery: {
    expired: 'The link has expired. Ask for a new one with "Forgot password?".',
    gone: 'The link was used already, or a newer mail has replaced it. Ask for a new one with "Forgot password?".',
  },
  other: {
    expired: 'The link has expired. Ask for a new one.',
    gone: 'The link was used already, or a newer mail has replaced it. Ask for a new one.',
  },
} as const;

/** The words for a token hash that the service has refused. */
export const tokenErrorMessage = (
  { tokenHash, type }: { readonly tokenHash: string; readonly type: LinkType },
  error: { readonly code: string; readonly message: string },
): string => {
  if (error.code === 'user_banned') return suspended;
  if (error.code !== 'otp_expired') return error.message;
  if (!wholeToken.test(tokenHash))
    return 'The link is incomplete. Open it again from the mail, or copy the whole of it.';
  const words = type === 'invite' || type === 'recovery' ? ended[type] : ended.other;
  return error.message === expiredLinkMessage ? words.expired : words.gone;
};
