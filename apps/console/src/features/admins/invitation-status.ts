/** Badge style and allowed actions by the status of an invitation. */
import type { BadgeVariant } from '../../ui/badge.tsx';

export const statusVariant = (status: string): BadgeVariant => {
  if (status === 'accepted') return 'default';
  return status === 'expired' ? 'destructive' : 'secondary';
};

/** Returns the status if an administrator has ended the invitation. A resend would undo that. */
export const manuallyEndedStatus = (status: string): 'revoked' | 'removed' | null =>
  status === 'revoked' || status === 'removed' ? status : null;

/** Returns false for an accepted invitation. */
export const canResend = (status: string): boolean => status !== 'accepted';
