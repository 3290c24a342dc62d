import type { ActivityChange, ActivityEntry, ActivityGroup } from '@lanternrock/contract/activity';
import { describe, expect, it } from 'vitest';
import { readCounts, toAction } from './activity-action.ts';

const entry = (
  id: string,
  table: string,
  action: string,
  changes: readonly ActivityChange[] = [],
): ActivityEntry => ({
  id,
  at: '2026-11-24T08:00:00Z',
  actor_id: 'u1',
  actor_name: 'Ann',
  actor_email: 'ann@example.org',
  origin: 'console',
  action,
  table_name: table,
  record_id: 'a1',
  record_name: 'Alpine Rescue',
  member_name: null,
  former_names: { actor: null, record: null, member: null },
  listed: null,
  undone_by: null,
  undoes: null,
  changes,
  undoable: false,
  undoable_import: null,
});

/** @param entries oldest first */
const group = (entries: readonly ActivityEntry[], count = entries.length): ActivityGroup => {
  const head = entries.at(-1);
  if (!head) throw new Error('no entry');
  return { ...head, count, further: entries.slice(0, -1) };
};

const reason = (before: string | null, after: string | null) => [{ field: 'reason', before, after }];
const status = (before: string, after: string) => [{ field: 'status', before, after }];

describe('a moved contact', () => {
  const move = (id: string, before: string, after: string): ActivityEntry =>
    entry(id, 'public.account_contacts', 'UPDATE', [{ field: 'position', before, after }]);

  it('is the one that moved up, and the undo of its move names it as well', () => {
    const action = toAction(group([move('1', '1', '2'), move('2', '2', '1')]));
    expect(action).toMatchObject({ primary: { id: '2' }, others: 0 });
    const undoes = { id: '2', at: null, actor_id: null, actor_name: null, origin: null };
    const back = [move('3', '2', '1'), move('4', '1', '2')].map((each) => ({ ...each, undoes }));
    expect(toAction(group(back))).toMatchObject({ primary: { id: '4' }, others: 0 });
  });

  it('is no part of the sentence of another change', () => {
    const added = entry('2', 'public.account_contacts', 'INSERT');
    const action = toAction(group([move('1', '20', '1'), added, move('3', '2', '3')]));
    expect(action).toMatchObject({ primary: { id: '2' }, others: 0 });
  });
});

describe('the most important entry', () => {
  it.each([
    [['public.accounts UPDATE', 'private.account_suspensions INSERT', 'auth.sessions DELETE'], 0],
    [['private.account_suspensions DELETE', 'public.accounts UPDATE'], 1],
    [['public.accounts INSERT', 'public.accounts INSERT', 'imports imported'], 2],
    [['public.user_roles DELETE', 'public.profiles DELETE', 'auth.users user_deleted'], 2],
    [['public.profiles INSERT', 'private.invitations INSERT'], 1],
    [['public.profiles INSERT', 'private.member_invitations INSERT'], 1],
    [['private.invitations UPDATE', 'public.user_roles INSERT', 'auth.users user_updated_password'], 1],
    [['private.invitations UPDATE', 'private.invitations link_created'], 1],
    [['public.profiles INSERT', 'private.invitations INSERT', 'private.invitations link_created'], 1],
    [['private.member_invitations UPDATE', 'private.member_invitations link_created'], 1],
    [['x UPDATE', 'y UPDATE'], 0],
  ])('of %j is number %i', (rows, index) => {
    const entries = rows.map((row, id) => {
      const [table = '', action = ''] = row.split(' ');
      return entry(String(id), table, action);
    });
    expect(toAction(group(entries)).primary.id).toBe(String(index));
  });

  it('is the profile of a renamed user, and the invitation of a restored administrator or a new member', () => {
    const profile = entry('1', 'public.profiles', 'UPDATE');
    const copy = entry('2', 'private.invitations', 'UPDATE', [
      { field: 'full_name', before: 'A', after: 'B' },
    ]);
    expect(toAction(group([profile, copy])).primary.id).toBe('1');
    const restored = entry('3', 'private.invitations', 'UPDATE', status('removed', 'accepted'));
    const role = entry('4', 'public.user_roles', 'INSERT');
    expect(toAction(group([restored, role])).primary.id).toBe('3');
    const accepted = entry('5', 'private.member_invitations', 'UPDATE', status('pending', 'accepted'));
    const member = entry('6', 'public.account_members', 'INSERT');
    expect(toAction(group([accepted, member])).primary.id).toBe('5');
  });
});

it('shows the reason with the suspension, and with its end', () => {
  const change = entry('1', 'public.accounts', 'UPDATE', status('active', 'suspended'));
  const given = entry('2', 'private.account_suspensions', 'INSERT', reason(null, 'Unpaid'));
  expect(toAction(group([change, given]))).toMatchObject({
    reason: { text: 'Unpaid', isFormer: false },
    others: 0,
    otherEntries: [],
  });
  const removed = entry('2', 'private.account_suspensions', 'DELETE', reason('Unpaid', null));
  expect(toAction(group([removed, change])).reason).toEqual({ text: 'Unpaid', isFormer: true });
  const second = entry('3', 'private.account_suspensions', 'INSERT', reason(null, 'Closed'));
  expect(toAction(group([change, given, second]))).toMatchObject({ reason: null, others: 2 });
});

it('counts the other entries, which have to be read if the group has only a part of them', () => {
  const rows = Array.from({ length: 3 }, (_, index) => entry(String(index), 'public.accounts', 'INSERT'));
  const exported = entry('9', 'exports', 'exported');
  expect(toAction(group([...rows, exported]))).toMatchObject({ others: 3, hasMore: false });
  expect(toAction(group([...rows, exported])).otherEntries?.map(({ id }) => id)).toEqual(['9', '2', '1']);
  expect(toAction(group([...rows, exported], 500))).toMatchObject({ others: 499, otherEntries: null });
  expect(toAction(group([...rows, exported], 1000))).toMatchObject({ others: 999, hasMore: true });
});

describe('an import', () => {
  const imported = (id: string, counts: Readonly<Record<string, number>>): ActivityEntry => ({
    ...entry(
      id,
      'imports',
      'imported',
      Object.entries(counts).map(([field, after]) => ({ field, before: null, after: String(after) })),
    ),
  });
  const row = (id: string): ActivityEntry => entry(id, 'public.accounts', 'INSERT');

  it('of several requests has the total of the newest one, and no entry of a request among its rows', () => {
    const first = imported('2', { created: 1, changed: 0, total_created: 1, total_changed: 0 });
    const second = imported('5', { created: 1, changed: 1, total_created: 2, total_changed: 1 });
    const action = toAction(group([row('1'), first, row('3'), row('4'), second]));
    expect(action).toMatchObject({ primary: { id: '5' }, others: 3, hasMore: false });
    expect(action.otherEntries?.map(({ id }) => id)).toEqual(['4', '3', '1']);
    const many = imported('9', { created: 500, changed: 0, total_created: 2000, total_changed: 0 });
    expect(toAction(group([row('1'), first, many], 1000))).toMatchObject({
      primary: { id: '9' },
      others: 2000,
      hasMore: false,
      otherEntries: null,
    });
  });

  it('of one request has its own numbers', () => {
    const single = imported('2', { created: 1, changed: 0 });
    expect(toAction(group([row('1'), single]))).toMatchObject({ primary: { id: '2' }, others: 1 });
    const undone = imported('4', { deleted: 2, total_deleted: 510 });
    expect(readCounts(undone)).toEqual({ created: 0, changed: 0, deleted: 510 });
  });
});
