/** Every text of what an administrator can see and do in the side panel of an invitation. */
import type { DeliveryStatus } from '@lanternrock/contract/invitations';

export const invitationText = {
  history: {
    title: 'History',
    failed: 'The history could not be loaded',
    none: 'No email has been sent.',
    mail: {
      waiting: 'Email on its way',
      handed_over: 'Email accepted by the mail server',
      captured: 'Email kept in the local mailbox: nobody received it',
      refused: 'Email refused',
      timed_out: 'No answer from the mail server',
    } satisfies Record<DeliveryStatus, string>,
    opened: 'Link opened',
    openedByProgram: 'Link opened by a program, such as a mail scanner',
    accepted: 'Password set',
  },
  wait: (seconds: number) => `Again in ${seconds} s`,
  link: {
    title: 'Hand the link over yourself',
    description: (name: string) =>
      `No email brings it. Whoever opens it can set the password of ${name}: give it to nobody else.`,
    create: 'Create link',
    creating: 'Creating...',
    label: 'Invitation link',
    copy: 'Copy link',
    copied: 'Copied!',
    notCopied: 'Your browser does not allow copying. Select the link and copy it.',
    failed: 'The link could not be created',
  },
  cancel: 'Cancel',
  acts: 'Actions',
  removeSelf: {
    question: 'Remove yourself as an administrator?',
    consequence: 'You are signed out everywhere at once, and only another administrator can restore you.',
  },
} as const;

export type AdminAction = 'revoke' | 'remove' | 'restore' | 'reset-factors';

interface ActText {
  /** The function of the service. */
  readonly call: string;
  readonly label: string;
  readonly pending: string;
  readonly question: (name: string) => string;
  readonly consequence: (email: string) => string;
  readonly confirm: string;
  readonly done: string;
  readonly doneDescription: (name: string) => string;
  readonly failed: string;
}

export const adminActions: Readonly<Record<AdminAction, ActText>> = {
  revoke: {
    call: 'revoke-user-invitation',
    label: 'Revoke invitation',
    pending: 'Revoking...',
    question: (name) => `Revoke the invitation of ${name}?`,
    consequence: (email) => `Every link sent to ${email} stops working at once. You can invite them again.`,
    confirm: 'Revoke invitation',
    done: 'Invitation revoked',
    doneDescription: (name) => `The links sent to ${name} no longer work.`,
    failed: 'The invitation was not revoked',
  },
  remove: {
    call: 'remove-administrator',
    label: 'Remove administrator',
    pending: 'Removing...',
    question: (name) => `Remove ${name} as an administrator?`,
    consequence: (email) =>
      `${email} is signed out everywhere at once and cannot sign in any more. You can restore them.`,
    confirm: 'Remove administrator',
    done: 'Administrator removed',
    doneDescription: (name) => `${name} no longer has access.`,
    failed: 'The administrator was not removed',
  },
  restore: {
    call: 'restore-administrator',
    label: 'Restore',
    pending: 'Restoring...',
    question: (name) => `Restore ${name} as an administrator?`,
    consequence: (email) => `${email} can sign in again with the password of before.`,
    confirm: 'Restore administrator',
    done: 'Administrator restored',
    doneDescription: (name) => `${name} can sign in again.`,
    failed: 'The administrator was not restored',
  },
  'reset-factors': {
    call: 'reset-administrator-factors',
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

const actsByStatus: Readonly<Record<string, readonly AdminAction[]>> = {
  pending: ['revoke'],
  expired: ['revoke'],
  accepted: ['remove'],
  removed: ['restore'],
};

/** Returns the actions for an invitation, in the order of their buttons. */
export const actsOf = (status: string, hasSecondFactor: boolean): readonly AdminAction[] => [
  ...(hasSecondFactor ? (['reset-factors'] as const) : []),
  ...(Object.hasOwn(actsByStatus, status) ? (actsByStatus[status] ?? []) : []),
];
