/** Walks that once failed, as they were printed. Each is repeated by every run. */
import type { KeptStep } from './commands.ts';

export interface Example {
  /** What went wrong. */
  readonly defect: string;
  readonly accounts: number;
  readonly steps: readonly KeptStep[];
}

export const examples: readonly Example[] = [
  {
    defect: 'the list stayed empty after Back with more than 300 accounts',
    accounts: 5000,
    steps: [['navigate', 'Logs'], ['back']],
  },
  {
    defect: 'the last row never got its data after another client had deleted one',
    accounts: 1001,
    steps: [['otherDataAppears', false], ['scrollToEnd']],
  },
  {
    defect: 'after a reload the focus was lost with the panel that was open',
    accounts: 5000,
    steps: [['scrollTo', 50], ['openRow', 7], ['reload'], ['closePanel']],
  },
  {
    defect: 'a dialog that was wanted offline never opened when the network was back',
    accounts: 30,
    steps: [['goOffline'], ['openAddAccount'], ['comeBackOnline']],
  },
  {
    defect: 'a screen that was wanted offline stayed broken when the network was back',
    accounts: 0,
    steps: [['goOffline'], ['navigate', 'Styleguide'], ['comeBackOnline']],
  },
];
