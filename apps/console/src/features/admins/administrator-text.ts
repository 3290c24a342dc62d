/** Texts about the access of administrators: the end of a role, second factors and sessions. */
import { quoted } from '../../ui/quoted-text.tsx';

export const administratorText = {
  title: 'Access',
  loadFailed: 'The access details could not be loaded',
  unnamed: 'Administrator',
  notFound: 'This user is not an administrator.',
  email: 'Email',
  status: { active: 'Active', ended: 'Ended', banned: 'Banned' },
  lastSignIn: 'Last sign-in',
  never: 'Never',
  secondFactor: 'Second factor',
  secondFactorOn: 'Set up',
  secondFactorOff: 'Not set up',
  secondFactorPasskey: 'Passkey',
  granted: 'Role granted',
  grantedBy: (giver: string) => `by ${quoted(giver)}`,
  noEnd: 'No end date',
  ended: (time: string) => `Ended ${time}`,
  until: (time: string) => `Until ${time}`,
  sessions: {
    title: 'Sessions',
    none: 'Not signed in.',
    current: 'This session',
    unknownNetwork: 'Unknown network',
    active: 'active now',
    signedIn: 'signed in',
    renewed: 'last renewed',
    end: 'Sign out',
    endLabel: (device: string, network: string) => `Sign out ${device}, ${network}`,
    endAll: 'Sign out everywhere',
    endAllSelf: 'Sign out all others',
    endTitle: (device: string, name: string) => `Sign out ${quoted(device)} of ${quoted(name)}?`,
    endDescription: 'The device is signed out immediately. The user can sign in again.',
    endAllTitle: (name: string) => `Sign out ${quoted(name)} everywhere?`,
    endAllDescription: 'All devices are signed out immediately. The user can sign in again.',
    endAllSelfTitle: 'Sign out all your other sessions?',
    endAllSelfDescription: 'All your other sessions end immediately. You stay signed in here.',
    ending: 'Signing out...',
    done: 'Signed out',
    doneDescription: (count: number) => (count === 1 ? '1 session ended.' : `${count} sessions ended.`),
    failed: 'Sign out failed',
  },
  dialog: {
    description:
      'The role ends at this time, and the user is signed out within a minute. Another administrator can extend it.',
    savedUntil: (name: string, time: string) => `${quoted(name)} is an administrator until ${time}.`,
    savedNone: (name: string) => `${quoted(name)} is an administrator without an end date.`,
  },
} as const;

/** @param count of all, of which `names` are the first */
const quotedList = (names: readonly string[], count: number): string =>
  `${names.map(quoted).join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`;

export const secondFactorText = {
  title: 'Require a second factor of all administrators?',
  description:
    'Administrators without a second factor are asked to set one up. After the grace period, they cannot use the console until they set one up. Those who have only a passkey must sign in with it.',
  ownMissing: 'You have no second factor. Only an administrator with a second factor can require one.',
  addOwn: 'Add your second factor first',
  ownUnused: 'You signed in without your passkey.',
  ownHelp:
    'Only an administrator who signed in with a second factor can require one. Sign out, and sign in with your passkey.',
  allHaveOne: (withPasskey: boolean) =>
    withPasskey
      ? 'All administrators have a second factor or a passkey that counts as one.'
      : 'All administrators have a second factor.',
  missing: (names: readonly string[], count: number) =>
    `Without a second factor: ${quotedList(names, count)}.`,
  onlyPasskey: (names: readonly string[], count: number) => `Only a passkey: ${quotedList(names, count)}.`,
  grace: 'Grace period in days',
  graceHelp: '0 to 30. Enter 0 to require it immediately.',
  invalidGrace: 'Enter a number from 0 to 30',
  submit: 'Require second factor',
  submitting: 'Saving...',
  started: 'Second factor required',
  startedDescription: (time: string) => `Administrators need a second factor from ${time}.`,
  stopTitle: 'Stop requiring a second factor?',
  stopDescription: (time: string, isDue: boolean) =>
    `A second factor ${isDue ? 'has been required since' : 'will be required from'} ${time}. If you stop requiring it, a second factor is optional.`,
  stop: 'Stop requiring it',
  stopped: 'Second factor no longer required',
  stoppedDescription:
    'Administrators without a second factor can use the console. Those who have one still need it to sign in, except those who have only a passkey.',
  failed: 'Error saving setting',
  loadFailed: 'The setting could not be loaded',
} as const;
