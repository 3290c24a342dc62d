/** Texts of the activity: names of actors, names and values of fields. */
import type { ActivityEntry, ActivityOrigin } from '@lanternrock/contract/activity';
import { formatCount } from '@lanternrock/contract/format-count';
import { formatExactTime } from '../ui/format-time.ts';
import { quoted } from '../ui/quoted-text.tsx';
import { formatTerm } from './format-term.ts';

export const activityText = {
  deletedUser: 'Deleted user',
  unknownActor: 'Unknown',
  noValue: 'none',
  changedTo: 'changed to',
  unnamed: 'a deleted record',
  fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
  origins: {
    console: 'Console',
    interface: 'API client',
    'command line': 'Command line',
    service: 'Service',
  } satisfies Record<ActivityOrigin, string>,
  importDetail: (created: string, changed: string) => `${created} new, ${changed} changed`,
  reason: 'Reason',
  formerReason: 'Reason until then',
  formerName: (now: string, then: string) => `At that time, ${quoted(now)} was named ${quoted(then)}.`,
  /** The other entries of an action. */
  further: (count: number, isMore: boolean) =>
    count === 1 ? '1 more entry' : `${isMore ? 'More than ' : ''}${formatCount(count)} more entries`,
  imported: (count: number, isMore: boolean) =>
    count === 1 ? '1 row' : `${isMore ? 'More than ' : ''}${formatCount(count)} rows`,
  andMore: (count: number, isMore: boolean) => `and ${isMore ? 'more than ' : ''}${formatCount(count)} more`,
  furtherList: 'Entries of this action',
  /** The names and times of linked entries are in the sentence. */
  undoneBy: (name: string, isPartly: boolean) =>
    `${isPartly ? 'Partly undone' : 'Undone'} by ${quoted(name)}, `,
  undid: 'Undid the ',
  undidEntry: (name: string, time: string) => `entry of ${time} by ${quoted(name)}`,
  undidRemoved: 'Undid an entry that is no longer kept',
  undo: 'Undo',
  undoing: 'Undoing...',
  undone: 'Change undone',
  undoFailed: 'Error undoing the change',
  failed: 'The activity could not be loaded',
  more: 'Load older entries',
  loading: 'Loading...',
};

/** Returns the name of the actor. */
export const actorName = ({
  actor_name: name,
  actor_id: id,
  origin,
}: Pick<ActivityEntry, 'actor_id' | 'actor_name' | 'origin'>): string => {
  if (name !== null) return name;
  if (id !== null) return activityText.deletedUser;
  return origin === null ? activityText.unknownActor : activityText.origins[origin];
};

/** Returns a sentence for each name that was another one at the time of the entry. */
export const describeFormerNames = (entry: ActivityEntry): readonly string[] => {
  const { former_names: former, record_name: record, member_name: member } = entry;
  const names = [
    [actorName(entry), former.actor],
    [record, former.record],
    [member, former.member],
  ] as const;
  const lines = names.flatMap(([now, then]) =>
    now === null || then === null ? [] : activityText.formerName(now, then),
  );
  return [...new Set(lines)];
};

const fieldNames: Readonly<Record<string, string>> = {
  account_type: 'Type',
  zip_code: 'Zip code',
  sender_email: 'Sender email',
  last_sent_at: 'Last email',
  term_seconds: 'Link expires after',
  term_until: 'Link expires',
  due_at: 'Required from',
  to: 'Recipient',
};

/** Returns for example `Full name` for `full_name` and `Expires` for `expires_at`. */
export const fieldName = (field: string): string => {
  const words = field.replace(/_at$/, '').replaceAll('_', ' ');
  return fieldNames[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the text of a value; times in local time. */
export const fieldValue = (field: string, value: string): string => {
  if (field === 'term_seconds') return formatTerm(Number(value));
  return field.endsWith('_at') || field === 'term_until' ? formatExactTime(value) : value;
};
