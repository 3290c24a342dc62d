/** Texts of the demand for a second factor. */
import { quoted } from '../../ui/quoted.ts';

export const secondFactorText = {
  title: 'Require a second factor of all administrators?',
  description:
    'The console leads each administrator to set one up. After the grace period, administrators without it can do nothing else.',
  nobodyMissing: 'All administrators have a second factor.',
  missing: (names: readonly string[], count: number) =>
    `Without a second factor: ${names.map(quoted).join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}.`,
  grace: 'Grace period in days',
  graceHelp: '0 to 30. With 0, it is required immediately.',
  invalidGrace: 'Enter a number from 0 to 30',
  submit: 'Require second factor',
  submitting: 'Saving...',
  started: 'Second factor required',
  startedDescription: (time: string) => `Administrators need a second factor from ${time}.`,
  stopTitle: 'Stop requiring a second factor?',
  stopDescription: (time: string) => `Administrators need a second factor from ${time}.`,
  stop: 'Stop requiring it',
  stopped: 'Second factor no longer required',
  stoppedDescription: 'Administrators can use the console without setting one up.',
  failed: 'Error saving setting',
  loadFailed: 'The setting could not be loaded',
} as const;
