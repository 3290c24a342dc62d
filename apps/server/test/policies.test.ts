/**
 * The permission table: every role, every product table, every verb, in each request form. Each rejected
 * request is followed by a check that the whole database is unchanged.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { roles, expectedOutcome, tables, visible, type Role } from './support/permissions.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const code = '42501';
const rejectedStatus = (role: Role): number => (role === 'anon' ? 401 : 403);

eachEngine('policies', (engine) => {
  let service: TestService;
  let tokens: Record<Role, string>;
  let ids: { member: string; admin: string; spare: string; account: string; settings: string };

  beforeAll(async () => {
    service = await startTestService(engine);
    const { database } = service;
    const member = await service.createUser({ email: 'member@example.org' });
    const plain = await service.createUser({ email: 'plain@example.org' });
    const admin = await service.createUser({ email: 'admin@example.org', isAdministrator: true });
    const spare = await service.createUser({ email: 'spare@example.org' });
    ids = {
      member: member.id,
      admin: admin.id,
      spare: spare.id,
      account: randomUUID(),
      settings: randomUUID(),
    };
    const other = randomUUID();
    await database.transaction(async (tx) => {
      await tx.query(sql`insert into public.accounts (id, name, slug, account_type, created_by)
        values (${ids.account}, 'Own', 'own', 'enterprise', ${admin.id}), (${other}, 'Other', 'other', 'organization', ${admin.id})`);
      await tx.query(sql`insert into public.account_members (account_id, user_id)
        values (${ids.account}, ${member.id}), (${other}, ${spare.id})`);
      await tx.query(sql`insert into public.account_contacts (account_id, position, name)
        select id, 1, 'Contact' from public.accounts`);
      await tx.query(sql`insert into public.user_invitations (full_name, email)
        values ('First Person', 'first@example.org'), ('Second Person', 'second@example.org')`);
      await tx.query(sql`delete from public.notification_settings`);
      await tx.query(sql`insert into public.notification_settings (id, sender_email, sender_name)
        values (${ids.settings}, 'sender@example.org', 'Sender')`);
    });
    const signInToken = async (user: typeof member): Promise<string> =>
      (await service.signIn(user)).access_token;
    const ended = await service.createUser({ email: 'ended@example.org', isAdministrator: true });
    const aal1 = await service.createUser({ email: 'aal1@example.org', isAdministrator: true });
    const auth = createAuthRequester(service);
    const { elevated } = await addSecondFactor(auth, await signInToken(admin), () => new Date());
    await database.query(
      sql`update public.user_roles set ends_at = now() - interval '1 minute' where user_id = ${ended.id}`,
    );
    await database.query(sql`insert into private.second_factor_requirement (due_at) values (now())`);
    tokens = {
      anon: service.anonKey,
      'no role': await signInToken(plain),
      member: await signInToken(member),
      'ended admin': await signInToken(ended),
      'aal1 admin': await signInToken(aal1),
      'platform admin': String(elevated.json['access_token']),
      service: service.serviceRoleKey,
    };
  });
  afterAll(async () => service.close());

  const ask = async (
    role: Role,
    path: string,
    {
      method = 'GET',
      body,
      headers = {},
    }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; body: unknown; range: string | null }> => {
    const response = await service.request(`/rest/v1/${path}`, {
      method,
      headers: {
        apikey: role === 'service' ? service.serviceRoleKey : service.anonKey,
        Authorization: `Bearer ${tokens[role]}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      range: response.headers.get('content-range'),
    };
  };

  const rejected = async (
    role: Role,
    path: string,
    init: Parameters<typeof ask>[2],
    expected = code,
  ): Promise<void> => {
    const before = await service.fingerprint();
    const response = await ask(role, path, init);
    expect(
      [response.status, (response.body as { code: string }).code],
      JSON.stringify(response.body),
    ).toEqual([rejectedStatus(role), expected]);
    expect(Object.keys(response.body as object).sort()).toEqual(['code', 'details', 'hint', 'message']);
    expect(await service.fingerprint()).toBe(before);
  };

  describe.each(tables)('%s', (table) => {
    it.each(roles)('enforces read permission as %s', { tags: ['RLS-01'] }, async (role) => {
      const expected = visible(table, role);
      if (expected === null) {
        await rejected(role, table, {});
        await rejected(role, `${table}?select=id`, {});
        return;
      }
      const { status, body } = await ask(role, table);
      expect([status, (body as unknown[]).length]).toEqual([200, expected]);
      for (const count of ['exact', ...(role === 'service' ? [] : ['planned', 'estimated'])]) {
        const counted = await ask(role, `${table}?limit=1`, {
          method: 'HEAD',
          headers: { Prefer: `count=${count}` },
        });
        expect(counted.range?.split('/')[1]).toBe(String(expected));
      }
    });

    const insertion = (role: Role): Record<string, unknown> =>
      ({
        profiles: { id: ids.spare, full_name: 'x' },
        accounts: {
          name: `New ${role}`,
          slug: 'new',
          account_type: 'enterprise',
          address: null,
          city: null,
          state: null,
          zip_code: null,
          status: 'active',
          created_by: ids.admin,
        },
        user_roles: { user_id: ids.member, role: 'platform_admin' },
        account_members: { account_id: ids.account, user_id: ids.spare },
        account_contacts: { account_id: ids.account, position: 2, name: 'New Contact' },
        user_invitations: { full_name: 'Third Person', email: 'third@example.org' },
        notification_settings: { sender_email: 'new@example.org', sender_name: 'New' },
      })[table];

    it.each(roles)('enforces insert permission as %s', { tags: ['RLS-01', 'RLS-03'] }, async (role) => {
      const outcome = expectedOutcome(table, 'POST', role);
      const body = insertion(role);
      const shapes: [string, Parameters<typeof ask>[2]][] = [
        [table, { method: 'POST', body }],
        [table, { method: 'POST', body, headers: { Prefer: 'return=representation' } }],
        [`${table}?columns=${Object.keys(body).join(',')}`, { method: 'POST', body: [body, body] }],
      ];
      if (outcome !== 'ok') {
        for (const [path, init] of shapes) await rejected(role, path, init);
        await rejected(role, table, {
          method: 'POST',
          body,
          headers: { Prefer: 'resolution=merge-duplicates' },
        });
        return;
      }
      await service.database.query(sql`delete from public.notification_settings where id <> ${ids.settings}`);
      const { status, body: response } = await ask(role, table, { method: 'POST', body });
      // The row already exists. The error must be the one of the database constraint, not of a policy.
      const duplicateErrors = { profiles: '23505', notification_settings: '23505' } as Readonly<
        Record<string, string>
      >;
      if (duplicateErrors[table])
        expect([status, (response as { code: string }).code]).toEqual([409, duplicateErrors[table]]);
      else expect([status, response], JSON.stringify(response)).toEqual([201, null]);
      await service.database.transaction(async (tx) => {
        await tx.query(sql`delete from public.accounts where name like 'New %'`);
        await tx.query(sql`delete from public.user_roles where user_id = ${ids.member}`);
        await tx.query(
          sql`delete from public.account_members where user_id = ${ids.spare} and account_id = ${ids.account}`,
        );
      });
    });

    const change: Record<string, unknown> = {
      profiles: { full_name: 'Changed' },
      accounts: { city: 'Oslo' },
      user_roles: { user_id: randomUUID() },
      account_members: { status: 'inactive' },
      account_contacts: { note: 'Changed' },
      user_invitations: { status: 'accepted' },
      notification_settings: { sender_name: 'Changed' },
    }[table];
    const row = (): string =>
      ({
        profiles: `id=eq.${ids.spare}`,
        accounts: `id=eq.${ids.account}`,
        user_roles: `user_id=eq.${ids.spare}`,
        account_members: `user_id=eq.${ids.member}`,
        account_contacts: `account_id=eq.${ids.account}`,
        user_invitations: 'email=eq.first@example.org',
        notification_settings: `id=eq.${ids.settings}`,
      })[table];

    it.each(roles)('enforces update permission as %s', { tags: ['RLS-01', 'REST-12'] }, async (role) => {
      const outcome = expectedOutcome(table, 'PATCH', role);
      if (outcome === 'none') {
        const before = await service.fingerprint();
        const headers = { Prefer: 'return=representation' };
        const response = await ask(role, `${table}?${row()}`, { method: 'PATCH', body: change, headers });
        expect([response.status, response.body]).toEqual([200, []]);
        expect(await service.fingerprint()).toBe(before);
        return;
      }
      if (outcome !== 'ok') {
        await rejected(role, `${table}?${row()}`, { method: 'PATCH', body: change });
        await rejected(role, `${table}?${row()}`, {
          method: 'PATCH',
          body: change,
          headers: { Prefer: 'return=representation' },
        });
        if (outcome === 'grant') await rejected(role, table, { method: 'PATCH', body: change });
        return;
      }
      expect((await ask(role, `${table}?${row()}`, { method: 'PATCH', body: change })).status).toBe(204);
      await service.database.transaction(async (tx) => {
        await tx.query(sql`update public.accounts set city = null`);
        await tx.query(sql`update public.account_members set status = 'active'`);
      });
    });

    it.each(roles)('enforces delete permission as %s', { tags: ['RLS-01', 'REST-13'] }, async (role) => {
      const outcome = expectedOutcome(table, 'DELETE', role);
      if (outcome !== 'ok') {
        await rejected(role, `${table}?${row()}`, { method: 'DELETE' });
        await rejected(role, table, { method: 'DELETE' });
        return;
      }
      const none = await ask(role, `${table}?id=eq.${randomUUID()}`, { method: 'DELETE' });
      expect([none.status, none.range]).toEqual([204, '*/*']);
      const before = await service.fingerprint();
      const all = await ask(role, table, { method: 'DELETE' });
      expect([all.status, (all.body as { code: string }).code]).toEqual([400, '21000']);
      expect(await service.fingerprint()).toBe(before);
    });
  });

  describe('columns and values', () => {
    const account = (more: Record<string, unknown>): Record<string, unknown> => ({
      name: 'Tried',
      slug: 'tried',
      account_type: 'enterprise',
      status: 'active',
      created_by: ids.admin,
      ...more,
    });
    it.each<[string, Record<string, unknown>, number, string]>([
      ['another status', { status: 'suspended' }, 403, '42501'],
      ['another creator', { created_by: randomUUID() }, 403, '42501'],
      ['no creator', { created_by: null }, 403, '42501'],
      ['an id', { id: randomUUID() }, 403, '42501'],
      ['a timestamp', { created_at: '2020-01-01T00:00:00Z' }, 403, '42501'],
      ['a member count', { active_members: 5 }, 403, '42501'],
      ['an unknown column', { nothing: 1 }, 400, 'PGRST204'],
      ['a name with a bidirectional control character', { name: 'Tried \u202eknaB' }, 400, '23514'],
      ['a slug with a path', { slug: '../../x' }, 400, '23514'],
      ['a slug of 10 kB', { slug: 'a'.repeat(10_000) }, 400, '23514'],
      ['an unknown type', { account_type: 'Enterprise' }, 400, '22P02'],
    ])(
      'an administrator cannot insert an account with %s',
      { tags: ['REST-09'] },
      async (_name, more, status, expected) => {
        const before = await service.fingerprint();
        const response = await ask('platform admin', 'accounts', { method: 'POST', body: account(more) });
        expect([response.status, (response.body as { code: string }).code]).toEqual([status, expected]);
        expect(await service.fingerprint()).toBe(before);
      },
    );

    it(
      'an administrator can make the requests of the console',
      { tags: ['C165', 'C251', 'C253'] },
      async () => {
        const created = await ask('platform admin', 'accounts?select=*', {
          method: 'POST',
          body: account({ address: null, city: null, state: null, zip_code: null }),
          headers: { Prefer: 'return=representation', Accept: 'application/vnd.pgrst.object+json' },
        });
        expect([created.status, created.body]).toMatchObject([
          201,
          { name: 'Tried', status: 'active', created_by: ids.admin, active_members: 0 },
        ]);
        await service.database.query(sql`delete from public.accounts where name = 'Tried'`);
        const memberships = await ask(
          'member',
          `account_members?select=*,accounts(*)&user_id=eq.${ids.member}&status=eq.active`,
        );
        expect(memberships.body).toMatchObject([
          { user_id: ids.member, accounts: { name: 'Own', active_members: 1 } },
        ]);
      },
    );
  });

  describe('other access paths', () => {
    it.each(roles)('no other relation is exposed to %s', { tags: ['REST-06', 'REST-20'] }, async (role) => {
      const relations = await service.database.query<{ name: string }>(
        sql`select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'v', 'm', 'p', 'f') and n.nspname <> 'public' order by 1`,
      );
      const before = await service.fingerprint();
      for (const { name } of relations) {
        if ((tables as readonly string[]).includes(name)) continue;
        const { status, body } = await ask(role, encodeURIComponent(name));
        expect([name, status, (body as { code: string }).code]).toEqual([
          name,
          ...(role === 'anon' ? [401, '42501'] : [404, 'PGRST205']),
        ]);
      }
      expect(await service.fingerprint()).toBe(before);
    });

    it.each(roles)('no database function is exposed to %s', { tags: ['REST-08'] }, async (role) => {
      const functions = await service.database.query<{ name: string }>(
        sql`select distinct p.proname::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname in ('public', 'private', 'auth', 'platform')
               or p.proname in ('set_config', 'current_setting', 'pg_sleep', 'pg_read_file', 'query_to_xml', 'lo_import',
                 'pg_terminate_backend', 'has_table_privilege', 'pg_ls_dir', 'database_to_xml', 'generate_series', 'version')
            order by 1`,
      );
      expect(functions.length).toBeGreaterThan(10);
      for (const { name } of functions) {
        const { status, body } = await ask(role, `rpc/${name}`, { method: 'POST', body: {} });
        expect([name, status, (body as { code: string }).code]).toEqual([
          name,
          ...(role === 'anon' ? [401, '42501'] : [404, 'PGRST202']),
        ]);
      }
    });

    it('embeds return no more than separate requests', { tags: ['REST-07', 'REST-17'] }, async () => {
      const both = await ask('platform admin', 'accounts?select=name,account_members(user_id)&order=name');
      expect(both.body).toEqual([
        { name: 'Other', account_members: [] },
        { name: 'Own', account_members: [] },
      ]);
      const inner = await ask('platform admin', 'accounts?select=name,account_members!inner(user_id)', {
        headers: { Prefer: 'count=exact' },
      });
      expect([inner.body, inner.range]).toEqual([[], '*/0']);
      for (const select of [
        '*,user_roles(*)',
        '*,profiles(*)',
        '*,...user_roles(*)',
        '*,users(*)',
        '*,invitations(*)',
      ]) {
        const { status, body } = await ask('member', `account_members?select=${select}`);
        expect([select, status, (body as { code: string }).code]).toEqual([select, 400, 'PGRST200']);
      }
      const anonymous = await ask('anon', 'accounts?select=id,account_members(*)');
      expect([anonymous.status, (anonymous.body as { code: string }).code]).toEqual([401, '42501']);
    });

    it('checks grants before hidden rows', { tags: ['REST-18'] }, async () => {
      for (const body of [
        { user_id: ids.admin, role: 'platform_admin' },
        { user_id: randomUUID(), role: 'platform_admin' },
      ]) {
        await rejected('member', 'user_roles', { method: 'POST', body });
      }
    });

    it('the apikey header grants no permissions beyond the bearer token', { tags: ['REST-32'] }, async () => {
      const response = await service.request('/rest/v1/user_roles', {
        headers: { apikey: service.serviceRoleKey, Authorization: `Bearer ${tokens.member}` },
      });
      expect(await response.json()).toEqual([]);
    });
  });

  it('of administrators, who see all rows, let a search use its index', { tags: ['RLS-04'] }, async () => {
    const planFor = (role: string): Promise<string> =>
      service.database.transaction(async (tx) => {
        await tx.query(
          sql`select set_config('enable_seqscan', 'off', true), set_config('role', ${role}, true)`,
        );
        const rows = await tx.query(
          sql`explain (costs off) select * from public.accounts a where a.search_text ~ 'patrol'`,
        );
        return rows.map((row) => Object.values(row).join()).join('\n');
      });
    expect(await planFor('platform_administrator')).toContain('accounts_folded_search_idx');
    expect(await planFor('authenticated')).not.toContain('accounts_folded_search_idx');
  });
});
