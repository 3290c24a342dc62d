/** Functions that revoke an invitation, remove an administrator and restore one. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { invitationTables, openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };
const names = ['revoke-user-invitation', 'remove-administrator', 'restore-administrator'] as const;

eachEngine('administrators', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const call = async (
    name: string,
    body: unknown = { email: ann.email },
    as: string | undefined = fixture.admin,
  ): Promise<unknown[]> => {
    const response = await fixture.call(body, as, undefined, name);
    return [response.status, await response.json()];
  };
  const status = async (): Promise<unknown> =>
    (
      await fixture.database.query(sql`select status from public.user_invitations where email = ${ann.email}`)
    )[0]?.['status'];
  const accepted = async (): Promise<string> => {
    await fixture.call(ann, fixture.admin);
    const [user] = await fixture.database.query<{ id: string }>(
      sql`update auth.users set encrypted_password = 'own', raw_app_meta_data = '{}' where email = ${ann.email} returning id`,
    );
    const id = user?.id ?? '';
    await fixture.database.query(sql`select private.accept_invitation(${id})`);
    await fixture.database.query(
      sql`insert into auth.sessions (user_id, refresh_token_key) values (${id}, ${Buffer.alloc(32)})`,
    );
    return id;
  };

  it.each(names)(
    '%s is for platform administrators only, accepts one email address, and changes nothing else',
    { tags: ['X01'] },
    async (name) => {
      await accepted();
      const member = await fixture.createUser({ email: 'member@example.org' });
      const before = await invitationTables(fixture.database);
      expect(await call(name, { email: ann.email }, member)).toEqual([
        403,
        expect.objectContaining({ code: 'not_platform_admin' }),
      ]);
      expect((await fixture.call({ email: ann.email }, undefined, undefined, name)).status).toBe(401);
      for (const email of ['a@b.co, e@x.co', '', 7, undefined]) {
        expect(await call(name, { email })).toEqual([
          400,
          { code: 'validation_failed', error: expect.stringMatching(/^Invalid email address($|: )/) },
        ]);
      }
      expect(await call(name, { email: 'unknown@example.org' })).toEqual([
        404,
        expect.objectContaining({ error: expect.any(String) }),
      ]);
      expect((await fixture.call('', fixture.admin, { method: 'PUT', body: '{}' }, name)).status).toBe(405);
      expect(await invitationTables(fixture.database)).toBe(before);
    },
  );

  it('revokes an open invitation once', async () => {
    await fixture.call(ann, fixture.admin);
    expect(await call('revoke-user-invitation', { email: ' ANN@example.org ' })).toEqual([
      200,
      { success: true },
    ]);
    expect(await status()).toBe('revoked');
    expect(await call('revoke-user-invitation')).toEqual([
      404,
      { code: 'no_open_invitation', error: 'There is no pending invitation for ann@example.org.' },
    ]);
  });

  it('removes an administrator: role deleted, user banned, sessions revoked, and the next call is rejected', async () => {
    const id = await accepted();
    expect((await fixture.call({ email: 'x@example.org', full_name: 'Some Body' }, id)).status).toBe(200);
    expect(await call('remove-administrator')).toEqual([200, { success: true }]);
    const [left] = await fixture.database.query(
      sql`select (select count(*)::int from public.user_roles where user_id = ${id}) as roles,
                 (select count(*)::int from auth.sessions where user_id = ${id}) as sessions,
                 (select banned_until > now() from auth.users where id = ${id}) as banned`,
    );
    expect(left).toEqual({ roles: 0, sessions: 0, banned: true });
    expect(await status()).toBe('removed');
    expect((await fixture.call({ email: 'y@example.org', full_name: 'Some Body' }, id)).status).toBe(401);
    expect(await call('remove-administrator')).toEqual([
      404,
      expect.objectContaining({ code: 'not_administrator' }),
    ]);
    const [audit] = await fixture.database.query(
      sql`select actor from private.audit_log where table_name = 'public.user_roles' and action = 'DELETE' order by id desc limit 1`,
    );
    expect(audit).toEqual({ actor: fixture.admin });
  });

  it('restores the previous access exactly', async () => {
    const id = await accepted();
    await call('remove-administrator');
    expect(await call('restore-administrator')).toEqual([200, { success: true }]);
    const [user] = await fixture.database.query(
      sql`select encrypted_password, banned_until, (select count(*)::int from public.user_roles where user_id = ${id}) as roles
          from auth.users where id = ${id}`,
    );
    expect(user).toEqual({ encrypted_password: 'own', banned_until: null, roles: 1 });
    expect(await status()).toBe('accepted');
    expect(await call('restore-administrator')).toEqual([
      404,
      expect.objectContaining({ code: 'not_removed', error: `${ann.email} is already an administrator.` }),
    ]);
  });

  it('a removed administrator can be invited again, and can then no longer be restored', async () => {
    await accepted();
    await call('remove-administrator');
    expect((await fixture.call(ann, fixture.admin)).status).toBe(200);
    expect(await status()).toBe('pending');
    expect(await call('restore-administrator')).toEqual([
      404,
      expect.objectContaining({ code: 'not_removed' }),
    ]);
  });

  it('keeps the last administrator, also when two administrators remove each other concurrently', async () => {
    const before = await invitationTables(fixture.database);
    expect(await call('remove-administrator', { email: 'administrator@example.org' })).toEqual([
      409,
      {
        code: 'last_administrator',
        error:
          'One administrator without an end date must remain. Invite another administrator first, or remove the end date of one.',
      },
    ]);
    expect(await invitationTables(fixture.database)).toBe(before);
    const other = await fixture.createUser({ administrator: true, email: 'other@example.org' });
    const responses = await Promise.all([
      call('remove-administrator', { email: 'other@example.org' }, fixture.admin),
      call('remove-administrator', { email: 'administrator@example.org' }, other),
    ]);
    expect(responses.filter(([code]) => code === 200)).toHaveLength(1);
    const [roles] = await fixture.database.query(sql`select count(*)::int as count from public.user_roles`);
    expect(roles).toEqual({ count: 1 });
    await fixture.database.query(sql`update auth.users set banned_until = null where id = ${fixture.admin}`);
    await fixture.database.query(
      sql`insert into public.user_roles (user_id, role) values (${fixture.admin}, 'platform_admin') on conflict do nothing`,
    );
    await fixture.database.query(
      sql`insert into auth.sessions (user_id, refresh_token_key) values (${fixture.admin}, ${Buffer.alloc(32)})`,
    );
  });
});
