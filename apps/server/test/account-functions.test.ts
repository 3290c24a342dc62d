/** The functions about accounts: who changed one, and its status. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountDetailsResponse, SetAccountStatusResponse } from '@lanternrock/contract/account-status';
import { sql } from '@lanternrock/postgres';
import { fingerprint } from '@lanternrock/testing/fingerprint';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';
import { eachEngine } from './support/test-service.ts';

interface StoredAccount {
  id: string;
  status: string;
  updated_at: string;
  updated_by: string | null;
}

eachEngine('account functions', (engine) => {
  let fixture: AdminFixture;
  let account: StoredAccount;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
    account = await insert('active');
  });

  const read = async (id: string): Promise<StoredAccount> => {
    const [row] = await fixture.database.query<StoredAccount>(
      sql`select id, status, to_jsonb(updated_at) #>> '{}' as updated_at, updated_by from public.accounts where id = ${id}`,
    );
    if (!row) throw new Error('The account does not exist.');
    return row;
  };
  const insert = async (status: string): Promise<StoredAccount> => {
    const id = randomUUID();
    await fixture.database.query(
      sql`insert into public.accounts (id, name, slug, account_type, status) values (${id}, 'Vail Patrol', 'vail-patrol', 'enterprise', ${status})`,
    );
    return read(id);
  };
  const call = async (
    name: string,
    body: object,
    as = fixture.admin,
  ): Promise<{ status: number; body: object & { error?: string; code?: string } }> => {
    const response = await fixture.call(body, as, {}, name);
    return { status: response.status, body: (await response.json()) as object };
  };
  const setStatus = async (body: object, as = fixture.admin) => {
    const request = { account_id: account.id, updated_at: account.updated_at, ...body };
    const { status, body: response } = await call('set-account-status', request, as);
    return { status, body: response as typeof response & SetAccountStatusResponse };
  };
  const details = async (): Promise<AccountDetailsResponse> =>
    (await call('account-details', { account_id: account.id })).body as AccountDetailsResponse;
  const nothingChanged = async (
    body: object,
    expected: [number, string, RegExp],
    as?: string,
  ): Promise<void> => {
    const before = await fingerprint(fixture.database);
    const { status, body: response } = await setStatus(body, as);
    expect([status, response.code]).toEqual(expected.slice(0, 2));
    expect(response.error).toMatch(expected[2]);
    expect(await fingerprint(fixture.database)).toBe(before);
  };
  const addMember = async (
    ids: readonly string[],
    { administrator = false, status = 'active' }: { administrator?: boolean; status?: string } = {},
  ): Promise<string> => {
    const user = await fixture.createUser({ administrator });
    for (const id of ids) {
      await fixture.database.query(
        sql`insert into public.account_members (account_id, user_id, status) values (${id}, ${user}, ${status})`,
      );
    }
    return user;
  };
  const sessionsOf = async (user: string): Promise<number> =>
    (await fixture.database.query(sql`select from auth.sessions where user_id = ${user}`)).length;

  it('suspends with a reason, which ends with the suspension', async () => {
    const suspended = await setStatus({ status: 'suspended', reason: '  Unpaid\n since May ' });
    expect(suspended.status).toBe(200);
    const row = await read(account.id);
    expect(row).toMatchObject({ status: 'suspended', updated_by: fixture.admin });
    expect(suspended.body).toEqual({
      success: true,
      updated_at: row.updated_at,
      version_matched: true,
      previous_reason: null,
      signed_out: 0,
    });
    expect(await details()).toMatchObject({
      saved_by: 'administrator@example.org',
      suspension: { reason: 'Unpaid since May', suspended_by: 'administrator@example.org' },
    });
    const reactivated = await setStatus({ status: 'active', updated_at: row.updated_at });
    expect(reactivated.body.previous_reason).toBe('Unpaid since May');
    expect((await details()).suspension).toBeNull();
    const changes = await fixture.database.query(
      sql`select action, actor, coalesce(after, before) ->> 'reason' as reason from private.audit_log
          where table_name = 'private.account_suspensions' and row_id = ${account.id} order by id`,
    );
    expect(changes).toEqual([
      { action: 'INSERT', actor: fixture.admin, reason: 'Unpaid since May' },
      { action: 'DELETE', actor: fixture.admin, reason: 'Unpaid since May' },
    ]);
  });

  it('archives and restores', async () => {
    const archived = await setStatus({ status: 'archived' });
    expect(archived.status).toBe(200);
    expect((await read(account.id)).status).toBe('archived');
    const restored = await setStatus({ status: 'active', updated_at: archived.body.updated_at });
    expect(restored.status).toBe(200);
    expect((await read(account.id)).status).toBe('active');
  });

  it('names nobody before the first change', async () => {
    expect(await details()).toMatchObject({ saved_by: null, suspension: null });
  });

  it.each([
    ['active', 'active', 'Vail Patrol is already active.'],
    ['archived', 'suspended', 'Vail Patrol is archived and cannot become suspended.'],
    ['archived', 'archived', 'Vail Patrol is already archived.'],
    ['suspended', 'suspended', 'Vail Patrol is already suspended.'],
    ['trial', 'suspended', 'Vail Patrol is "trial" and cannot become suspended.'],
    ['trial', 'archived', 'Vail Patrol is "trial" and cannot become archived.'],
  ])('rejects the transition from %s to %s', async (from, to, message) => {
    account = await insert(from);
    const { database } = fixture;
    const before = await fingerprint(database);
    const { status, body } = await setStatus({ status: to, reason: 'Unpaid' });
    expect([status, body.code, body.error]).toEqual([409, 'status_not_allowed', message]);
    expect(await fingerprint(database)).toBe(before);
  });

  it('sets an unknown status to active', async () => {
    account = await insert('trial');
    expect((await setStatus({ status: 'active' })).status).toBe(200);
    expect((await read(account.id)).status).toBe('active');
  });

  it('of two tabs the second gets a sentence', async () => {
    const results = await Promise.all([
      setStatus({ status: 'suspended', reason: 'Unpaid' }),
      setStatus({ status: 'archived' }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { status } = await read(account.id);
    const rejected = results.find((each) => each.status === 409)?.body;
    expect(rejected).toEqual({
      code: 'account_changed',
      error: `Vail Patrol was changed in the meantime and is ${status}. Check it and try again.`,
    });
    const reasons = await fixture.database.query(sql`select from private.account_suspensions`);
    expect(reasons).toHaveLength(status === 'suspended' ? 1 : 0);
  });

  it('ignores a change of another field, but no change of the status', async () => {
    const { database } = fixture;
    await database.query(sql`update public.accounts set city = 'Vail' where id = ${account.id}`);
    const suspend = { status: 'suspended', reason: 'Unpaid' };
    await nothingChanged({ ...suspend, previous_status: 'archived' }, [409, 'account_changed', /is active/]);
    const { status, body } = await setStatus({ ...suspend, previous_status: 'active' });
    expect([status, body.version_matched]).toEqual([200, false]);
    await nothingChanged({ status: 'archived', previous_status: 'active' }, [
      409,
      'account_changed',
      /is suspended/,
    ]);
    await nothingChanged({ status: 'active' }, [409, 'account_changed', /is suspended/]);
  });

  it('rejects invalid input', async () => {
    const suspend = { status: 'suspended', reason: 'Unpaid' };
    await nothingChanged({ status: 'suspended' }, [400, 'validation_failed', /^A reason is required$/]);
    await nothingChanged({ ...suspend, reason: ' \n ' }, [
      400,
      'validation_failed',
      /^A reason is required$/,
    ]);
    await nothingChanged({ ...suspend, reason: 'x'.repeat(501) }, [400, 'validation_failed', /at most 500/]);
    await nothingChanged({ ...suspend, reason: 'a\u0007b' }, [
      400,
      'validation_failed',
      /Control characters/,
    ]);
    await nothingChanged({ ...suspend, status: 'trial' }, [400, 'validation_failed', /./]);
    await nothingChanged({ ...suspend, account_id: 'x' }, [400, 'validation_failed', /./]);
    for (const updated_at of ['', 'now', '0000-01-01T00:00:00Z', '2026-02-31T00:00:00Z'])
      await nothingChanged({ ...suspend, updated_at }, [400, 'validation_failed', /./]);
    await nothingChanged({ ...suspend, account_id: randomUUID() }, [
      404,
      'account_not_found',
      /does not exist/,
    ]);
    const unknown = await call('account-details', { account_id: randomUUID() });
    expect(unknown.status).toBe(404);
  });

  it('stores a reason of 500 characters, in any script', async () => {
    const reason = `${'🏔'.repeat(250)}${'ש'.repeat(250)}`;
    expect((await setStatus({ status: 'suspended', reason })).status).toBe(200);
    expect((await details()).suspension?.reason).toBe(reason);
  });

  it('only administrators may call it', async () => {
    const member = await addMember([account.id]);
    const suspend = { status: 'suspended', reason: 'Unpaid' };
    await nothingChanged(suspend, [403, 'not_platform_admin', /requires an administrator/], member);
    expect((await call('account-details', { account_id: account.id }, member)).status).toBe(403);
  });

  it('ends the sessions of members without another active account, if chosen', async () => {
    const other = await insert('active');
    const suspended = await insert('suspended');
    const only = await addMember([account.id]);
    const withSuspended = await addMember([account.id, suspended.id]);
    const withOther = await addMember([account.id, other.id]);
    const administrator = await addMember([account.id], { administrator: true });
    const inactive = await addMember([account.id], { status: 'inactive' });
    const members = [only, withSuspended, withOther, administrator, inactive];
    const sessions = (): Promise<number[]> => Promise.all(members.map(sessionsOf));
    expect(await sessions()).toEqual([1, 1, 1, 1, 1]);
    const unchosen = await setStatus({ status: 'suspended', reason: 'Unpaid' });
    expect(unchosen.body.signed_out).toBe(0);
    expect(await sessions()).toEqual([1, 1, 1, 1, 1]);
    const { updated_at } = unchosen.body;
    const reactivated = await setStatus({ status: 'active', end_sessions: true, updated_at });
    expect(reactivated.body.signed_out).toBe(0);
    const chosen = await setStatus({
      status: 'suspended',
      reason: 'Unpaid',
      end_sessions: true,
      updated_at: reactivated.body.updated_at,
    });
    expect(chosen.body.signed_out).toBe(2);
    expect(await sessions()).toEqual([0, 0, 1, 1, 1]);
  });

  it('ends no session if the transition is rejected', async () => {
    account = await insert('archived');
    const member = await addMember([account.id]);
    const body = { status: 'suspended', reason: 'Unpaid', end_sessions: true };
    expect((await setStatus(body)).status).toBe(409);
    expect(await sessionsOf(member)).toBe(1);
  });
});
