/** What the service itself holds to, whatever a screen shows: called without a browser in between. */
import { expect, test } from './support/console-fixtures.ts';
import type { Product } from './support/fixtures.ts';
import { secret } from './support/users.ts';
import { account, request, insertRows, listRows, unique } from './support/api.ts';

/** Everything that a refused call could have changed. */
const tables = [
  'accounts',
  'account_members',
  'user_roles',
  'profiles',
  'notification_settings',
  'user_invitations',
];
const everything = async (product: Product): Promise<string> =>
  JSON.stringify(await Promise.all(tables.map((table) => listRows(product, table, 'select=*&order=id'))));

test('C155 C156 C166 C168 C300 the columns and the closed lists', async ({ product, people }) => {
  const { session } = await people.administrator();
  await people.invite(`${unique('columns')}@example.org`);
  const token = session.access_token;
  const [row] = await insertRows(product, 'accounts', [account(unique('columns'))]);
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
    product,
    '/rest/v1/user_invitations?select=id,full_name,email,invited_at,status,expires_at&limit=1',
    { token },
  );
  expect(invitations).toMatchObject({
    status: 200,
    body: [{ status: expect.any(String), expires_at: expect.any(String) }],
  });
  expect(
    (await request(product, '/rest/v1/notification_settings?select=id,sender_email,sender_name', { token }))
      .status,
  ).toBe(200);
  const roles = await listRows(product, 'user_roles', 'select=user_id,role');
  expect(new Set(roles.map(({ role }) => role))).toEqual(new Set(['platform_admin']));
  for (const type of ['enterprise', 'organization']) {
    await insertRows(product, 'accounts', [account(unique(type), { account_type: type })]);
  }
  const service = product.serviceRoleKey();
  expect(
    (
      await request(product, '/rest/v1/accounts', {
        token: service,
        body: account(unique('foo'), { account_type: 'foo' }),
      })
    ).status,
  ).toBe(400);
  const { id } = await people.plain();
  expect(
    (await request(product, '/rest/v1/user_roles', { token: service, body: { user_id: id, role: 'owner' } }))
      .status,
  ).toBe(400);
});

test.describe('refused by the database itself', () => {
  const long = (length: number): string => 'x'.repeat(length);
  const cases: [id: string, what: string, table: string, body: () => Record<string, unknown>][] = [
    ['C211 X04', 'another account type', 'accounts', () => account(unique('t'), { account_type: 'foo' })],
    ['C299 X04', 'a name of 201 characters', 'accounts', () => account(long(201))],
    [
      'C299 X04',
      'an address of 501 characters',
      'accounts',
      () => account(unique('a'), { address: long(501) }),
    ],
    ['C299 X04', 'a city of 101 characters', 'accounts', () => account(unique('c'), { city: long(101) })],
    ['C299 X04', 'a state of 51 characters', 'accounts', () => account(unique('s'), { state: long(51) })],
    [
      'C299 X04',
      'a zip code of 21 characters',
      'accounts',
      () => account(unique('z'), { zip_code: long(21) }),
    ],
    [
      'C299 X04',
      'a sender name of 101 characters',
      'notification_settings',
      () => ({ sender_name: long(101) }),
    ],
  ];
  for (const [ids, what, table, body] of cases) {
    test(`${ids} C296 ${what}`, async ({ product, people }) => {
      const { id, session } = await people.administrator();
      const settings = table === 'notification_settings';
      // There is one row at most, which another test may have made.
      if (settings)
        await request(product, `/rest/v1/${table}`, {
          token: session.access_token,
          body: { sender_email: 'a@b.example', sender_name: 'Patrol' },
        });
      const before = await everything(product);
      const values = table === 'accounts' ? { ...body(), created_by: id } : body();
      const answer = await request(product, `/rest/v1/${table}${settings ? '?id=not.is.null' : ''}`, {
        token: session.access_token,
        body: values,
        ...(settings && { method: 'PATCH' }),
      });
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body ?? {}).sort()).toEqual(['code', 'details', 'hint', 'message']);
      expect(await everything(product)).toBe(before);
    });
  }
});

test('C173 C235 C298 the user, its identities, and a password that is too short', async ({
  product,
  people,
}) => {
  const person = await people.make();
  const token = person.session.access_token;
  const user = await request(product, '/auth/v1/user', { token });
  expect(user).toMatchObject({
    status: 200,
    body: {
      id: person.id,
      email: person.email,
      identities: [{ identity_id: expect.any(String), provider: 'email' }],
    },
  });
  const refused = await request(product, '/auth/v1/user', {
    token,
    method: 'PUT',
    body: { password: '1234567' },
  });
  expect(refused).toMatchObject({ status: 422, body: { error_code: 'weak_password' } });
  const again = await request(product, '/auth/v1/token?grant_type=password', {
    body: { email: person.email, password: secret },
  });
  expect(again.status).toBe(200);
});

test('C172 C243 an enrolled factor has a type, a status and a name', async ({ product, people }) => {
  const { session } = await people.make();
  const token = session.access_token;
  const body = { factor_type: 'totp', friendly_name: 'Phone of the pier', issuer: 'Test' };
  const enrolled = await request(product, '/auth/v1/factors', { token, body });
  expect(enrolled).toMatchObject({
    status: 200,
    body: { type: 'totp', totp: { secret: expect.any(String), uri: expect.any(String) } },
  });
  const user = await request(product, '/auth/v1/user', { token });
  expect(user.body).toMatchObject({
    factors: [{ factor_type: 'totp', status: 'unverified', friendly_name: 'Phone of the pier' }],
  });
});

test('X01 X02 X03 without the role nothing is taken or seen, whatever the request looks like', async ({
  product,
  people,
}) => {
  const person = await people.make({ platformAdmin: false });
  const { id: other } = await people.administrator();
  const token = person.session.access_token;
  await insertRows(product, 'accounts', [account(unique('not-theirs'))]);
  const before = await everything(product);
  const role = { user_id: person.id, role: 'platform_admin' };
  const writes: [method: string, path: string, body?: unknown, prefer?: string][] = [
    ['POST', 'user_roles', role],
    ['POST', 'user_roles', [role], 'return=representation'],
    ['POST', 'user_roles?on_conflict=user_id,role', role, 'resolution=merge-duplicates'],
    ['PATCH', `user_roles?user_id=eq.${other}`, { user_id: person.id }],
    ['DELETE', `user_roles?user_id=eq.${other}`],
    ['PATCH', `profiles?id=eq.${other}`, { full_name: 'Taken' }],
    ['POST', 'account_members', { account_id: other, user_id: person.id }],
    ['POST', 'accounts', { ...account(unique('refused')), created_by: person.id }],
    ['PATCH', 'accounts?status=eq.active', { status: 'suspended' }],
    ['POST', 'user_invitations', { full_name: 'Self Made', email: 'self@example.org', status: 'accepted' }],
    ['POST', 'notification_settings', { sender_email: 'a@b.example', sender_name: 'Mine' }],
    ['POST', 'rpc/accept_invitation', { invited_user: person.id }],
  ];
  for (const [method, path, body, prefer] of writes) {
    const answer = await request(product, `/rest/v1/${path}`, {
      token,
      method,
      ...(body === undefined ? {} : { body }),
      ...(prefer === undefined ? {} : { headers: { Prefer: prefer } }),
    });
    expect(answer.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
    expect(answer.status, `${method} ${path}`).toBeLessThan(500);
  }
  // The user's own data is free text and gives nothing.
  await request(product, '/auth/v1/user', {
    token,
    method: 'PUT',
    body: { data: { role: 'platform_admin' }, app_metadata: { role: 'platform_admin' } },
  });
  expect(await everything(product)).toBe(before);

  for (const query of [
    'select=*',
    'select=id,full_name',
    'select=id&status=eq.pending',
    'select=id&order=email',
  ]) {
    expect(await request(product, `/rest/v1/user_invitations?${query}`, { token })).toEqual({
      status: 200,
      body: [],
    });
    expect(await request(product, `/rest/v1/accounts?select=*`, { token })).toEqual({
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
      const response = await fetch(`${product.url}/rest/v1/user_invitations?${query}`, {
        method,
        headers: { apikey: product.anonKey(), Authorization: `Bearer ${token}`, ...headers },
      });
      expect(response.status).toBeLessThan(300);
      if (headers['Prefer']) expect(response.headers.get('content-range')).toBe('*/0');
      expect(await response.text()).not.toContain('@');
    }
  }
  const embedded = await request(product, '/rest/v1/account_members?select=*,accounts(*)', { token });
  expect(embedded).toEqual({ status: 200, body: [] });
});
