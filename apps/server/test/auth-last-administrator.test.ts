/** The last platform administrator keeps access, also from the admin endpoints. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

eachEngine('the last administrator', (engine) => {
  let test: TestService;
  let admin: AuthRequester;
  beforeAll(async () => {
    test = await startTestService(engine);
    const auth = createAuthRequester(test);
    admin = (method, path, call = {}) => auth(method, path, { bearer: test.serviceRoleKey, ...call });
  });
  afterAll(() => test.close());

  let id: string;
  let path: string;
  beforeEach(async () => {
    ({ id } = await test.createUser({ isAdministrator: true }));
    await test.database.query(sql`delete from public.user_roles where user_id <> ${id}`);
    path = `/admin/users/${id}`;
  });

  it('cannot be deleted, banned or get another database role', { tags: ['X14'] }, async () => {
    const conflict = { status: 422, json: { code: 'conflict' } };
    expect(await admin('DELETE', path)).toMatchObject(conflict);
    expect(await admin('DELETE', path, { body: { should_soft_delete: true } })).toMatchObject(conflict);
    expect(await admin('PUT', path, { body: { ban_duration: '24h' } })).toMatchObject(conflict);
    expect(await admin('PUT', path, { body: { role: 'other' } })).toMatchObject({
      status: 422,
      json: { code: 'conflict', message: 'An administrator must have the database role authenticated' },
    });
    const { json } = await admin('GET', path);
    expect(json).toMatchObject({ role: 'authenticated' });
    expect(json).not.toHaveProperty('banned_until');
  });

  it('is left by two concurrent bans', { tags: ['X14'] }, async () => {
    const other = await test.createUser({ isAdministrator: true });
    const responses = await Promise.all(
      [path, `/admin/users/${other.id}`].map((user) => admin('PUT', user, { body: { ban_duration: '24h' } })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('loses the role with a soft deletion once there is another one', { tags: ['X14'] }, async () => {
    await test.createUser({ isAdministrator: true });
    expect((await admin('DELETE', path, { body: { should_soft_delete: true } })).status).toBe(200);
    const roles = await test.database.query(sql`select from public.user_roles where user_id = ${id}`);
    expect(roles).toEqual([]);
  });
});
