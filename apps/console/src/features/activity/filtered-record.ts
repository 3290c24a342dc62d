/** The record that the activity is filtered by, as its entries know it. */
import type { ActivityEntry, ActivityGroup } from '@lanternrock/contract/activity';

export interface FilteredRecord {
  /** Undefined if no entry names it. */
  readonly name: string | undefined;
  /** The screen whose panel shows the record; null if there is none, and for a deleted record. */
  readonly panel: 'account' | 'invitation' | null;
}

const panels: ReadonlyMap<string, FilteredRecord['panel']> = new Map([
  ['public.accounts', 'account'],
  ['private.account_suspensions', 'account'],
  ['public.account_members', 'account'],
  ['private.member_invitations', 'account'],
  ['public.account_contacts', 'account'],
  ['private.invitations', 'invitation'],
]);

const recordTables = new Set(['public.accounts', 'private.invitations']);

const isDeletion = ({ action, table_name: table }: ActivityEntry): boolean =>
  action === 'DELETE' && recordTables.has(table);

/** @param record ID of the filter */
export function findFilteredRecord(
  groups: readonly ActivityGroup[] | undefined,
  record: string | undefined,
): FilteredRecord {
  const entries = (groups ?? [])
    .flatMap((group) => [group, ...group.further])
    .filter((entry) => entry.record_id === record);
  const [newest] = entries;
  return {
    name: entries.find((entry) => entry.record_name !== null)?.record_name ?? undefined,
    panel: newest === undefined || entries.some(isDeletion) ? null : (panels.get(newest.table_name) ?? null),
  };
}
