/** An action of the activity: its most important entry, and what its other entries add. */
import type { ActivityEntry, ActivityGroup } from '@lanternrock/contract/activity';
import { maxGroupCount } from '@lanternrock/contract/activity-limits';

export interface ActivityAction {
  /** The entry whose sentence describes the action. */
  readonly primary: ActivityEntry;
  /** Of a suspension: why; `isFormer` if the suspension ended with the action. */
  readonly reason: { readonly text: string; readonly isFormer: boolean } | null;
  /** Number of entries that neither the sentence nor the reason describes. */
  readonly others: number;
  /** True if there are more than `others`. */
  readonly hasMore: boolean;
  /** These entries, if all of them are part of the group; null if they have to be read. */
  readonly otherEntries: readonly ActivityEntry[] | null;
}

/** The tables by importance: the first entry of the first table describes the action. */
const tables = [
  'imports',
  'public.accounts',
  'public.account_members',
  'public.user_roles',
  'private.second_factor_requirement',
  'public.notification_settings',
  'auth.users',
  'private.invitations',
  'private.member_invitations',
  'public.profiles',
  'auth.mfa_factors',
  'auth.sessions',
  'private.account_suspensions',
];

const invitationTables = new Set(['private.invitations', 'private.member_invitations']);

const rankOf = ({ action, table_name: table, changes }: ActivityEntry): number => {
  // A deleted user loses the role and the profile. A restored administrator has the role again.
  if (action === 'user_deleted') return -2;
  const status = changes.find(({ field }) => field === 'status');
  if (table === 'private.invitations' && status?.before === 'removed' && status.after === 'accepted')
    return -1;
  // A person who accepts an invitation also becomes a member.
  if (table === 'private.member_invitations' && status?.after === 'accepted') return -1;
  // A renamed user: the invitation has a copy of the name.
  if (table === 'private.invitations' && changes.length === 1 && changes[0]?.field === 'full_name')
    return tables.length;
  const rank = tables.indexOf(table);
  if (rank === -1) return tables.length;
  // A link renews its invitation.
  if (action === 'link_created') return rank + 0.25;
  return invitationTables.has(table) && action === 'UPDATE' && status === undefined ? rank + 0.5 : rank;
};

const suspensions = 'private.account_suspensions';

const findReason = (entries: readonly ActivityEntry[]): ActivityAction['reason'] => {
  const [entry, second] = entries.filter(({ table_name: table }) => table === suspensions);
  // An action on several accounts shows its entries instead.
  if (second !== undefined) return null;
  const change = entry?.changes.find(({ field }) => field === 'reason');
  const text = change?.after ?? change?.before ?? '';
  return text === '' ? null : { text, isFormer: entry?.action === 'DELETE' };
};

/** Sums up an import or its undo; the other entries are its rows. */
export const isSummary = ({ table_name: table }: ActivityEntry): boolean => table === 'imports';

const countNames = ['created', 'changed', 'deleted'] as const;

/** Returns the number of each change of an import or its undo, of all its requests. */
export const readCounts = ({
  changes,
}: ActivityEntry): Readonly<Record<(typeof countNames)[number], number>> => {
  const read = (name: string): number => {
    const value = (field: string): string | null | undefined =>
      changes.find((change) => change.field === field)?.after;
    return Number(value(`total_${name}`) ?? value(name) ?? 0);
  };
  return { created: read('created'), changed: read('changed'), deleted: read('deleted') };
};

/** Returns the number of rows of an import or its undo; null for other actions. */
const countRows = (entry: ActivityEntry): number | null => {
  if (!isSummary(entry)) return null;
  const { created, changed, deleted } = readCounts(entry);
  return created + changed + deleted;
};

/** Returns true for a contact that only has another place in its list. A move changes two of them. */
export const isReorder = ({ action, table_name: table, changes }: ActivityEntry): boolean =>
  table === 'public.account_contacts' &&
  action === 'UPDATE' &&
  changes.length > 0 &&
  changes.every(({ field }) => field === 'position');

export const toAction = ({ count, further, ...head }: ActivityGroup): ActivityAction => {
  const entries = [...further, head];
  let primary: ActivityEntry = entries[0] ?? head;
  // Each request of an import has an entry with the total so far: the newest one has the total.
  if (isSummary(head)) primary = head;
  for (const entry of entries) if (rankOf(entry) < rankOf(primary)) primary = entry;
  const reason = findReason(entries);
  const isShown = (entry: ActivityEntry): boolean =>
    entry === primary ||
    isSummary(entry) ||
    (isReorder(primary) && isReorder(entry)) ||
    (reason !== null && entry.table_name === suspensions);
  const isComplete = count === entries.length;
  const rows = countRows(primary);
  return {
    primary,
    reason,
    others: rows ?? count - entries.filter(isShown).length,
    hasMore: rows === null && count >= maxGroupCount,
    otherEntries: isComplete ? entries.filter((entry) => !isShown(entry)).toReversed() : null,
  };
};
