/** Texts of the invitation panel and its dialogs. */
import type { DeliveryStatus, EmailInviter, InvitationEvent } from '@lanternrock/contract/invitations';
import { quoted } from '../../ui/quoted-text.tsx';

export const invitationText = {
  history: {
    title: 'History',
    failed: 'The history could not be loaded',
    none: 'Nothing is recorded.',
    emailStatus: {
      waiting: 'Email queued',
      handed_over: 'Email accepted by the mail server',
      captured: 'Email saved in the local mailbox, not sent',
      refused: 'Email not sent',
      timed_out: 'Not confirmed by the mail server',
    } satisfies Record<DeliveryStatus, string>,
    sending: 'Email being sent',
    notAcceptedYet: 'Email not accepted yet',
    nextTry: (time: string) => `Next attempt after ${time}`,
    opened: 'Link opened',
    openedByProgram: 'Link opened by an automated client, such as an email scanner',
    accepted: 'Password set',
    events: {
      link_created: 'Link created to share',
      revoked: 'Invitation revoked',
      removed: 'Administrator removed',
      restored: 'Administrator restored',
      ended: 'Administrator role ended',
      extended: 'Administrator role extended',
    } satisfies Record<InvitationEvent['event'], string>,
    by: (actor: string) => `By ${quoted(actor)}`,
  },
  resendIn: (seconds: number) => `You can resend in ${seconds} s`,
  link: {
    title: 'Share the link yourself',
    description: (name: string) =>
      `The link is not sent by email. Anyone who opens it can set the password of ${quoted(name)} and become an administrator. Share it with no one else.`,
    replacesEmail: 'Creating the link cancels the queued email.',
  },
  cancel: 'Cancel',
  actions: 'Actions',
  removeSelf: {
    dialogTitle: 'Remove yourself as an administrator?',
    dialogDescription:
      'You will be signed out everywhere immediately. Another administrator or the operator of the service can restore your access.',
  },
} as const;

export type InvitationAction = 'revoke' | 'remove' | 'restore' | 'reset-factors';

interface InvitationActionText {
  /** Name of the function in the Functions API. */
  readonly functionName:
    | 'revoke-user-invitation'
    | 'remove-administrator'
    | 'restore-administrator'
    | 'reset-administrator-factors';
  readonly label: string;
  readonly pendingLabel: string;
  readonly dialogTitle: (name: string) => string;
  readonly dialogDescription: (email: string) => string;
  readonly confirmLabel: string;
  readonly successTitle: string;
  readonly successDescription: (name: string) => string;
  /** Replaces `successDescription` if the restored role has ended. */
  readonly endedDescription?: (name: string, time: string) => string;
  readonly errorTitle: string;
}

export const invitationActions: Readonly<Record<InvitationAction, InvitationActionText>> = {
  revoke: {
    functionName: 'revoke-user-invitation',
    label: 'Revoke invitation',
    pendingLabel: 'Revoking...',
    dialogTitle: (name) => `Revoke the invitation of ${quoted(name)}?`,
    dialogDescription: (email) =>
      `All links sent to ${quoted(email)} stop working immediately. You can invite them again.`,
    confirmLabel: 'Revoke invitation',
    successTitle: 'Invitation revoked',
    successDescription: (name) => `The links sent to ${quoted(name)} no longer work.`,
    errorTitle: 'Error revoking invitation',
  },
  remove: {
    functionName: 'remove-administrator',
    label: 'Remove administrator',
    pendingLabel: 'Removing...',
    dialogTitle: (name) => `Remove ${quoted(name)} as an administrator?`,
    dialogDescription: (email) =>
      `${quoted(email)} is signed out everywhere immediately and can no longer sign in. You can restore their access later.`,
    confirmLabel: 'Remove administrator',
    successTitle: 'Administrator removed',
    successDescription: (name) => `${quoted(name)} no longer has access.`,
    errorTitle: 'Error removing administrator',
  },
  restore: {
    functionName: 'restore-administrator',
    label: 'Restore',
    pendingLabel: 'Restoring...',
    dialogTitle: (name) => `Restore ${quoted(name)} as an administrator?`,
    dialogDescription: (email) =>
      `${quoted(email)} can sign in again with their previous password. An end date of the role stays.`,
    confirmLabel: 'Restore administrator',
    successTitle: 'Administrator restored',
    successDescription: (name) => `${quoted(name)} can sign in again.`,
    endedDescription: (name, time) =>
      `${quoted(name)} is restored, but the role ended at ${time}. Set a new end date.`,
    errorTitle: 'Error restoring administrator',
  },
  'reset-factors': {
    functionName: 'reset-administrator-factors',
    label: 'Remove second factor',
    pendingLabel: 'Removing...',
    dialogTitle: (name) => `Remove the second factor of ${quoted(name)}?`,
    dialogDescription: (email) =>
      `All second factors, passkeys and recovery codes of ${quoted(email)} are removed, and they are signed out everywhere. Until they set up a new one, signing in needs no second factor. An email to them and to all administrators reports this.`,
    confirmLabel: 'Remove second factor',
    successTitle: 'Second factor removed',
    successDescription: (name) => `${quoted(name)} has no second factor now.`,
    errorTitle: 'Error removing second factor',
  },
};

export const termsText = {
  title: 'Next resend',
  withNote: 'The email contains this note:',
  withoutNote: 'The email contains no note.',
  expires: 'Its link expires',
  passed: 'The chosen time has passed or is less than an hour away. A resend uses the default.',
  edit: 'Edit note and expiry',
  dialog: {
    title: 'Note and Expiry',
    description: (name: string) =>
      `They apply when you resend the invitation of ${quoted(name)}. A queued email does not change: Resend replaces it.`,
    submit: 'Save',
    submitting: 'Saving...',
  },
  saved: 'Note and expiry saved',
  savedDescription: 'They apply from the next resend.',
  failed: 'Error saving note and expiry',
  invitedBy: 'Invited By',
  requestedBy: ({ kind, name }: EmailInviter): string => {
    if (kind === 'recipient') return 'Requested by the invited user';
    if (kind === 'administrator') return `Requested by ${name === null ? 'an administrator' : quoted(name)}`;
    return `Requested on the command line${name === null ? '' : ` for ${quoted(name)}`}`;
  },
} as const;
