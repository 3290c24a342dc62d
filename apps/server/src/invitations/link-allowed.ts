/** Decides whether an administrator can get the link of an invitation, to share it instead of its email. */
import type { DeliveryStatus } from '@lanternrock/contract/invitations';
import { DomainError } from '../errors.ts';

export interface NewestEmail {
  readonly status: DeliveryStatus;
  /** The response of the mail server, or the connection error. */
  readonly answer: string | null;
  readonly is_sending: boolean;
}

/**
 * Returns true if an administrator can get a link to share. Only allowed if no email delivers it, because the link sets
 * the password of the user. Captured emails reach no recipient. The link replaces an email that waits for
 * its next attempt.
 */
export const isLinkAllowed = ({
  status,
  hasSignInMethod,
  newest,
}: {
  /** As it is stored: an expired invitation is pending. */
  readonly status: string;
  readonly hasSignInMethod: boolean;
  readonly newest: NewestEmail | null | undefined;
}): boolean => {
  if (status !== 'pending' || hasSignInMethod) return false;
  if (newest?.status === 'waiting') return newest.answer !== null && !newest.is_sending;
  return newest?.status !== 'handed_over';
};

export const linkNotAllowedError = (email: string): DomainError =>
  new DomainError(
    'link_not_allowed',
    `A link for ${email} cannot be created: the mail server accepted the email, the email is queued or being sent, or the user can sign in already.`,
  );
