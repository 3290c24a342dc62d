/** Saves of accounts through the Data API: each replaces the version that it started from. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountRow } from '@lanternrock/contract/rows';
import { sql } from '@lanternrock/postgres';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

eachEngine('account edits', (engine) => {
  let service: TestService;
  let admin: TestUser;
  let tokens: Record<'admin' | 'colleague' | 'member', string>;
  let account: AccountRow;

  beforeAll(async () => {
    service = await startTestService(engine);
    admin = await service.createUser({ isAdministrator: true });
    const colleague = await service.createUser({ isAdministrator: true });
    const member = await service.createUser();
    const token = async (user: TestUser): Promise<string> => (await service.signIn(user)).access_token;
    tokens = { admin: await token(admin), colleague: await token(colleague), member: await token(member) };
    await service.database.query(sql`insert into public.accounts (name, slug, account_type, city)
      values ('Vail Patrol', 'vail-patrol', 'enterprise', 'Vial')`);
    await service.database.query(sql`insert into public.account_members (account_id, user_id)
      select id, ${member.id} from public.accounts`);
  });
  afterAll(async () => service.close());
  beforeEach(async () => {
    account = await stored();
  });

  const stored = async (): Promise<AccountRow> => {
    const response = await service.request('/rest/v1/accounts?select=*', {
      headers: { apikey: service.serviceRoleKey },
    });
    const [row] = (await response.json()) as AccountRow[];
    if (!row) throw new Error('The account does not exist.');
    return row;
  };
  /** The request of the console. */
  const save = async (
    values: object,
    {
      basis = account,
      as = 'admin',
    }: { basis?: Pick<AccountRow, 'id' | 'updated_at'>; as?: keyof typeof tokens } = {},
  ): Promise<{ status: number; body: AccountRow[] & { code?: string; message?: string } }> => {
    const filter = `id=eq.${basis.id}&updated_at=eq.${encodeURIComponent(basis.updated_at)}`;
    const response = await service.request(`/rest/v1/accounts?${filter}&select=*`, {
      method: 'PATCH',
      headers: {
        apikey: service.anonKey,
        Authorization: `Bearer ${tokens[as]}`,
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
      },
      body: JSON.stringify(values),
    });
    return { status: response.status, body: (await response.json()) as AccountRow[] };
  };

  it('returns the saved row with its time and author', async () => {
    const { status, body } = await save({ city: 'Vail' });
    expect(status).toBe(200);
    expect(body).toEqual([await stored()]);
    expect(body[0]).toMatchObject({ city: 'Vail', slug: account.slug, updated_by: admin.id });
    expect(body[0]?.updated_at).not.toBe(account.updated_at);
  });

  it('changes nothing if another user has saved since', async () => {
    expect((await save({ city: 'Aspen' }, { as: 'colleague' })).body).toHaveLength(1);
    const before = await service.fingerprint();
    const { status, body } = await save({ city: 'Vail', name: 'Vail Ski Patrol' });
    expect([status, body]).toEqual([200, []]);
    expect(await service.fingerprint()).toBe(before);
  });

  it('of concurrent saves exactly one succeeds', async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        save({ city: `City ${index}` }, { as: index % 2 === 0 ? 'admin' : 'colleague' }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 200));
    const saved = results.flatMap(({ body }) => body);
    expect(saved).toEqual([await stored()]);
  });

  it('two changes in one transaction have different times', async () => {
    const times = await service.database.transaction(async (tx) => {
      const change = (city: string) =>
        tx.query<{ time: string }>(
          sql`update public.accounts set city = ${city} returning updated_at::text as time`,
        );
      return [...(await change('A')), ...(await change('B')), ...(await change('C'))].map(({ time }) => time);
    });
    expect(new Set(times).size).toBe(3);
  });

  it('an undo restores all values, unless another change was saved since', async () => {
    const { name, slug, account_type, address, city, state, zip_code } = account;
    const previous = { name, slug, account_type, address, city, state, zip_code };
    const [saved] = (await save({ name: 'Renamed', slug: 'renamed', city: null, zip_code: '81657' })).body;
    const [restored] = (await save(previous, { basis: saved ?? account })).body;
    expect(restored).toMatchObject(previous);
    await save({ city: 'Boulder' }, { basis: restored ?? account, as: 'colleague' });
    expect((await save(previous, { basis: restored ?? account })).body).toEqual([]);
    expect(await stored()).toMatchObject({ city: 'Boulder' });
  });

  it('a change of the status or of the members is noticed only if it changes the account', async () => {
    await service.database.query(sql`update public.account_members set status = 'inactive'`);
    const [saved] = (await save({ city: 'Vail' })).body;
    expect(saved).toMatchObject({ active_members: 0, city: 'Vail' });
    await service.database.query(sql`update public.account_members set status = 'active'`);
    await service.database.query(sql`update public.accounts set status = 'archived'`);
    expect((await save({ city: 'Oslo' }, { basis: saved ?? account })).body).toEqual([]);
    await service.database.query(sql`update public.accounts set status = 'active'`);
  });

  it.each([
    ['200 characters', 'L'.repeat(200)],
    ['200 emoji', '🏔'.repeat(200)],
    ['right-to-left text', 'فريق الإنقاذ الجبلي'],
    ['markup', '<b>Patrol</b> & "quotes"'],
  ])('saves a name of %s', async (_, name) => {
    expect((await save({ name })).body[0]).toMatchObject({ name });
  });

  it.each([
    ['a name of 201 characters', { name: 'L'.repeat(201) }, 400, '23514'],
    ['an empty name', { name: '' }, 400, '23514'],
    ['a name with a direction control', { name: 'Vail \u202eknaB' }, 400, '23514'],
    ['a city of 101 characters', { city: 'L'.repeat(101) }, 400, '23514'],
    ['another type', { account_type: 'club' }, 400, '22P02'],
    ['a status', { status: 'suspended' }, 403, '42501'],
    ['a creator', { created_by: null }, 403, '42501'],
    ['an author', { updated_by: null }, 403, '42501'],
    ['a time', { updated_at: '2020-01-01T00:00:00Z' }, 403, '42501'],
    ['a member count', { active_members: 5 }, 403, '42501'],
  ])('rejects %s', async (_, values, status, code) => {
    const before = await service.fingerprint();
    const response = await save(values);
    expect([response.status, response.body.code]).toEqual([status, code]);
    expect(await service.fingerprint()).toBe(before);
  });

  it('rejects a save by a member', async () => {
    const before = await service.fingerprint();
    const response = await save({ city: 'Vail' }, { as: 'member' });
    expect([response.status, response.body.code]).toEqual([403, '42501']);
    expect(await service.fingerprint()).toBe(before);
  });
});
