/** Texts and actions of the invitation panel. */
import type { DeliveryStatus } from '@lanternrock/contract/invitations';

export const invitationText = {
  history: {
    title: 'History',
    failed: 'The history could not be loaded',
    none: 'No email has been sent.',
    emailStatus: {
      waiting: 'Email queued',
      handed_over: 'Email accepted by the mail server',
      captured: 'Email saved in the local mailbox, not sent',
      refused: 'Email rejected',
      timed_out: 'Mail server did not respond',
    } satisfies Record<DeliveryStatus, string>,
    opened: 'Link opened',
    openedByProgram: 'Link opened by an automated client, such as an email scanner',
    accepted: 'Password set',
  },
  resendIn: (seconds: number) => `Resend in ${seconds} s`,
  link: {
    title: 'Share the link yourself',
    description: (name: string) =>
      `This link is not sent by email. Anyone who opens it can set the password for ${name}. Share it only with them.`,
    create: 'Create link',
    creating: 'Creating...',
    label: 'Invitation link',
    copy: 'Copy link',
    copied: 'Copied!',
    notCopied: 'Your browser blocked copying. Select and copy the link manually.',
    failed: 'The link could not be created',
  },
  cancel: 'Cancel',
  actions: 'Actions',
  removeSelf: {
    question: 'Remove yourself as an administrator?',
    consequence:
      'You will be signed out everywhere immediately. Only another administrator can restore your access.',
  },
} as const;

export type AdminAction = 'revoke' | 'remove' | 'restore' | 'reset-factors';

interface AdminActionText {
  /** Name of the function in the Functions API. */
  readonly functionName: string;
  readonly label: string;
  readonly pending: string;
  readonly question: (name: string) => string;
  readonly consequence: (email: string) => string;
  readonly confirm: string;
  readonly done: string;
  readonly doneDescription: (name: string) => string;
  readonly failed: string;
}

export const adminActions: Readonly<Record<AdminAction, AdminActionText>> = {
  revoke: {
    functionName: 'revoke-user-invitation',
    label: 'Revoke invitation',
    pending: 'Revoking...',
    question: (name) => `Revoke the invitation of ${name}?`,
    consequence: (email) => `All links sent to ${email} stop working immediately. You can invite them again.`,
    confirm: 'Revoke invitation',
    done: 'Invitation revoked',
    doneDescription: (name) => `The links sent to ${name} no longer work.`,
    failed: 'The invitation was not revoked',
  },
  remove: {
    functionName: 'remove-administrator',
    label: 'Remove administrator',
    pending: 'Removing...',
    question: (name) => `Remove ${name} as an administrator?`,
    consequence: (email) =>
      `${email} is signed out everywhere immediately and can no longer sign in. You can restore their access later.`,
    confirm: 'Remove administrator',
    done: 'Administrator removed',
    doneDescription: (name) => `${name} no longer has access.`,
    failed: 'The administrator was not removed',
  },
  restore: {
    functionName: 'restore-administrator',
    label: 'Restore',
    pending: 'Restoring...',
    question: (name) => `Restore ${name} as an administrator?`,
    consequence: (email) => `${email} can sign in again with their previous password.`,
    confirm: 'Restore administrator',
    done: 'Administrator restored',
    doneDescription: (name) => `${name} can sign in again.`,
    failed: 'The administrator was not restored',
  },
  'reset-factors': {
    functionName: 'reset-administrator-factors',
    label: 'Remove second factor',
    pending: 'Removing...',
    question: (name) => `Remove the second factor of ${name}?`,
    consequence: (email) =>
      `All second factors and recovery codes of ${email} are removed, and they are signed out everywhere. Until they set up a new one, they sign in without a second factor. They and all administrators get an email.`,
    confirm: 'Remove second factor',
    done: 'Second factor removed',
    doneDescription: (name) => `${name} signs in without a second factor until they set up a new one.`,
    failed: 'The second factor was not removed',
  },
};

const actionsByStatus: Readonly<Record<string, readonly AdminAction[]>> = {
  pending: ['revoke'],
  expired: ['revoke'],
  accepted: ['remove'],
  removed: ['restore'],
};

/** Returns the actions for an invitation, in the order of their buttons. */
export const adminActionsFor = (status: string, hasSecondFactor: boolean): readonly AdminAction[] => [
  ...(hasSecondFactor ? (['reset-factors'] as const) : []),
  ...(Object.hasOwn(actionsByStatus, status) ? (actionsByStatus[status] ?? []) : []),
];
