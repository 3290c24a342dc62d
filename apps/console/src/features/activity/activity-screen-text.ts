/** Texts of the activity screen. */
import type { ActivityKind } from '@lanternrock/contract/activity';

export const activityScreenText = {
  title: 'Activity',
  description: 'Changes to data and actions by administrators, newest first.',
  person: 'Person',
  everyone: 'Everyone',
  kind: 'Kind',
  allKinds: 'All',
  kinds: {
    accounts: 'Accounts',
    members: 'Members',
    administrators: 'Administrators',
    invitations: 'Invitations',
    settings: 'Settings',
    exports: 'Exports',
    operations: 'Operations',
  } satisfies Record<ActivityKind, string>,
  from: 'From',
  to: 'To',
  record: 'Record ID',
  onlyRecord: (name: string) => `Only ${name}`,
  openRecord: { account: 'Open account', invitation: 'Open invitation' },
  clearRecord: 'Show all records',
  filters: 'Filters',
  deletedUser: (id: string) => `Deleted user (${id.slice(0, 8)})`,
  origins: new Map([
    ['service', 'Service'],
    ['command line', 'Command line'],
    ['interface', 'API client, without a user'],
    ['console', 'Console, without a user'],
  ]),
  newEntries: (count: number, isMore: boolean) =>
    count === 1 ? '1 new entry' : `${count}${isMore ? '+' : ''} new entries`,
  startsWithEntry: 'The list starts with the entry that you opened.',
  showNewest: 'Show the newest entries',
  empty: 'No activity yet',
  emptyDescription: 'Changes appear here within seconds.',
  noMatch: 'No entries match the filters',
  list: 'Entries',
  export: {
    button: 'Export',
    csv: 'CSV file',
    jsonl: 'JSON lines',
    running: 'Exporting activity...',
    failed: 'Error exporting activity',
  },
};
