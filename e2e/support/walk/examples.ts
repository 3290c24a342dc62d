/** Walks that found a defect. Every run repeats them first. */
import type { SerializedStep } from './commands.ts';

export interface Example {
  readonly defect: string;
  readonly accounts: number;
  readonly steps: readonly SerializedStep[];
}

export const examples: readonly Example[] = [
  {
    defect: 'the list stayed empty after Back with more than 300 accounts',
    accounts: 5000,
    steps: [['navigate', 'Logs'], ['back']],
  },
  {
    defect: 'the last row stayed a skeleton after another client had deleted an account',
    accounts: 1001,
    steps: [['changeAccountsElsewhere', false], ['scrollToEnd']],
  },
  {
    defect: 'the focus was lost when a panel was closed after a reload',
    accounts: 5000,
    steps: [['scrollTo', 50], ['openRow', 7], ['reload'], ['closePanel']],
  },
  {
    defect: 'a dialog that was requested offline did not open when the network was back',
    accounts: 30,
    steps: [['goOffline'], ['openAddAccount'], ['goOnline']],
  },
  {
    defect: 'a screen that was requested offline kept its error when the network was back',
    accounts: 0,
    steps: [['goOffline'], ['navigate', 'Styleguide'], ['goOnline']],
  },
  {
    defect: 'the list was blank after more rows per page made the page scroll',
    accounts: 5000,
    steps: [
      ['scrollTo', 75],
      ['chooseRows', '50'],
    ],
  },
  {
    defect: 'the skip link covered the button of the sidebar',
    accounts: 30,
    steps: [
      ['resize', [375, 812]],
      ['key', 'ArrowUp'],
      ['navigate', 'Subtypes'],
    ],
  },
  {
    defect: 'the focus was lost when a record was entered as filter of the activity',
    accounts: 0,
    steps: [
      ['runCommand', 'Activity'],
      ['filterActivityByRecord', 'no such record'],
    ],
  },
  {
    defect: 'the focus was lost when a dialog of the security screen was canceled after a reload',
    accounts: 0,
    steps: [['runCommand', 'Security'], ['openSecurityDialog', 'Add passkey'], ['reload'], ['cancel']],
  },
  {
    defect: 'an error covered the button of a dialog on a phone in landscape orientation',
    accounts: 1,
    steps: [
      ['resize', [812, 375]],
      ['openAddAccount'],
      ['goOffline'],
      ['createAccount', 'enterprise'],
      ['createAccount', 'organization'],
    ],
  },
];
