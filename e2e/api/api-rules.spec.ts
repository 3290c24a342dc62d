/** Checks rules of the service by direct API requests. */
import { expect, test } from '../support/console-fixtures.ts';
import type { Instance } from '../support/fixtures.ts';
import { testPassword } from '../support/users.ts';
import { account, request, insertRows, listRows, unique } from '../support/api.ts';

/** Tables that must not change after a rejected request. */
const tables = [
  'accounts',
  'account_members',
  'user_roles',
  'profiles',
  'notification_settings',
  'user_invitations',
];
const readAllTables = async (instance: Instance): Promise<string> =>
  JSON.stringify(await Promise.all(tables.map((table) => listRows(instance, table, 'select=*&order=id'))));

test(
  'returns the required columns and rejects unknown enum values',
  { tag: ['@C155', '@C156', '@C166', '@C168', '@C300'] },
  async ({ instance, users }) => {
    const { session } = await users.administrator();
    await users.invite(`${unique('columns')}@example.org`);
    const token = session.access_token;
    const [row] = await insertRows(instance, 'accounts', [account(unique('columns'))]);
    const columns = [
      'id',
      'name',
      'slug',
      'account_type',
      'address',
      'city',
      'state',
      'zip_code',
      'status',
      'created_by',
      'created_at',
      'updated_at',
    ];
    expect(Object.keys(row ?? {})).toEqual(expect.arrayContaining(columns));
    expect(row).toMatchObject({
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const invitations = await request(
      instance,
      '/rest/v1/user_invitations?select=id,full_name,email,invited_at,status,expires_at&limit=1',
      { token },
    );
    expect(invitations).toMatchObject({
      status: 200,
      body: [{ status: expect.any(String), expires_at: expect.any(String) }],
    });
    expect(
      (
        await request(instance, '/rest/v1/notification_settings?select=id,sender_email,sender_name', {
          token,
        })
      ).status,
    ).toBe(200);
    const roles = await listRows(instance, 'user_roles', 'select=user_id,role');
    expect(new Set(roles.map(({ role }) => role))).toEqual(new Set(['platform_admin']));
    for (const type of ['enterprise', 'organization']) {
      await insertRows(instance, 'accounts', [account(unique(type), { account_type: type })]);
    }
    const service = instance.serviceRoleKey();
    expect(
      (
        await request(instance, '/rest/v1/accounts', {
          token: service,
          body: account(unique('foo'), { account_type: 'foo' }),
        })
      ).status,
    ).toBe(400);
    const { id } = await users.plain();
    expect(
      (
        await request(instance, '/rest/v1/user_roles', {
          token: service,
          body: { user_id: id, role: 'owner' },
        })
      ).status,
    ).toBe(400);
  },
);

test.describe('database constraints', () => {
  const long = (length: number): string => 'x'.repeat(length);
  const cases: [tag: string, what: string, table: string, body: () => Record<string, unknown>][] = [
    ['@C211', 'another account type', 'accounts', () => account(unique('t'), { account_type: 'foo' })],
    ['@C299', 'a name of 201 characters', 'accounts', () => account(long(201))],
    ['@C299', 'an address of 501 characters', 'accounts', () => account(unique('a'), { address: long(501) })],
    ['@C299', 'a city of 101 characters', 'accounts', () => account(unique('c'), { city: long(101) })],
    ['@C299', 'a state of 51 characters', 'accounts', () => account(unique('s'), { state: long(51) })],
    ['@C299', 'a zip code of 21 characters', 'accounts', () => account(unique('z'), { zip_code: long(21) })],
    ['@C299', 'a sender name of 101 characters', 'notification_settings', () => ({ sender_name: long(101) })],
  ];
  for (const [tag, what, table, body] of cases) {
    test(`reject ${what}`, { tag: [tag, '@C296', '@X04'] }, async ({ instance, users }) => {
      const { id, session } = await users.administrator();
      const settings = table === 'notification_settings';
      // Another test may have created the only row.
      if (settings)
        await request(instance, `/rest/v1/${table}`, {
          token: session.access_token,
          body: { sender_email: 'a@b.example', sender_name: 'Patrol' },
        });
      const before = await readAllTables(instance);
      const values = table === 'accounts' ? { ...body(), created_by: id } : body();
      const response = await request(instance, `/rest/v1/${table}${settings ? '?id=not.is.null' : ''}`, {
        token: session.access_token,
        body: values,
        ...(settings && { method: 'PATCH' }),
      });
      expect(response.status).toBe(400);
      expect(Object.keys(response.body ?? {}).sort()).toEqual(['code', 'details', 'hint', 'message']);
      expect(await readAllTables(instance)).toBe(before);
    });
  }
});

test(
  'returns the user with identities and rejects a short password',
  { tag: ['@C173', '@C235', '@C298'] },
  async ({ instance, users }) => {
    const user = await users.create();
    const token = user.session.access_token;
    const response = await request(instance, '/auth/v1/user', { token });
    expect(response).toMatchObject({
      status: 200,
      body: {
        id: user.id,
        email: user.email,
        identities: [{ identity_id: expect.any(String), provider: 'email' }],
      },
    });
    const rejected = await request(instance, '/auth/v1/user', {
      token,
      method: 'PUT',
      body: { password: '1234567' },
    });
    expect(rejected).toMatchObject({ status: 422, body: { error_code: 'weak_password' } });
    const signIn = await request(instance, '/auth/v1/token?grant_type=password', {
      body: { email: user.email, password: testPassword },
    });
    expect(signIn.status).toBe(200);
  },
);

test(
  'returns type, status and name of an enrolled factor',
  { tag: ['@C172', '@C243'] },
  async ({ instance, users }) => {
    const { session } = await users.create();
    const token = session.access_token;
    const body = { factor_type: 'totp', friendly_name: 'Phone of the pier', issuer: 'Test' };
    const enrolled = await request(instance, '/auth/v1/factors', { token, body });
    expect(enrolled).toMatchObject({
      status: 200,
      body: { type: 'totp', totp: { secret: expect.any(String), uri: expect.any(String) } },
    });
    const user = await request(instance, '/auth/v1/user', { token });
    expect(user.body).toMatchObject({
      factors: [{ factor_type: 'totp', status: 'unverified', friendly_name: 'Phone of the pier' }],
    });
  },
);

test(
  'rejects every read and write without the role',
  { tag: ['@X01', '@X02', '@X03'] },
  async ({ instance, users }) => {
    const user = await users.create({ isAdministrator: false });
    const { id: other } = await users.administrator();
    const token = user.session.access_token;
    await insertRows(instance, 'accounts', [account(unique('not-theirs'))]);
    const before = await readAllTables(instance);
    const role = { user_id: user.id, role: 'platform_admin' };
    const writes: [method: string, path: string, body?: unknown, prefer?: string][] = [
      ['POST', 'user_roles', role],
      ['POST', 'user_roles', [role], 'return=representation'],
      ['POST', 'user_roles?on_conflict=user_id,role', role, 'resolution=merge-duplicates'],
      ['PATCH', `user_roles?user_id=eq.${other}`, { user_id: user.id }],
      ['DELETE', `user_roles?user_id=eq.${other}`],
      ['PATCH', `profiles?id=eq.${other}`, { full_name: 'Taken' }],
      ['POST', 'account_members', { account_id: other, user_id: user.id }],
      ['POST', 'accounts', { ...account(unique('rejected')), created_by: user.id }],
      ['PATCH', 'accounts?status=eq.active', { status: 'suspended' }],
      ['POST', 'user_invitations', { full_name: 'Self Made', email: 'self@example.org', status: 'accepted' }],
      ['POST', 'notification_settings', { sender_email: 'a@b.example', sender_name: 'Mine' }],
      ['POST', 'rpc/accept_invitation', { invited_user: user.id }],
    ];
    for (const [method, path, body, prefer] of writes) {
      const response = await request(instance, `/rest/v1/${path}`, {
        token,
        method,
        ...(body === undefined ? {} : { body }),
        ...(prefer === undefined ? {} : { headers: { Prefer: prefer } }),
      });
      expect(response.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      expect(response.status, `${method} ${path}`).toBeLessThan(500);
    }
    // User metadata is free text and grants no rights.
    await request(instance, '/auth/v1/user', {
      token,
      method: 'PUT',
      body: { data: { role: 'platform_admin' }, app_metadata: { role: 'platform_admin' } },
    });
    expect(await readAllTables(instance)).toBe(before);

    for (const query of [
      'select=*',
      'select=id,full_name',
      'select=id&status=eq.pending',
      'select=id&order=email',
    ]) {
      expect(await request(instance, `/rest/v1/user_invitations?${query}`, { token })).toEqual({
        status: 200,
        body: [],
      });
      expect(await request(instance, `/rest/v1/accounts?select=*`, { token })).toEqual({
        status: 200,
        body: [],
      });
    }
    const reads: [headers: Record<string, string>, query: string][] = [
      [{ Prefer: 'count=exact' }, 'select=*'],
      [{ Prefer: 'count=exact', Range: '0-0' }, 'select=id'],
      [{ Accept: 'text/csv' }, 'select=email'],
    ];
    for (const [headers, query] of reads) {
      for (const method of ['GET', 'HEAD']) {
        const response = await fetch(`${instance.url}/rest/v1/user_invitations?${query}`, {
          method,
          headers: { apikey: instance.anonKey(), Authorization: `Bearer ${token}`, ...headers },
        });
        expect(response.status).toBeLessThan(300);
        if (headers['Prefer']) expect(response.headers.get('content-range')).toBe('*/0');
        expect(await response.text()).not.toContain('@');
      }
    }
    const embedded = await request(instance, '/rest/v1/account_members?select=*,accounts(*)', { token });
    expect(embedded).toEqual({ status: 200, body: [] });
  },
);
