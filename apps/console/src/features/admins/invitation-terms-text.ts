/** Texts about the note, the expiry and the inviter of an invitation. */
import type { EmailInviter } from '@lanternrock/contract/invitations';
import { quoted } from '../../ui/quoted.ts';

const duration = (seconds: number): string => {
  const isDays = seconds % 86_400 === 0;
  const value = isDays ? seconds / 86_400 : Math.round(seconds / 360) / 10;
  return `${value} ${isDays ? 'day' : 'hour'}${value === 1 ? '' : 's'}`;
};

export const termsText = {
  title: 'Next email',
  withNote: 'The next email contains this note:',
  withoutNote: 'The next email contains no note.',
  expires: 'Its link expires',
  passed: 'The chosen time has passed or is less than an hour away. The next email uses the default.',
  edit: 'Edit note and expiry',
  dialog: {
    title: 'Note and Expiry',
    description: (name: string) => `They apply to the next email to ${quoted(name)}. Use Resend to send it.`,
    note: 'Note',
    noteHelp: (used: number, maximum: number) =>
      `Plain text, shown in the email with the name of the administrator who sends it. Links are shown as text. ${used} of ${maximum} characters.`,
    expiry: 'Link expires',
    until: 'Date and time',
    untilHelp: (zone: string) => `In your time zone (${zone}), 1 hour to 30 days from now.`,
    default: 'After the default time',
    after: (seconds: number) => `${duration(seconds)} after the email`,
    time: 'At a date and time',
    submit: 'Save',
    submitting: 'Saving...',
  },
  saved: 'Note and expiry saved',
  savedDescription: 'They apply to the next email.',
  failed: 'Error saving note and expiry',
  invitedBy: 'Invited By',
  sentBy: ({ kind, name }: EmailInviter): string => {
    if (kind === 'recipient') return 'Requested by the invited user';
    if (kind === 'administrator') return `Sent by ${name === null ? 'an administrator' : quoted(name)}`;
    return name === null ? 'Sent from the command line' : `Sent from the command line for ${quoted(name)}`;
  },
} as const;
