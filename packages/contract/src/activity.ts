/** Schemas and types of the activity functions: the audit log as administrators read it. */
import * as z from 'zod/mini';
import { contactsVersion } from './account-contacts.ts';
import { timestamp } from './timestamp.ts';

/**
 * Kinds of entries by which a list can be filtered, with their tables. `imports`, `exports`, `emails` and `operations` are not
 * tables.
 */
export const activityTables = {
  accounts: ['public.accounts', 'private.account_suspensions', 'public.account_contacts', 'imports'],
  members: ['public.account_members', 'private.member_invitations'],
  administrators: ['public.user_roles', 'public.profiles', 'auth.users', 'auth.sessions', 'auth.mfa_factors'],
  invitations: ['private.invitations'],
  settings: ['public.notification_settings', 'private.second_factor_requirement', 'emails'],
  exports: ['exports'],
  operations: ['operations'],
} as const satisfies Record<string, readonly string[]>;

export type ActivityKind = keyof typeof activityTables;
export const activityKinds = Object.keys(activityTables) as [ActivityKind, ...ActivityKind[]];

export const activityFilterSchema = z.object({
  /** User ID, or an origin for entries without a user. */
  person: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
  kind: z.optional(z.enum(activityKinds, { error: 'Unknown kind of entries' })),
  /** ID of an account with its members, of a user, or of any other row. */
  record: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  from: z.optional(timestamp),
  /** Exclusive. */
  to: z.optional(timestamp),
});

export type ActivityFilter = z.output<typeof activityFilterSchema>;

export const activityPageSize = 100;

const entryId = z.string({ error: 'Invalid entry' }).check(z.regex(/^\d{1,18}$/, 'Invalid entry'));

/** Body of `list-activity`. */
export const activityListSchema = z.extend(activityFilterSchema, {
  /** ID of an entry: returns the entries before it. */
  before: z.optional(entryId),
  /**
   * ID of an entry: leaves out the entries after its transaction. With the first entry of the first page, the next pages are of the same moment,
   * also if an action of several requests goes on.
   */
  newest: z.optional(entryId),
  limit: z.optional(z.int().check(z.gte(1), z.lte(activityPageSize))),
  /** ID of an entry: returns the entries of its group one by one, instead of groups. */
  group: z.optional(entryId),
});

/**
 * Body of `undo-change`: the ID of an entry with `undoable`, or the version of an account that a change of the user led to, or the
 * version of its contacts.
 */
export const undoChangeSchema = z.union(
  [
    z.object({ entry: entryId }),
    z.object({ account_id: z.uuid(), updated_at: timestamp }),
    z.object({ account_id: z.uuid(), contacts: contactsVersion }),
  ],
  { error: 'Expected an entry, or an account and a version' },
);

export type UndoneChange = z.output<typeof undoChangeSchema>;

export const activityExportFormats = ['csv', 'jsonl'] as const;

/** Body of `export-activity`. */
export const activityExportSchema = z.extend(activityFilterSchema, {
  format: z.enum(activityExportFormats, { error: 'The format is csv or jsonl' }),
});

export type ActivityExport = z.output<typeof activityExportSchema>;

/** `console` is what the client stated, not a proof. Null in entries of earlier versions. */
export type ActivityOrigin = 'console' | 'interface' | 'command line' | 'service';

/** Values as text; null for no value. */
export interface ActivityChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Another entry, by which the user can find it. */
export interface LinkedEntry extends Pick<ActivityEntry, 'id' | 'actor_id' | 'actor_name' | 'origin'> {
  /** Null if the retention has removed the entry. */
  readonly at: string | null;
}

export interface ActivityEntry {
  /** A bigint as text. */
  readonly id: string;
  /** RFC 3339 in UTC, with microseconds. */
  readonly at: string;
  /** Null for a change without a user. */
  readonly actor_id: string | null;
  /** Null if the user is deleted. For a command: `command line (NAME)`. */
  readonly actor_name: string | null;
  readonly actor_email: string | null;
  readonly origin: ActivityOrigin | null;
  /** `INSERT`, `UPDATE`, `DELETE`, or an action in lower case such as `exported`. */
  readonly action: string;
  readonly table_name: string;
  /** For the filter `record`. */
  readonly record_id: string | null;
  /** The name of the account, user, invitation or sender; null if it is not known. */
  readonly record_name: string | null;
  /** The user of a membership, the person invited to one, or the name of a contact. */
  readonly member_name: string | null;
  /** The names at the time of the entry, of those that have another name now. */
  readonly former_names: {
    readonly actor: string | null;
    readonly record: string | null;
    readonly member: string | null;
  };
  /** Without IDs, counters and unchanged fields. */
  readonly changes: readonly ActivityChange[];
  /** True if `undo-change` can revert the entry at the moment. */
  readonly undoable: boolean;
  /** Of an import that the user can undo with `undo-import`; `accounts` is the number of its accounts, at most `maxGroupCount`. */
  readonly undoable_import: { readonly id: string; readonly accounts: number } | null;
  /** Of an entry that sums up an action on a list: the number of invitations, at most `maxGroupCount`. Otherwise null. */
  readonly listed: number | null;
  /** The newest entry that undid this one; `partly` if the undo of an import has left accounts that it created. */
  readonly undone_by: (LinkedEntry & { readonly partly: boolean }) | null;
  /** The entry that this one undid. */
  readonly undoes: LinkedEntry | null;
}

/**
 * The entries of one action that match the filter: those of one transaction of a request, of all requests with the same import ID
 * by the same user within 12 hours, or of an action on a list with its parts. The fields are those of the newest; those of an action
 * on a list are of the entry that sums it up.
 */
export interface ActivityGroup extends ActivityEntry {
  /** Number of entries, at most `maxGroupCount`. */
  readonly count: number;
  /** The first entries of the action but the newest, oldest first; at most `maxFurtherEntries`. */
  readonly further: readonly ActivityEntry[];
}

/** Response of `list-activity` with status 200, newest first. With `group`, each entry is one group. */
export interface ActivityResponse {
  readonly entries: readonly ActivityGroup[];
  /** True if there are entries before the last one. */
  readonly more: boolean;
}

/** A user or an origin without a user. */
export interface ActivityPerson {
  /** For the filter `person`. */
  readonly id: string;
  /** Null if the user is deleted, and for an origin. */
  readonly name: string | null;
  readonly email: string | null;
}

/** Response of `list-activity-people` with status 200. */
export interface ActivityPeopleResponse {
  readonly people: readonly ActivityPerson[];
}
