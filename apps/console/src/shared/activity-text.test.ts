import type { ActivityEntry } from '@lanternrock/contract/activity';
import { describe, expect, it } from 'vitest';
import { describeActivity } from './describe-activity.ts';
import { actorName, describeFormerNames, fieldName, fieldValue } from './activity-text.ts';

const entry = (changes: Partial<ActivityEntry>): ActivityEntry => ({
  id: '1',
  at: '2026-11-24T08:00:00Z',
  actor_id: 'u1',
  actor_name: 'Ann',
  actor_email: 'ann@example.org',
  origin: 'console',
  action: 'UPDATE',
  table_name: 'public.accounts',
  record_id: 'a1',
  record_name: 'Alpine Rescue',
  member_name: null,
  former_names: { actor: null, record: null, member: null },
  listed: null,
  undone_by: null,
  undoes: null,
  changes: [],
  undoable: false,
  undoable_import: null,
  ...changes,
});

const sentence = (changes: Partial<ActivityEntry>): string => {
  const { verb, object, relation, record } = describeActivity(entry(changes));
  return [verb, object, relation, record].filter(Boolean).join(' ');
};

const statusTo = (after: string): Partial<ActivityEntry> => ({
  changes: [{ field: 'status', before: 'x', after }],
});

const imported = (counts: Readonly<Record<string, string>>): Partial<ActivityEntry> => ({
  table_name: 'imports',
  action: 'imported',
  record_name: null,
  changes: Object.entries({ ...counts, list: 'accounts' }).map(([field, after]) => ({
    field,
    before: null,
    after,
  })),
});

const endsAt = (after: string | null) => ({ field: 'ends_at', before: null, after });

const own = { table_name: 'auth.users', record_id: 'u1', record_name: 'Ann' } as const;

const undoes = {
  id: '0',
  at: '2026-11-24T07:00:00Z',
  actor_id: 'u1',
  actor_name: 'Ann',
  origin: 'console',
} as const;
const contact = { table_name: 'public.account_contacts', member_name: 'Amy Winters' } as const;
const position = (before: string, after: string) => ({ changes: [{ field: 'position', before, after }] });

describe('the sentence of an undo', () => {
  it.each([
    [{ changes: [{ field: 'city', before: 'Bern', after: 'Vail' }] }, 'undid the change of Alpine Rescue'],
    [{ changes: [{ field: 'name', before: 'B', after: 'A' }] }, 'undid the renaming of Alpine Rescue'],
    [
      { changes: [{ field: 'status', before: 'suspended', after: 'active' }] },
      'undid the suspension of Alpine Rescue',
    ],
    [
      { changes: [{ field: 'status', before: 'archived', after: 'active' }] },
      'undid the archiving of Alpine Rescue',
    ],
    [
      { changes: [{ field: 'status', before: 'active', after: 'archived' }] },
      'undid the restoration of Alpine Rescue',
    ],
    [
      { changes: [{ field: 'status', before: 'active', after: 'suspended' }] },
      'undid the reactivation of Alpine Rescue',
    ],
    [
      { table_name: 'public.account_members', action: 'DELETE', member_name: 'Ben' },
      'undid the addition of Ben to Alpine Rescue',
    ],
    [
      { table_name: 'public.account_members', action: 'INSERT', member_name: 'Ben' },
      'undid the removal of Ben from Alpine Rescue',
    ],
    [{ ...contact, ...position('1', '2') }, 'undid the move of the contact Amy Winters in Alpine Rescue'],
    [{ ...contact, action: 'INSERT' }, 'undid the removal of the contact Amy Winters from Alpine Rescue'],
    [
      {
        table_name: 'private.invitations',
        changes: [{ field: 'status', before: 'removed', after: 'accepted' }],
      },
      'restored the administrator Alpine Rescue',
    ],
  ] as const)('of %j is: %s', (changes, expected) => {
    expect(sentence({ ...changes, undoes })).toBe(expected);
  });
});

const member = { table_name: 'public.account_members', member_name: 'Bo' } as const;
const end = (before: string | null, after: string | null) => ({ field: 'ends_at', before, after });
const early = '2026-11-25T08:00:00Z';
const late = '2026-11-29T08:00:00Z';

describe('the sentence of an undo of the end of a membership', () => {
  it.each([
    [[end(late, null)], 'undid the change of the end of the membership of Bo in Alpine Rescue'],
    [[end(null, late)], 'undid the removal of the end of the membership of Bo in Alpine Rescue'],
    [
      [{ field: 'status', before: 'active', after: 'ended' }, end(late, early)],
      'undid the extension of the membership of Bo in Alpine Rescue',
    ],
    [
      [{ field: 'status', before: 'ended', after: 'active' }, end(early, late)],
      'undid the end of the membership of Bo in Alpine Rescue',
    ],
  ])('of %j is: %s', (changes, expected) => {
    expect(sentence({ ...member, changes, undoes })).toBe(expected);
  });
});

describe('the sentence of each change that can be undone', () => {
  const statuses = {
    'public.accounts': ['active', 'suspended', 'archived'],
    'public.account_members': ['active', 'suspended', 'ended'],
  } as const;
  const fields = {
    'public.accounts': ['name', 'slug', 'account_type', 'address', 'city', 'state', 'zip_code'],
    'public.account_members': ['ends_at'],
    'public.account_contacts': ['name', 'role', 'phone', 'email', 'note', 'position'],
  } as const;
  const values = [null, early, late];
  const pairs = <T>(all: readonly T[]): (readonly [T, T])[] =>
    all.flatMap((before) => all.flatMap((after) => (before === after ? [] : [[before, after] as const])));
  const updates = [
    ...Object.entries(statuses).flatMap(([table, all]) =>
      pairs<string>(all).map(([before, after]) => [table, [{ field: 'status', before, after }]] as const),
    ),
    ...Object.entries(fields).flatMap(([table, names]) =>
      names.flatMap((field) =>
        pairs(values).map(([before, after]) => [table, [{ field, before, after }]] as const),
      ),
    ),
    ...pairs<string>(statuses['public.account_members']).flatMap(([before, after]) =>
      pairs(values).map(
        ([from, to]) =>
          ['public.account_members', [{ field: 'status', before, after }, end(from, to)]] as const,
      ),
    ),
  ];

  it.each(updates)('of %s is that of an undo: %j', (table, changes) => {
    const text = sentence({ table_name: table, member_name: 'Bo', changes, undoes });
    expect(text).toMatch(/^undid the [a-z]+ of /);
  });

  it.each(['public.account_members', 'public.account_contacts'])(
    'of a new and of a removed row of %s is that of an undo',
    (table) => {
      for (const action of ['INSERT', 'DELETE'])
        expect(sentence({ table_name: table, action, member_name: 'Bo', undoes })).toMatch(/^undid the /);
    },
  );
});

describe('the sentence of an action on a list', () => {
  it.each([
    ['list_invited', 20, 'invited 20 administrators from a list'],
    ['list_invited', 1, 'invited 1 administrator from a list'],
    ['list_invited', 1000, 'invited at least 1,000 administrators from a list'],
    ['list_resent', 5, 'sent 5 invitations again'],
    ['list_revoked', 1, 'revoked 1 invitation'],
  ])('%s of %i invitations is: %s', (action, listed, expected) => {
    expect(sentence({ action, listed, table_name: 'private.invitations', record_name: null })).toBe(expected);
  });
});

describe('the sentence of an entry', () => {
  it.each([
    [position('2', '1'), 'moved the contact Amy Winters up in Alpine Rescue'],
    [position('9', '10'), 'moved the contact Amy Winters down in Alpine Rescue'],
  ])('of a moved contact is: %s', (changes, expected) => {
    expect(sentence({ ...contact, ...changes })).toBe(expected);
  });

  it.each([
    [{}, 'changed Alpine Rescue'],
    [{ action: 'INSERT' }, 'created Alpine Rescue'],
    [statusTo('suspended'), 'suspended Alpine Rescue'],
    [statusTo('active'), 'reactivated Alpine Rescue'],
    [{ changes: [{ field: 'status', before: 'archived', after: 'active' }] }, 'restored Alpine Rescue'],
    [statusTo('unusual'), 'changed Alpine Rescue'],
    [statusTo('constructor'), 'changed Alpine Rescue'],
    [
      { table_name: 'public.account_members', action: 'DELETE', member_name: 'Bo' },
      'removed Bo from Alpine Rescue',
    ],
    [
      { table_name: 'public.account_members', action: 'INSERT', record_name: null },
      'added a deleted user to a deleted record',
    ],
    [
      { table_name: 'public.account_contacts', action: 'UPDATE', member_name: 'Anna Keller' },
      'changed the contact Anna Keller in Alpine Rescue',
    ],
    [
      { table_name: 'private.invitations', record_name: 'Bo', ...statusTo('revoked') },
      'revoked the invitation of Bo',
    ],
    [
      { table_name: 'private.member_invitations', action: 'INSERT', member_name: 'Bo' },
      'invited Bo as a member of Alpine Rescue',
    ],
    [
      { table_name: 'private.member_invitations', member_name: 'Bo', ...statusTo('revoked') },
      'revoked the invitation of Bo as a member of Alpine Rescue',
    ],
    [
      { table_name: 'private.member_invitations', member_name: 'Bo', ...statusTo('accepted') },
      'accepted the invitation as a member of Alpine Rescue',
    ],
    [
      {
        table_name: 'private.member_invitations',
        member_name: 'Bo',
        changes: [{ field: 'last_sent_at', before: null, after: 'x' }],
      },
      'processed the invitation email to Bo as a member of Alpine Rescue',
    ],
    [
      {
        table_name: 'private.member_invitations',
        member_name: 'Bo',
        changes: [{ field: 'expires_at', before: 'x', after: 'y' }],
      },
      'renewed the invitation of Bo as a member of Alpine Rescue',
    ],
    [{ table_name: 'public.notification_settings' }, 'changed the notification settings'],
    [
      { table_name: 'private.second_factor_requirement', action: 'INSERT', record_name: null },
      'required a second factor of all administrators',
    ],
    [
      { table_name: 'private.second_factor_requirement', action: 'DELETE', record_name: null },
      'stopped requiring a second factor',
    ],
    [
      { table_name: 'public.user_roles', action: 'INSERT', record_id: 'u2', record_name: 'Bo' },
      'granted the administrator role to Bo',
    ],
    [
      { table_name: 'public.user_roles', action: 'INSERT', record_id: 'u1', record_name: 'Ann' },
      'accepted the invitation and became an administrator',
    ],
    [{ table_name: 'public.later', action: 'INSERT', record_name: null }, 'added a record of public.later'],
    [
      { table_name: 'private.invitations', action: 'link_created' },
      'created an invitation link for Alpine Rescue',
    ],
    [
      { table_name: 'private.member_invitations', action: 'link_created', member_name: 'Bo' },
      'created an invitation link for Bo as a member of Alpine Rescue',
    ],
    [{ table_name: 'auth.users', action: 'passkey_created' }, 'added a passkey of Alpine Rescue'],
    [{ table_name: 'auth.users', action: 'later_action' }, 'later action: Alpine Rescue'],
    [
      {
        table_name: 'exports',
        action: 'exported',
        changes: [{ field: 'list', before: null, after: 'activity' }],
      },
      'exported the list of activity',
    ],
    [{ table_name: 'operations', action: 'keys_shown', record_name: null }, 'displayed the API keys'],
    [
      {
        table_name: 'operations',
        action: 'signing_key_created',
        record_name: null,
        changes: [{ field: 'older_keys_dropped', before: null, after: 'true' }],
      },
      'created a signing key',
    ],
    [{ table_name: 'operations', action: 'backup_restored', record_name: null }, 'restored a backup'],
    [{ table_name: 'emails', action: 'test_email_sent', record_name: null }, 'sent a test email'],
    [imported({ created: '34', changed: '0' }), 'imported 34 accounts'],
    [imported({ created: '1', changed: '0' }), 'imported 1 account'],
    [imported({ created: '1200', changed: '4' }), 'imported 1,204 accounts (1,200 new, 4 changed)'],
    [
      { ...imported({ deleted: '1200' }), action: 'import_undone' },
      'undid an import and deleted 1,200 accounts',
    ],
    [{ ...imported({ deleted: '1' }), action: 'import_undone' }, 'undid an import and deleted 1 account'],
    [{ changes: [{ field: 'name', before: 'Old', after: 'Alpine Rescue' }] }, 'renamed Alpine Rescue'],
    [
      {
        changes: [
          { field: 'name', before: 'Old', after: 'Alpine Rescue' },
          { field: 'city', before: null, after: 'Bern' },
        ],
      },
      'changed Alpine Rescue',
    ],
    [
      { table_name: 'public.account_members', member_name: 'Bo', ...statusTo('suspended') },
      'suspended Bo in Alpine Rescue',
    ],
    [
      { table_name: 'public.account_members', member_name: 'Bo', ...statusTo('ended') },
      'ended the membership of Bo in Alpine Rescue',
    ],
    [
      {
        table_name: 'public.account_members',
        member_name: 'Bo',
        changes: [{ field: 'status', before: 'ended', after: 'active' }, endsAt('2026-12-01T00:00:00Z')],
      },
      'extended the membership of Bo in Alpine Rescue',
    ],
    [
      {
        table_name: 'public.account_members',
        member_name: 'Bo',
        changes: [endsAt('2026-12-01T00:00:00Z')],
      },
      'set the end of the membership of Bo in Alpine Rescue',
    ],
    [
      { table_name: 'public.account_members', member_name: 'Bo', changes: [endsAt(null)] },
      'removed the end of the membership of Bo in Alpine Rescue',
    ],
    [
      { table_name: 'public.user_roles', record_name: 'Bo', changes: [endsAt('2026-12-01T00:00:00Z')] },
      'set the end of the administrator role of Bo',
    ],
    [
      { table_name: 'public.user_roles', record_name: 'Bo', changes: [endsAt(null)] },
      'removed the end of the administrator role of Bo',
    ],
    [
      {
        table_name: 'private.invitations',
        record_name: 'Bo',
        changes: [{ field: 'last_sent_at', before: null, after: 'x' }],
      },
      'processed the invitation email to Bo',
    ],
    [{ ...own, action: 'user_updated_password' }, 'changed their own password'],
    [{ ...own, action: 'factor_added' }, 'added and verified a second factor'],
    [
      { ...own, action: 'user_modified', changes: [{ field: 'changed', before: null, after: 'email' }] },
      'changed their own email address',
    ],
    [{ ...own, action: 'factor_deleted', actor_id: null }, 'removed a second factor of Ann'],
  ])('%j is "%s"', (changes, expected) => {
    expect(sentence(changes)).toBe(expected);
  });
});

it('names the actor, deleted users, and clients without a user', () => {
  expect(actorName(entry({}))).toBe('Ann');
  expect(actorName(entry({ actor_name: null }))).toBe('Deleted user');
  expect(actorName(entry({ actor_name: null, actor_id: null, origin: 'service' }))).toBe('Service');
  expect(actorName(entry({ actor_name: null, actor_id: null, origin: null }))).toBe('Unknown');
});

it('names each former name once', () => {
  const former_names = { actor: 'Old Ann', record: 'Old Ann', member: 'Old Bo' };
  const lines = describeFormerNames(entry({ record_name: 'Ann', member_name: 'Bo', former_names }));
  expect(lines.map((line) => line.replaceAll(/[\u2068\u2069]/g, ''))).toEqual([
    'At that time, Ann was named Old Ann.',
    'At that time, Bo was named Old Bo.',
  ]);
  expect(describeFormerNames(entry({}))).toEqual([]);
});

it('names fields, and shows times in local time', () => {
  expect(['expires_at', 'full_name', 'zip_code'].map(fieldName)).toEqual([
    'Expires',
    'Full name',
    'Zip code',
  ]);
  expect(fieldValue('created_at', '2026-11-24T08:00:00+00:00')).toContain('2026');
  expect(fieldValue('created_at', 'never')).toBe('never');
  expect(fieldValue('name', '2026-11-24')).toBe('2026-11-24');
  expect([fieldName('term_seconds'), fieldValue('term_seconds', '129600')]).toEqual([
    'Link expires after',
    '36 hours',
  ]);
  expect([fieldName('term_until'), fieldValue('term_until', 'never')]).toEqual(['Link expires', 'never']);
});
