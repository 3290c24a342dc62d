/** The badge and the allowed actions of an invitation by its status. */
import type { BadgeVariant } from '../../ui/badge.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { InvitationAction } from './invitation-text.ts';

export const statusVariant = (status: string): BadgeVariant => {
  if (status === 'accepted') return 'default';
  return status === 'expired' ? 'destructive' : 'secondary';
};

/** Returns the status if an administrator has ended the invitation. A resend would undo that. */
export const manuallyEndedStatus = (status: string): 'revoked' | 'removed' | null =>
  status === 'revoked' || status === 'removed' ? status : null;

/** Returns false for an invitation whose link was used or no longer works for another reason than its age. */
export const hasLink = (status: string): boolean =>
  !['accepted', 'ended', 'revoked', 'removed'].includes(status);

/** Returns true for an invitation that can still be accepted, at least after a resend, and that was not ended. */
export const isOpen = (status: string): boolean => status === 'pending' || status === 'expired';

/** Returns false for an accepted invitation. */
export const canResend = (status: string): boolean => status !== 'accepted';

const actionsByStatus: Readonly<Record<string, readonly InvitationAction[]>> = {
  pending: ['revoke'],
  expired: ['revoke'],
  accepted: ['remove'],
  ended: ['remove'],
  removed: ['restore'],
};

/** Returns the actions for an invitation, in the order of their buttons. */
export const invitationActionsFor = (
  status: string,
  hasSecondFactor: boolean,
): readonly InvitationAction[] => [
  ...(hasSecondFactor ? (['reset-factors'] as const) : []),
  ...(Object.hasOwn(actionsByStatus, status) ? (actionsByStatus[status] ?? []) : []),
];

export const InvitationStatusBadge = ({ status }: { status: string }): React.JSX.Element => (
  <StatusBadge status={status} variant={statusVariant(status)} />
);
