/** Texts of invitations of members. */
import type { DeliveryStatus } from '@lanternrock/contract/invitations';
import { maxMemberInvitations } from '@lanternrock/contract/member-invitations';
import { type EmailFailure, nextStep, withReason } from '../../shared/email-failure-text.ts';
import { quoted } from '../../ui/quoted-text.tsx';

export const memberInvitationsText = {
  title: 'Invited',
  loadFailed: 'The invitations could not be loaded',
  more: `Only the newest ${maxMemberInvitations} invitations are shown.`,
  invited: 'invited',
  by: 'by',
  expires: 'link expires',
  expired: 'link expired',
  ends: 'Access ends',
  /** The email of an accepted one needs no words. */
  emailStatus: {
    waiting: 'Email queued',
    handed_over: null,
    captured: 'Email saved in the local mailbox, not sent',
    refused: 'Email not sent',
    timed_out: 'Email not confirmed by the mail server',
  } satisfies Record<DeliveryStatus, string | null>,
  replacesEmail: 'Creating a link cancels it.',
  linkOf: (name: string) => `Link of ${name}`,
  linkDescription: (name: string) =>
    `The link is not sent by email. Anyone who opens it can set the password of ${quoted(name)} and become a member. Share it with no one else.`,
  resend: 'Resend',
  resending: 'Sending...',
  revoke: 'Revoke',
  revokeDialog: {
    title: (name: string) => `Revoke the invitation of ${quoted(name)}?`,
    description: (email: string) =>
      `All links sent to ${quoted(email)} stop working immediately. You can invite them again.`,
    confirm: 'Revoke invitation',
    pending: 'Revoking...',
  },
  alreadyInvited: (email: string) =>
    `${email} has a pending invitation to this account. You can resend it in the list above.`,
  dialog: {
    title: (email: string, account: string) => `Invite ${quoted(email)} as a member of ${quoted(account)}`,
    description:
      'This person cannot sign in yet. The email contains a link to set a password. They become a member of this account, without the rights of an administrator.',
    descriptionWithoutMail:
      'This person cannot sign in yet. No mail server is set up: the invitation is saved, and its email is not sent. Create a link beside the invitation, and share it yourself. The person becomes a member of this account, without the rights of an administrator.',
    fullName: 'Full name',
    submit: 'Send invitation',
    submitting: 'Sending...',
  },
  sent: 'Invitation sent',
  sentDescription: (email: string) => `An invitation email has been sent to ${quoted(email)}.`,
  saved: 'Invitation saved, not sent',
  savedDescription: (email: string) =>
    `No mail server is set up. The email to ${quoted(email)} is in the local mailbox. To invite this person, create a link and share it yourself.`,
  resent: 'Email resent',
  resendSaved: 'Email saved, not sent',
  notSent: 'Email not sent',
  notSentDescription: (failure: EmailFailure) =>
    `${withReason('The invitation exists, but its email could not be sent.', failure.reason)} ${nextStep(failure)}`,
  failed: 'Error inviting member',
  resendFailed: 'Error resending invitation',
  revoked: 'Invitation revoked',
  revokedDescription: (name: string) => `The links sent to ${quoted(name)} no longer work.`,
  revokeFailed: 'Error revoking invitation',
} as const;
