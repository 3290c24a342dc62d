/** Texts of the note and the expiry of an invitation email. */
import { formatTerm } from '../format-term.ts';

export const termsFieldsText = {
  moreOptions: 'More options',
  note: 'Note',
  noteHelp: (used: number, maximum: number) =>
    `Plain text, shown in the email with the name of the administrator who sends it. Links are shown as text. ${used} of ${maximum} characters.`,
  expiry: 'Link expires',
  until: 'Date and time',
  untilHelp: (zone: string) => `In your time zone (${zone}), 1 hour to 30 days from now.`,
  /** @param seconds 0 if unknown */
  default: (seconds: number) =>
    seconds === 0 ? 'After the default time' : `After ${formatTerm(seconds)} (default)`,
  after: (seconds: number) => `${formatTerm(seconds)} after the email`,
  time: 'At a date and time',
} as const;
