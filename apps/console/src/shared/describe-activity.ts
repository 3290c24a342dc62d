/** The sentence of an activity entry: what the actor did, in the words before the name of the record. */
import { formatCount } from '@lanternrock/contract/format-count';
import type { ActivityEntry } from '@lanternrock/contract/activity';
import { maxGroupCount } from '@lanternrock/contract/activity-limits';
import { formatExactTime } from '../ui/format-time.ts';
import { isMove, moveDirection, readCounts } from './activity-action.ts';
import { activityText } from './activity-text.ts';
import { reverseEntry, toUndoVerb } from './undo-sentence.ts';

/** The words after the name of the actor, and before the name of the record. */
interface ActivitySentence {
  readonly verb: string;
  /** What the verb is about, if it is not the record: the member of an account. */
  readonly object: string;
  /** The word between the object and the record. */
  readonly relation: string;
  /** Null for an entry whose record has no name. */
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
  [
    'private.invitations',
    new Map([
      ['revoked', 'revoked the invitation of'],
      ['pending', 'invited again'],
      ['removed', 'removed the administrator'],
      ['removed to accepted', 'restored the administrator'],
      ['ended', 'ended the administrator role of'],
      ['ended to accepted', 'extended the administrator role of'],
      ['accepted', 'accepted the invitation of'],
    ]),
  ],
  [
    'private.member_invitations',
    new Map([
      ['revoked', 'revoked the invitation of'],
      ['pending', 'invited again'],
    ]),
  ],
  [
    'public.account_members',
    new Map([
      ['suspended', 'suspended'],
      ['active', 'reactivated'],
      ['ended', 'ended the membership of'],
      ['ended to active', 'extended the membership of'],
    ]),
  ],
]);

const statusVerb = ({ action, table_name: table, changes }: ActivityEntry): string | undefined => {
  const change = changes.find(({ field }) => field === 'status');
  if (action !== 'UPDATE' || change === undefined) return undefined;
  const words = statusVerbs.get(table);
  return words?.get(`${change.before} to ${change.after}`) ?? words?.get(String(change.after));
};

/** Verbs of changes of certain fields and no others: the first field is always among them. */
const fieldVerbs: readonly {
  readonly table: string;
  readonly fields: readonly [string, ...string[]];
  readonly verb: string;
  /** For a field that has no value any longer. */
  readonly cleared?: string;
}[] = [
  { table: 'public.accounts', fields: ['name', 'slug'], verb: 'renamed' },
  { table: 'public.profiles', fields: ['full_name'], verb: 'renamed' },
  { table: 'private.invitations', fields: ['full_name'], verb: 'changed the name in the invitation of' },
  { table: 'private.invitations', fields: ['last_sent_at'], verb: 'processed the invitation email to' },
  {
    table: 'private.invitations',
    fields: ['expires_at', 'note', 'full_name'],
    verb: 'renewed the invitation of',
  },
  {
    table: 'private.member_invitations',
    fields: ['last_sent_at'],
    verb: 'processed the invitation email to',
  },
  {
    table: 'private.member_invitations',
    fields: ['expires_at', 'note', 'full_name'],
    verb: 'renewed the invitation of',
  },
  {
    table: 'public.user_roles',
    fields: ['ends_at'],
    verb: 'set the end of the administrator role of',
    cleared: 'removed the end of the administrator role of',
  },
  {
    table: 'public.account_members',
    fields: ['ends_at'],
    verb: 'set the end of the membership of',
    cleared: 'removed the end of the membership of',
  },
];

const fieldVerb = ({ action, table_name: table, changes }: ActivityEntry): string | undefined => {
  if (action !== 'UPDATE') return undefined;
  for (const { table: name, fields, verb, cleared } of fieldVerbs) {
    const [main] = fields;
    const change = changes.find(({ field }) => field === main);
    if (name === table && change !== undefined && changes.every(({ field }) => fields.includes(field)))
      return change.after === null ? (cleared ?? verb) : verb;
  }
  return undefined;
};

/** Verbs of actions that change no table. The second one is for the own user, and needs no name. */
const actionVerbs: ReadonlyMap<string, readonly [verb: string, own?: string]> = new Map([
  ['link_created', ['created an invitation link for']],
  ['user_updated_password', ['changed the password of', 'changed their own password']],
  ['user_modified', ['changed the sign-in settings of', 'changed their own sign-in settings']],
  ['user_deleted', ['deleted the user']],
  ['factor_added', ['added and verified a second factor of', 'added and verified a second factor']],
  ['factor_unenrolled', ['removed a second factor of', 'removed their own second factor']],
  ['factor_deleted', ['removed a second factor of', 'removed their own second factor']],
  ['factor_updated', ['changed a second factor of', 'changed their own second factor']],
  ['recovery_codes_generated', ['generated the recovery codes of', 'generated recovery codes']],
  ['recovery_codes_deleted', ['deleted the recovery codes of', 'deleted their own recovery codes']],
  ['identity_linked', ['linked an identity to', 'linked an identity']],
  ['identity_unlinked', ['unlinked an identity from', 'unlinked an identity']],
  ['passkey_created', ['added a passkey of', 'added a passkey']],
  ['passkey_updated', ['changed a passkey of', 'changed their own passkey']],
  ['passkey_deleted', ['removed a passkey of', 'removed their own passkey']],
]);

/** What a change of the sign-in settings changed. */
const signInSettings = new Map([
  ['email', 'email address'],
  ['phone', 'phone number'],
]);

const describeUserAction = (entry: ActivityEntry, record: string): ActivitySentence => {
  const { action, actor_id: actor, record_id: subject } = entry;
  const [verb, own] = actionVerbs.get(action) ?? [`${action.replaceAll('_', ' ')}:`];
  const setting =
    action === 'user_modified' ? signInSettings.get(changedTo(entry, 'changed') ?? '') : undefined;
  if (own === undefined || actor === null || actor !== subject)
    return createSentence(setting === undefined ? verb : `changed the ${setting} of`, record);
  return createSentence(setting === undefined ? own : `changed their own ${setting}`, null);
};

/** Actions of operators on the command line, scheduled backups, and emails that test the settings. */
const operations: ReadonlyMap<string, readonly [verb: string, object: string]> = new Map([
  ['keys_shown', ['displayed', 'the API keys']],
  ['signing_key_created', ['created', 'a signing key']],
  ['backup_written', ['wrote', 'a backup']],
  ['backup_failed', ['could not write', 'a backup']],
  ['backup_restored', ['restored', 'a backup']],
  ['database_migrated', ['updated', 'the database']],
  ['audit_exported', ['exported', 'the audit log']],
  ['audit_read', ['read', 'the audit log']],
  ['sign_ins_read', ['read', 'the list of sign-ins']],
  ['test_email_sent', ['sent', 'a test email']],
]);

const memberWords: Readonly<Record<Action, readonly [string, string]>> = {
  INSERT: ['added', 'to'],
  UPDATE: ['changed', 'in'],
  DELETE: ['removed', 'from'],
};

const memberInvitationWords: Readonly<Record<Action | 'link_created', readonly [string, string]>> = {
  link_created: ['created an invitation link for', 'as a member of'],
  INSERT: ['invited', 'as a member of'],
  UPDATE: ['changed the invitation of', 'as a member of'],
  DELETE: ['deleted the invitation of', 'as a member of'],
};

/** Returns the sentence for the invitation of a member. The invited person accepts it with their own request. */
const describeMemberInvitation = (
  entry: ActivityEntry,
  action: Action | 'link_created',
  record: string,
): ActivitySentence => {
  if (action === 'UPDATE' && changedTo(entry, 'status') === 'accepted')
    return createSentence('accepted the invitation as a member of', record);
  const [verb, relation] = memberInvitationWords[action];
  return createSentence(
    statusVerb(entry) ?? fieldVerb(entry) ?? verb,
    record,
    entry.member_name ?? 'a person',
    relation,
  );
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

/** @param list in the plural, for example `accounts` */
const formatThings = (total: number, list: string): string =>
  `${formatCount(total)} ${total === 1 ? list.replace(/s$/, '') : list}`;

/** Returns for example `imported 34 accounts (30 new, 4 changed)`. */
const describeImport = (entry: ActivityEntry, list: string): ActivitySentence => {
  const { created, changed } = readCounts(entry);
  const detail =
    changed === 0 ? '' : ` (${activityText.importDetail(formatCount(created), formatCount(changed))})`;
  return createSentence('imported', null, `${formatThings(created + changed, list)}${detail}`);
};

/** Returns for example `undid an import and deleted 34 accounts`. */
const describeUndoneImport = (entry: ActivityEntry, list: string): ActivitySentence =>
  createSentence('undid an import and deleted', null, formatThings(readCounts(entry).deleted, list));

/** Actions on a list of invitations, which have one entry. */
const listActions: ReadonlyMap<string, readonly [verb: string, things: string]> = new Map([
  ['list_invited', ['invited', 'administrators from a list']],
  ['list_resent', ['sent', 'invitations again']],
  ['list_revoked', ['revoked', 'invitations']],
]);

/** Returns for example `invited 20 administrators from a list`. */
const describeListAction = (listed: number, [verb, things]: readonly [string, string]): ActivitySentence => {
  const count = `${listed >= maxGroupCount ? 'at least ' : ''}${formatCount(listed)}`;
  return createSentence(verb, null, `${count} ${listed === 1 ? things.replace(/s\b/, '') : things}`);
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
  if (entry.undoes === null) return describeChange(entry);
  const undone = describeChange(reverseEntry(entry));
  const verb = toUndoVerb(undone.verb);
  // Other undos, such as that of an import, have sentences of their own.
  return verb === null ? describeChange(entry) : { ...undone, verb, relation: toPlace(undone.relation) };
};

/** After a noun: `the addition of Ben to` and `the removal of Ben from`, but `the move of the contact Ben in`. */
const toPlace = (relation: string): string => relation.replace(/^(up|down) /, '');

const describeChange = (entry: ActivityEntry): ActivitySentence => {
  const { action, table_name: table, record_name: name } = entry;
  const record = name ?? activityText.unnamed;
  if (table === 'private.member_invitations' && (action === 'link_created' || isRowAction(action)))
    return describeMemberInvitation(entry, action, record);
  if (!isRowAction(action)) {
    const operation = operations.get(action);
    if (operation) return createSentence(operation[0], null, operation[1]);
    const listAction = listActions.get(action);
    if (listAction && entry.listed !== null) return describeListAction(entry.listed, listAction);
    const list = changedTo(entry, 'list');
    if (list !== null && action === 'imported') return describeImport(entry, list);
    if (list !== null && action === 'import_undone') return describeUndoneImport(entry, list);
    if (list !== null) return createSentence(action.replaceAll('_', ' '), null, `the list of ${list}`);
    return describeUserAction(entry, record);
  }
  if (table === 'public.account_members') {
    const [verb, relation] = memberWords[action];
    return createSentence(
      statusVerb(entry) ?? fieldVerb(entry) ?? verb,
      record,
      entry.member_name ?? 'a deleted user',
      action === 'UPDATE' ? 'in' : relation,
    );
  }
  if (table === 'public.account_contacts') {
    const [verb, relation] = isMove(entry) ? ['moved', `${moveDirection(entry)} in`] : memberWords[action];
    return createSentence(verb, record, `the contact ${entry.member_name ?? ''}`, relation);
  }
  const setting = describeSetting(entry);
  if (setting !== undefined) return createSentence(setting, null);
  if (isAcceptance(entry)) return createSentence('accepted the invitation and became an administrator', null);
  const verb = statusVerb(entry) ?? fieldVerb(entry) ?? verbs[table]?.[action];
  return verb === undefined
    ? createSentence(plainVerbs[action], name, `a record of ${table}`)
    : createSentence(verb, record);
};
