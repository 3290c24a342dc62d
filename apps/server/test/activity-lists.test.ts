/** Which requests an action on a list of invitations has in the activity: its end, its races, and what is never a part of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ActivityGroup, ActivityResponse } from '@lanternrock/contract/activity';
import { type Statement, sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('actions on lists of invitations', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await inAdministration('truncate private.audit_log');
  });

  const call = async (name: string, body: object, as = fixture.admin): Promise<unknown> => {
    const response = await fixture.call(body, as, {}, name);
    const text = await response.text();
    expect({ name, status: response.status, text }).toMatchObject({ status: 200 });
    return JSON.parse(text);
  };
  const list = async (body: object = {}): Promise<readonly ActivityGroup[]> =>
    ((await call('list-activity', body)) as ActivityResponse).entries;
  const invite = (numbers: readonly number[]): Promise<unknown> =>
    call('invite-list', {
      invitations: numbers.map((number) => ({ email: `p${number}@example.org`, full_name: `P ${number}` })),
    });
  const resend = (email: string, listId: string): Promise<unknown> =>
    call('send-user-invitation', { email, full_name: 'Bo', list_id: listId });
  const inAdministration = (text: string): Promise<unknown> =>
    fixture.database.maintenance((tx) => fixture.database.script(tx, text));

  it('names each person whom an invitation gives new access, also as a part of a list that is sent again', async () => {
    const bo = await fixture.createUser({ email: 'removed@example.org', administrator: true });
    await fixture.database
      .query(sql`insert into private.invitations (email, full_name, user_id, status, accepted_at, expires_at)
      values ('removed@example.org', 'Bo', ${bo}, 'accepted', now(), now())`);
    await call('remove-administrator', { email: 'removed@example.org' });
    await invite([1, 2, 3]);
    await call('revoke-user-invitation', { email: 'p1@example.org' });
    await fixture.database.query(
      sql`update private.invitations set expires_at = now() - interval '1 minute' where email = 'p2@example.org'`,
    );
    for (const [email, expected] of [
      ['unknown@example.org', 'INSERT'],
      ['p1@example.org', 'UPDATE'],
      ['p2@example.org', 'UPDATE'],
      ['removed@example.org', 'UPDATE'],
      ['p3@example.org', 'list_resent'],
    ] as const) {
      await inAdministration('truncate private.audit_log');
      await resend(email, randomUUID());
      const actions = (await list({ kind: 'invitations', person: fixture.admin })).map(
        ({ action, record_name: name }) => [action, name],
      );
      expect({ email, actions }).toEqual({
        email,
        actions: [expected === 'list_resent' ? [expected, null] : [expected, 'Bo']],
      });
    }
  });

  it('is another entry when the list continues after an hour without a request', async () => {
    await invite([1, 2, 3, 4]);
    const age = (): Promise<unknown> =>
      inAdministration(`alter table private.audit_log disable row level security;
        update private.audit_log set at = at - interval '40 minutes';
        alter table private.audit_log enable row level security`);
    const listId = randomUUID();
    const revoke = (number: number): Promise<unknown> =>
      call('revoke-user-invitation', { email: `p${number}@example.org`, list_id: listId });
    const counts = async (): Promise<unknown[]> =>
      (await list({ kind: 'invitations' }))
        .filter(({ action }) => action === 'list_revoked')
        .map(({ listed }) => listed);
    await revoke(1);
    await age();
    await revoke(2);
    // The entry is 80 minutes old now, and its newest part 40 minutes.
    await age();
    await revoke(3);
    expect(await counts()).toEqual([3]);
    await age();
    await age();
    await revoke(4);
    expect(await counts()).toEqual([1, 3]);
    const [newest] = await list();
    expect(newest).toMatchObject({ action: 'list_revoked', listed: 1 });
  });

  /** Starts requests while a transaction holds what they wait for. */
  const startDuring = async <T>(
    held: Statement,
    start: () => readonly Promise<T>[],
  ): Promise<readonly T[]> => {
    const { responses } = await fixture.database.transaction(async (tx) => {
      await tx.query(held);
      const started = start();
      await expect
        .poll(() =>
          fixture.database.query(sql`select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database()`),
        )
        .toHaveLength(started.length);
      return { responses: started };
    });
    return Promise.all(responses);
  };

  // The embedded database runs one transaction at a time.
  it.skipIf(engine === 'embedded')('is one entry for requests at the same time', async () => {
    await invite([1, 2]);
    const listId = randomUUID();
    // Each request can read the log, and none can add to it.
    await startDuring(sql`lock table private.audit_log in share mode`, () =>
      [1, 2].map((number) =>
        call('revoke-user-invitation', { email: `p${number}@example.org`, list_id: listId }),
      ),
    );
    const revoked = (await list()).filter(({ action }) => action === 'list_revoked');
    expect(revoked.map(({ listed }) => listed)).toEqual([2]);
  });

  it.skipIf(engine === 'embedded')('adds no entry for a revocation that an acceptance precedes', async () => {
    await invite([1]);
    const request = { email: 'p1@example.org', list_id: randomUUID() };
    const accepted = sql`update private.invitations set status = 'accepted', accepted_at = now()
      where email = 'p1@example.org'`;
    const [response] = await startDuring(accepted, () => [
      fixture.call(request, fixture.admin, {}, 'revoke-user-invitation'),
    ]);
    expect(response?.status).toBe(404);
    expect((await list()).filter(({ action }) => action === 'list_revoked')).toEqual([]);
  });
});
