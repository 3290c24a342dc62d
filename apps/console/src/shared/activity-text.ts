/** Texts of activity entries: one sentence per entry, names and values of fields. */
import type { ActivityEntry, ActivityOrigin } from '@lanternrock/contract/activity';
import { formatExactTime } from '../ui/format-time.ts';
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
  failed: 'The activity could not be loaded',
  more: 'Load older entries',
  loading: 'Loading...',
};

/** The words after the name of the actor, and before the name of the record. */
export interface ActivitySentence {
  readonly verb: string;
  /** What the verb is about, if it is not the record: the member of an account. */
  readonly object: string;
  /** The word between the object and the record. */
  readonly relation: string;
  /** Null for an entry whose record has no name of its own. */
  readonly record: string | null;
}

const createSentence = (
  verb: string,
  record: string | null,
  object = '',
  relation = '',
): ActivitySentence => ({
  verb,
  object,
  relation,
  record,
});

type Action = 'INSERT' | 'UPDATE' | 'DELETE';

const verbs: Readonly<Record<string, Readonly<Record<Action, string>>>> = {
  'public.accounts': { INSERT: 'created', UPDATE: 'changed', DELETE: 'deleted' },
  'private.account_suspensions': {
    INSERT: 'entered the reason for suspending',
    UPDATE: 'changed the reason for suspending',
    DELETE: 'cleared the reason for suspending',
  },
  'public.user_roles': {
    INSERT: 'granted the administrator role to',
    UPDATE: 'changed the administrator role of',
    DELETE: 'removed the administrator role of',
  },
  'public.profiles': {
    INSERT: 'created the profile of',
    UPDATE: 'changed the profile of',
    DELETE: 'deleted the profile of',
  },
  'private.invitations': {
    INSERT: 'invited',
    UPDATE: 'changed the invitation of',
    DELETE: 'deleted the invitation of',
  },
  'auth.sessions': { INSERT: 'signed in', UPDATE: 'changed a session of', DELETE: 'ended a session of' },
  'auth.mfa_factors': {
    INSERT: 'added a second factor of',
    UPDATE: 'changed a second factor of',
    DELETE: 'removed a second factor of',
  },
};

const plainVerbs: Readonly<Record<Action, string>> = {
  INSERT: 'added',
  UPDATE: 'changed',
  DELETE: 'deleted',
};

const isRowAction = (action: string): action is Action => action in plainVerbs;

const changedTo = (entry: ActivityEntry, field: string): string | null =>
  entry.changes.find((change) => change.field === field)?.after ?? null;

const invitationVerbs: ReadonlyMap<string, string> = new Map([
  ['revoked', 'revoked the invitation of'],
  ['pending', 'invited again'],
]);

/** More exact verbs for changes of the status: by its new value, or by both values. */
const statusVerbs = new Map<string, ReadonlyMap<string, string>>([
  [
    'public.accounts',
    new Map([
      ['suspended', 'suspended'],
      ['archived', 'archived'],
      ['archived to active', 'restored'],
      ['active', 'reactivated'],
    ]),
  ],
  ['private.invitations', invitationVerbs],
  ['private.member_invitations', invitationVerbs],
]);

const statusVerb = ({ action, table_name: table, changes }: ActivityEntry): string | undefined => {
  const change = changes.find(({ field }) => field === 'status');
  if (action !== 'UPDATE' || change === undefined) return undefined;
  const words = statusVerbs.get(table);
  return words?.get(`${change.before} to ${change.after}`) ?? words?.get(String(change.after));
};

/** Verbs of actions that change no table. */
const actionVerbs = new Map([
  ['link_created', 'created an invitation link for'],
  ['user_updated_password', 'changed the password of'],
  ['user_modified', 'changed the sign-in settings of'],
  ['user_deleted', 'deleted the user'],
  ['factor_added', 'added a second factor of'],
  ['factor_unenrolled', 'removed a second factor of'],
  ['factor_deleted', 'removed a second factor of'],
  ['factor_updated', 'changed a second factor of'],
  ['recovery_codes_generated', 'generated the recovery codes of'],
  ['recovery_codes_deleted', 'deleted the recovery codes of'],
  ['identity_linked', 'linked an identity to'],
  ['identity_unlinked', 'unlinked an identity from'],
  ['passkey_created', 'added a passkey of'],
  ['passkey_updated', 'changed a passkey of'],
  ['passkey_deleted', 'removed a passkey of'],
]);

/** Actions of operators on the command line. */
const operations: ReadonlyMap<string, readonly [verb: string, object: string]> = new Map([
  ['keys_shown', ['displayed', 'the API keys']],
  ['signing_key_created', ['created', 'a signing key']],
  ['backup_written', ['wrote', 'a backup']],
  ['backup_restored', ['restored', 'a backup']],
  ['database_migrated', ['updated', 'the database']],
  ['audit_exported', ['exported', 'the audit log']],
  ['audit_read', ['read', 'the audit log']],
  ['sign_ins_read', ['read', 'the list of sign-ins']],
]);

const memberWords: Readonly<Record<Action, readonly [string, string]>> = {
  INSERT: ['added', 'to'],
  UPDATE: ['changed', 'in'],
  DELETE: ['removed', 'from'],
};

const memberInvitationWords: Readonly<Record<Action, readonly [string, string]>> = {
  INSERT: ['invited', 'as a member of'],
  UPDATE: ['changed the invitation of', 'as a member of'],
  DELETE: ['deleted the invitation of', 'as a member of'],
};

/** Returns the sentence for the invitation of a member. The invited person accepts it with their own request. */
const describeMemberInvitation = (entry: ActivityEntry, action: Action, record: string): ActivitySentence => {
  if (action === 'UPDATE' && changedTo(entry, 'status') === 'accepted')
    return createSentence('accepted the invitation as a member of', record);
  const [verb, relation] = memberInvitationWords[action];
  return createSentence(statusVerb(entry) ?? verb, record, entry.member_name ?? 'a person', relation);
};

/** Returns the sentence for a setting that exists once and has no name, or undefined for other tables. */
const describeSetting = ({ action, table_name: table, changes }: ActivityEntry): string | undefined => {
  if (!isRowAction(action)) return undefined;
  if (table === 'public.notification_settings') return `${plainVerbs[action]} the notification settings`;
  if (table !== 'private.second_factor_requirement') return undefined;
  if (action === 'DELETE') return 'stopped requiring a second factor';
  const dueAt = changes.find(({ field }) => field === 'due_at')?.after;
  const from = typeof dueAt === 'string' ? ` from ${formatExactTime(dueAt)}` : '';
  return `required a second factor of all administrators${from}`;
};

/** The role of an invited user is granted by their own request, with the password. */
const isAcceptance = ({
  action,
  table_name: table,
  actor_id: actor,
  record_id: user,
}: ActivityEntry): boolean =>
  action === 'INSERT' && table === 'public.user_roles' && actor !== null && actor === user;

export const describeActivity = (entry: ActivityEntry): ActivitySentence => {
  const { action, table_name: table, record_name: name } = entry;
  const record = name ?? activityText.unnamed;
  if (!isRowAction(action)) {
    const operation = operations.get(action);
    if (operation) return createSentence(operation[0], null, operation[1]);
    const list = changedTo(entry, 'list');
    if (list !== null) return createSentence(action.replaceAll('_', ' '), null, `the list of ${list}`);
    return createSentence(actionVerbs.get(action) ?? `${action.replaceAll('_', ' ')}:`, record);
  }
  if (table === 'public.account_members') {
    const [verb, relation] = memberWords[action];
    return createSentence(verb, record, entry.member_name ?? 'a deleted user', relation);
  }
  if (table === 'private.member_invitations') return describeMemberInvitation(entry, action, record);
  const setting = describeSetting(entry);
  if (setting !== undefined) return createSentence(setting, null);
  if (isAcceptance(entry)) return createSentence('accepted the invitation and became an administrator', null);
  const verb = statusVerb(entry) ?? verbs[table]?.[action];
  return verb === undefined
    ? createSentence(plainVerbs[action], name, `a record of ${table}`)
    : createSentence(verb, record);
};

/** Returns the name of the actor. */
export const actorName = ({ actor_name: name, actor_id: id, origin }: ActivityEntry): string => {
  if (name !== null) return name;
  if (id !== null) return activityText.deletedUser;
  return origin === null ? activityText.unknownActor : activityText.origins[origin];
};

const fieldNames: Readonly<Record<string, string>> = {
  account_type: 'Type',
  zip_code: 'Zip code',
  sender_email: 'Sender email',
  last_sent_at: 'Last email',
  term_seconds: 'Link expires after',
  term_until: 'Link expires',
  due_at: 'Required from',
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
