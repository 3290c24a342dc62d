/** Messages for links that cannot be used. */
import { expiredLinkMessage } from '@lanternrock/contract/link-errors';
import { accessEndedMessage } from '@lanternrock/contract/session-errors';
import { errorMessage, isUnanswered } from '../../api/errors.ts';
import { findField } from '../../api/json.ts';
import type { LinkType } from './callback-link.ts';

/** Returns the message for an error in the URL. Texts from the URL are untrusted and never shown. */
export const getLinkErrorMessage = (code: string): string => {
  if (code === 'otp_expired' || code === 'flow_state_expired') {
    return 'This link has expired or has already been used. Request a new one.';
  }
  if (code === 'user_banned') return accessEndedMessage;
  return 'This link cannot be used. Request a new one.';
};

/** Token of this service (43 characters) or of a hosted Supabase project (56). */
const completeToken = /^(?:pkce_)?(?:[\w-]{43}|[0-9a-f]{56})$/;

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
export const getTokenErrorMessage = (
  { tokenHash, type }: { readonly tokenHash: string; readonly type: LinkType },
  error: { readonly code: string; readonly message: string },
): string => {
  if (error.code === 'user_banned') return accessEndedMessage;
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
export const toLinkErrorToast = (
  error: unknown,
): { readonly title: string; readonly description: string } => {
  const description = errorMessage(error);
  if (!isUnanswered(error) && !isUnanswered(findField(error, 'cause')))
    return { title: 'The link could not be used', description };
  return {
    title: 'The link may have been used',
    description: `${description} If the link no longer works, request a new one.`,
  };
};
