/** Texts of an end date: of the role of an administrator, and of a membership. */
import { quoted } from '../../ui/quoted-text.tsx';

export const endDateText = {
  /** Label of the end date of something that is not saved yet. */
  ends: 'Access ends',
  change: 'Change end date',
  title: (name: string) => `End date for ${quoted(name)}`,
  until: 'Until',
  timeZone: (zone: string) => `In your time zone (${zone}). Leave empty for no end date.`,
  presets: 'Suggestions',
  tonight: 'This evening',
  sunday: 'Sunday evening',
  week: 'In 7 days',
  month: 'In 30 days',
  none: 'No end date',
  invalid: 'Enter a date and a time',
  past: 'Select a time in the future',
  submit: 'Save end date',
  submitting: 'Saving...',
  saved: 'End date saved',
  failed: 'Error saving end date',
} as const;
