/** Texts of the checklist of a new instance. */
import type { SetupStep } from '@lanternrock/contract/setup-steps';

interface StepTexts {
  readonly title: string;
  readonly description: string;
  readonly action: string;
}

const steps: Readonly<Record<SetupStep, StepTexts>> = {
  name: {
    title: 'Your name',
    description: 'Other administrators see it in lists, emails and the activity.',
    action: 'Enter your name',
  },
  mail_server: {
    title: 'Mail server',
    description: 'Emails are saved and not sent. The operator of the service sets SMTP_URL.',
    action: 'Show email settings',
  },
  sender: {
    title: 'Sender of emails',
    description: 'Invitations come from this name and email address.',
    action: 'Set the sender',
  },
  second_factor: {
    title: 'Your second factor',
    description: 'A stolen password is then not enough to sign in as you.',
    action: 'Add a second factor',
  },
  second_administrator: {
    title: 'Second administrator',
    description: 'Another administrator can help if you lose your access.',
    action: 'Invite an administrator',
  },
  first_account: {
    title: 'First account',
    description: 'An account is an organization that uses the platform.',
    action: 'Create first account',
  },
};

export const setupText = {
  title: (productName: string) => `Set up ${productName}`,
  progress: (done: number, total: number) => `${done} of ${total} steps are done.`,
  dismiss: 'Dismiss',
  dismissLabel: 'Dismiss the setup steps',
  done: 'Done',
  steps,
  invitationPending: 'An invitation waits for its acceptance.',
  showInvitations: 'Show invitations',
} as const;
