/** How the status of an invitation is shown (specification section 4). */
import type { BadgeVariant } from '../../ui/badge.tsx';

export const statusVariant = (status: string): BadgeVariant => {
  if (status === 'accepted') return 'default';
  return status === 'expired' ? 'destructive' : 'secondary';
};

/** What somebody decided about a person, and sending an invitation again would take back. */
export const manuallyEndedStatus = (status: string): 'revoked' | 'removed' | null =>
  status === 'revoked' || status === 'removed' ? status : null;

/** An accepted invitation has nothing left to send. */
export const canResend = (status: string): boolean => status !== 'accepted';
