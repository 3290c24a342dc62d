/** The header `Idempotency-Key` of functions: a repeated call has its effect once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { functions, isReadingFunction } from '@lanternrock/contract/functions';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { fingerprint } from '@lanternrock/testing/fingerprint';
import {
  createIdempotentCalls,
  createIdempotentCall,
  purgeRequestKeys,
} from '../src/functions/idempotent-calls.ts';
import { openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

eachEngine('Idempotency-Key of functions', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    // A busy machine takes seconds for an email.
    fixture = await openEmailFixture(engine, { sendTimeoutMs: 30_000 });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from private.request_keys`);
  });

  const call = async (
    key: string,
    body: object = ann,
    { name = 'send-user-invitation', as = fixture.admin } = {},
  ): Promise<{ status: number; text: string; code: string | undefined }> => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${as}`,
      'Idempotency-Key': key,
    };
    const response = await fixture.call(body, as, { headers }, name);
    const text = await response.text();
    return { status: response.status, text, code: (JSON.parse(text) as { code?: string }).code };
  };
  /** Without the notices to other administrators. */
  const emails = (): Promise<unknown[]> =>
    fixture.database.query(sql`select 1 from private.deliveries where kind = 'invitation'`);
  const keys = () =>
    fixture.database.query<{ body: string | null }>(sql`select body from private.request_keys`);

  const expire = (): Promise<unknown> =>
    fixture.database.query(sql`update private.request_keys set created_at = now() - interval '25 hours'`);

  it('sends one email for a repeated invitation, and returns the first response', async () => {
    const key = randomUUID();
    const first = await call(key);
    expect(first.status).toBe(200);
    fixture.clock.ahead = 3_600_000;
    expect(await call(key)).toEqual(first);
    expect(await call(key.toUpperCase())).toEqual(first);
    expect(await emails()).toHaveLength(1);
    expect(fixture.mailServer.messages).toHaveLength(1);
    // A new key is a new request.
    expect((await call(randomUUID())).status).toBe(200);
    expect(await emails()).toHaveLength(2);
  });

  it('shares the result of a call that is running', async () => {
    const key = randomUUID();
    const results = await Promise.all(Array.from({ length: 5 }, () => call(key)));
    expect(new Set(results.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(results[0]?.status).toBe(200);
    expect(await emails()).toHaveLength(1);
  });

  it('waits for a call of another process, which has stored its key and not its response', async () => {
    const key = randomUUID();
    const first = await call(key);
    await fixture.database.query(sql`update private.request_keys set status = null, body = null`);
    const repeated = call(key);
    await fixture.database.query(
      sql`select private.keep_answer(caller, key, 200::smallint, '[]', ${first.text}) from private.request_keys`,
    );
    expect(await repeated).toEqual(first);
    expect(await emails()).toHaveLength(1);
  });

  it('does not repeat an act whose response was lost with its process', async () => {
    const key = randomUUID();
    await call(key);
    await fixture.database.query(
      sql`update private.request_keys set status = null, body = null, created_at = now() - interval '2 minutes'`,
    );
    const before = await fingerprint(fixture.database);
    expect(await call(key)).toMatchObject({ status: 409, code: 'outcome_unknown' });
    expect(await fingerprint(fixture.database)).toBe(before);
  });

  describe('rejects, and changes nothing', () => {
    it.each([
      ['another body', { ...ann, full_name: 'Ann Other' }, {}],
      ['another function', { email: ann.email }, { name: 'revoke-user-invitation' }],
    ])('the key with %s', async (_case, body, options) => {
      const key = randomUUID();
      await call(key);
      const before = await fingerprint(fixture.database);
      expect(await call(key, body, options)).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
      expect(await fingerprint(fixture.database)).toBe(before);
    });

    it.each(['', 'x', `x'; drop table private.request_keys; --`])('the key %j', async (key) => {
      const before = await fingerprint(fixture.database);
      expect(await call(key)).toMatchObject({ status: 400, code: 'invalid_idempotency_key' });
      expect(await fingerprint(fixture.database)).toBe(before);
    });

    it('a repeated call of a user who has lost the role', async () => {
      const other = await fixture.createUser({ administrator: true });
      const key = randomUUID();
      expect((await call(key, ann, { as: other })).status).toBe(200);
      await fixture.database.query(sql`delete from public.user_roles where user_id = ${other}`);
      expect(await call(key, ann, { as: other })).toMatchObject({ status: 403, code: 'not_platform_admin' });
      expect(await emails()).toHaveLength(1);
    });
  });

  it('stores nothing for a rejected call, for another user, and for a call that only reads', async () => {
    const key = randomUUID();
    expect((await call(key, { ...ann, email: 'no address' })).status).toBe(400);
    expect((await call(key, { email: ann.email }, { name: 'revoke-user-invitation' })).status).toBe(404);
    for (const name of ['list-activity', 'unsent-invitations'])
      expect((await call(key, {}, { name })).status).toBe(200);
    expect(await keys()).toEqual([]);
    expect((await call(key)).status).toBe(200);
    const other = await fixture.createUser({ administrator: true });
    expect((await call(key, { ...ann, email: 'bob@example.org' }, { as: other })).status).toBe(200);
    expect(await emails()).toHaveLength(2);
  });

  it('stores no link of an invitation', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 550 };
    await call(randomUUID());
    await fixture.database.query(sql`delete from private.request_keys`);
    const created = await call(randomUUID(), { email: ann.email }, { name: 'create-invitation-link' });
    expect(created.status).toBe(200);
    expect(await keys()).toEqual([]);
  });

  it('forgets a key after 24 hours', async () => {
    const key = randomUUID();
    await call(key);
    await expire();
    expect((await call(key, { ...ann, full_name: 'Ann' })).status).toBe(200);
    expect(await emails()).toHaveLength(2);
    expect(await call(key)).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it.runIf(engine === 'postgres')('waits for no other call that found expired keys', async () => {
    await call(randomUUID());
    await expire();
    const calls = createIdempotentCalls(fixture.database);
    const claimWith = (work: () => Promise<object>): Promise<string> =>
      calls.run(createIdempotentCall(randomUUID(), 'someone', []), (claim) =>
        fixture.database.transaction(async (tx) => {
          await claim(tx);
          return work();
        }),
      );
    expect(await claimWith(async () => ({ inner: await claimWith(async () => ({})) }))).toBe(
      '{"inner":"{}"}',
    );
  });

  it('deletes expired keys only', async () => {
    await call(randomUUID());
    await expire();
    await call(randomUUID());
    expect(await keys()).toHaveLength(2);
    await purgeRequestKeys(fixture.database);
    expect(await keys()).toHaveLength(1);
  });
});

it('names as reading functions only those that have no verb of a change', () => {
  const changing = /^(?:add|confirm|create|end|import|invite|remove|reset|restore|revoke|send|set|undo)-/;
  expect(Object.keys(functions).filter((name) => isReadingFunction(name) && changing.test(name))).toEqual([]);
});
