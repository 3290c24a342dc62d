import type { ActivityGroup } from '@lanternrock/contract/activity';
import { expect, it } from 'vitest';
import { findFilteredRecord } from './filtered-record.ts';

const entry = (table: string, values: Partial<ActivityGroup> = {}): ActivityGroup => ({
  id: '1',
  at: '2026-11-20T08:00:00.000000Z',
  actor_id: null,
  actor_name: null,
  actor_email: null,
  origin: 'console',
  action: 'UPDATE',
  table_name: table,
  record_id: 'a',
  record_name: 'Vail',
  member_name: null,
  former_names: { actor: null, record: null, member: null },
  listed: null,
  undone_by: null,
  undoes: null,
  changes: [],
  undoable: false,
  undoable_import: null,
  count: 1,
  further: [],
  ...values,
});

it.each([
  ['an account', [entry('public.accounts')], { name: 'Vail', panel: 'account' }],
  [
    'a member, and a name of a further entry',
    [entry('public.account_members', { record_name: null, further: [entry('public.accounts')] })],
    { name: 'Vail', panel: 'account' },
  ],
  ['an invitation', [entry('private.invitations')], { name: 'Vail', panel: 'invitation' }],
  ['a user', [entry('public.profiles')], { name: 'Vail', panel: null }],
  [
    'a deleted account',
    [entry('public.accounts', { action: 'DELETE' }), entry('public.accounts')],
    { name: 'Vail', panel: null },
  ],
  [
    'a removed member',
    [entry('public.account_members', { action: 'DELETE' })],
    { name: 'Vail', panel: 'account' },
  ],
  ['another record', [entry('public.accounts', { record_id: 'b' })], { name: undefined, panel: null }],
] as const)('finds %s', (_, groups, found) => {
  expect(findFilteredRecord(groups, 'a')).toEqual(found);
});

it('finds nothing before the entries are loaded', () => {
  expect(findFilteredRecord(undefined, 'a')).toEqual({ name: undefined, panel: null });
});
