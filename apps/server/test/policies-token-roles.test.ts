import { randomUUID } from 'node:crypto';
import type * as jose from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { decodeClaims } from '@lanternrock/auth/test-support/auth-requests';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

eachEngine('the role and user of a token', (engine) => {
  let test: TestService;
  let admin: TestUser;
  let member: TestUser;
  let claims: jose.JWTPayload;
  let ownAccountId: string;

  beforeAll(async () => {
    test = await startTestService(engine);
    admin = await test.createUser({ isAdministrator: true });
    member = await test.createUser();
    claims = decodeClaims(await test.signIn(admin));
    ownAccountId = randomUUID();
    await test.database.query(sql`insert into public.accounts (id, name, slug, account_type, created_by)
      values (${ownAccountId}, 'Own', 'own', 'enterprise', ${admin.id}), (${randomUUID()}, 'Other', 'other', 'enterprise', ${admin.id})`);
    await test.database.query(
      sql`insert into public.account_members (account_id, user_id) values (${ownAccountId}, ${member.id})`,
    );
  });
  afterAll(() => test.close());

  const ask = async (
    token: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; rows: unknown }> => {
    const response = await test.request(`/rest/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        apikey: test.anonKey,
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, rows: await response.json() };
  };
  const signed = (change: object): Promise<string> =>
    test.service.keys.signing.sign({ ...claims, ...change });
  const names = async (token: string): Promise<unknown> =>
    (await ask(token, 'accounts?select=name&order=name')).rows;
  const account = { name: 'New', slug: 'new', account_type: 'enterprise', status: 'active' };

  it.each([
    ['role anon with an administrator as sub', { role: 'anon' }, [401]],
    ['no sub', { sub: undefined, session_id: undefined }, [200]],
    ['no sub, but the session of an administrator', { sub: undefined }, [200]],
    ['an empty sub', { sub: '' }, [401]],
    ['the nil UUID', { sub: '00000000-0000-0000-0000-000000000000', session_id: undefined }, [401]],
    ['a sub of an unknown user', { sub: randomUUID() }, [401]],
  ])('never grants the access of another user: %s', { tags: ['RLS-06'] }, async (_name, change, statuses) => {
    const token = await signed(change);
    const before = await test.fingerprint();
    const read = await ask(token, 'accounts?select=name');
    expect(statuses).toContain(read.status);
    if (read.status === 200) expect(read.rows).toEqual([]);
    const written = await ask(token, 'accounts', { ...account, created_by: admin.id });
    expect([401, 403]).toContain(written.status);
    expect(await test.fingerprint()).toBe(before);
  });

  it('the service role reads everything without a user ID', { tags: ['RLS-06'] }, async () => {
    const token = await signed({ role: 'service_role', sub: undefined, session_id: undefined });
    expect(await names(token)).toHaveLength(2);
  });

  it('a membership applies from the next request until it ends', { tags: ['RLS-05'] }, async () => {
    const { access_token } = await test.signIn(member);
    expect(await names(access_token)).toEqual([{ name: 'Own' }]);
    await test.database.query(
      sql`update public.account_members set status = 'inactive' where user_id = ${member.id}`,
    );
    expect(await names(access_token)).toEqual([]);
    await test.database.query(
      sql`update public.account_members set status = 'active' where user_id = ${member.id}`,
    );
    expect(await names(access_token)).toEqual([{ name: 'Own' }]);
  });

  it('a role applies from the next request until it is removed', { tags: ['RLS-05'] }, async () => {
    const { access_token } = await test.signIn(member);
    await test.database.query(
      sql`insert into public.user_roles (user_id, role) values (${member.id}, 'platform_admin')`,
    );
    expect(await names(access_token)).toHaveLength(2);
    await test.database.query(sql`delete from public.user_roles where user_id = ${member.id}`);
    expect(await names(access_token)).toEqual([{ name: 'Own' }]);
  });
});
