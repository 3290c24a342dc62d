/** Function `export-accounts`: the account list as CSV, read in batches while the client receives it. */
import { defaultAccountOrder, accountSorts, sortDirections } from '@lanternrock/contract/account-view';
import { sql } from '@lanternrock/postgres';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountsCommand } from '../src/cli/commands/accounts.ts';
import { UsageError } from '../src/cli/usage-error.ts';
import { batchRows } from '../src/keyset-batches.ts';
import { captureOutput } from './support/command-output.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly city: string;
}

const parseRows = (csv: string): Row[] => parse(csv, { bom: true, columns: true });

const listColumns = {
  name: 'name_key',
  type: 'account_type',
  status: 'status',
  created: 'created_at',
  updated: 'updated_at',
};

eachEngine('an export of accounts', (engine) => {
  let service: TestService;
  let admin: TestUser;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(engine);
    admin = await service.createUser({ isAdministrator: true });
    token = (await service.signIn(admin)).access_token;
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await service.database.query(sql`delete from public.accounts`);
  });

  const call = (body: object, as = token): Promise<Response> =>
    service.request('/functions/v1/export-accounts', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Encoding': 'gzip, br',
        apikey: service.anonKey,
        Authorization: `Bearer ${as}`,
      },
      body: JSON.stringify(body),
    });
  const exportRows = async (body: object): Promise<Row[]> => {
    const response = await call(body);
    expect(response.status).toBe(200);
    return parseRows(await response.text());
  };
  /** Creates accounts `Patrol 0`, ... with different times, types and statuses; many share a value. */
  const fill = (count: number): Promise<unknown> =>
    service.database.query(
      sql`insert into public.accounts (name, slug, account_type, city, status, created_at, updated_at)
          select case when n % 3 = 0 then 'patrol ' else 'Pätrol ' end || n / 2, 'patrol-' || n,
            (array['enterprise', 'organization'])[1 + n % 2]::public.account_type, 'Vail',
            (array['active', 'active', 'suspended', 'archived', 'on hold'])[1 + n % 5],
            timestamptz '2026-01-01' + n / 3 * interval '1 microsecond',
            timestamptz '2026-02-01' + n % 7 * interval '1 microsecond'
          from generate_series(0, ${count}::int - 1) n`,
    );
  /** Returns the IDs that the Data API lists. */
  const listIds = async (query: string): Promise<string[]> => {
    const response = await service.request(`/rest/v1/accounts?select=id&limit=1000&${query}`, {
      headers: { apikey: service.anonKey, Authorization: `Bearer ${token}` },
    });
    return ((await response.json()) as { id: string }[]).map(({ id }) => id);
  };

  describe('as a file', () => {
    it('contains the columns of the accounts, and formulas with an apostrophe', async () => {
      await service.database.query(
        sql`insert into public.accounts (name, slug, account_type, address, city, created_at, updated_at)
            values ('=HYPERLINK("https://x.example","Zürich")', 'x', 'enterprise', '-1, "Pier"', '@home',
              '2026-01-01T10:00:00.123456Z', '2026-01-02T10:00:00Z')`,
      );
      const response = await call({});
      expect(response.headers.get('Content-Encoding')).toBeNull();
      expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="accounts.csv"');
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
      const [header, row] = parse(Buffer.from(bytes), { bom: true });
      expect(header?.join()).toBe(
        'id,name,slug,account_type,address,city,state,zip_code,status,active_members,created_at,updated_at',
      );
      expect(row?.slice(1)).toEqual([
        `'=HYPERLINK("https://x.example","Zürich")`,
        'x',
        'enterprise',
        `'-1, "Pier"`,
        `'@home`,
        '',
        '',
        'active',
        '0',
        '2026-01-01T10:00:00.123Z',
        '2026-01-02T10:00:00.000Z',
      ]);
    });
    it('contains the header if no account matches', async () => {
      expect(await (await call({ search: 'nothing' })).text()).toMatch(/^id,name,[a-z_,]+\r\n$/);
    });
  });

  describe('of a filtered and sorted list', () => {
    it.each(accountSorts.flatMap((sort) => sortDirections.map((direction) => ({ sort, direction }))))(
      'has the order of the list ($sort, $direction)',
      async (order) => {
        await fill(70);
        const column = listColumns[order.sort];
        const expected = await listIds(`order=${column}.${order.direction},id.${order.direction}`);
        expect((await exportRows(order)).map(({ id }) => id)).toEqual(expected);
      },
    );
    it.each([
      [{ search: ' 1 PATROL ' }, 'search_text=match.patrol&search_text=match.1'],
      [{ search: 'Paetrol 1' }, 'search_text=match.paetrol&search_text=match.1'],
      [{ search: 'vail' }, 'search_text=match.vail'],
      [{ search: 'vail 1', wide: true }, 'or=(search_text.match.1,place_text.match.1)'],
      [{ search: '100%' }, 'search_text=match.100%25'],
      [{ type: 'enterprise' }, 'account_type=eq.enterprise'],
      [{ status: 'suspended' }, 'status=eq.suspended'],
      [{ status: 'other' }, 'status=not.in.(active,suspended,archived)'],
      [
        { search: 'pätrol', type: 'organization', status: 'active', ...defaultAccountOrder },
        'search_text=match.patrol&account_type=eq.organization&status=eq.active',
      ],
    ])('has the rows of the list (%j)', async (input, query) => {
      await fill(70);
      const expected = await listIds(`${query}&order=created_at.desc,id.desc`);
      expect((await exportRows(input)).map(({ id }) => id)).toEqual(expected);
    });
  });

  describe('of more rows than a batch', () => {
    const count = 2 * batchRows + 500;
    it.each(accountSorts)('contains each row once (%s)', async (sort) => {
      await fill(count);
      const ids = (await exportRows({ sort })).map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([count, count]);
    });

    it.each(accountSorts)('contains each row at most once while rows change (%s)', async (sort) => {
      await fill(count);
      const before = await service.database.query<{ id: string }>(sql`select id from public.accounts`);
      const body = (await call({ sort, direction: 'asc' })).body?.getReader();
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      let csv = decoder.decode((await body?.read())?.value, { stream: true });
      // Half of the rows move to the other end of every order; name and city change together.
      await service.database.query(
        sql`update public.accounts set name = case when name like '%1' then 'aaa ' else 'zzz ' end || slug, city = slug,
              account_type = case account_type when 'enterprise' then 'organization' else 'enterprise' end::public.account_type,
              status = case status when 'active' then 'suspended' else 'active' end
            where right(slug, 1) in ('1', '2', '3', '4', '6')`,
      );
      const [deleted] = await service.database.query<{ id: string }>(
        sql`delete from public.accounts where slug = ${`patrol-${count - 1}`} returning id`,
      );
      for (;;) {
        const chunk = await body?.read();
        csv += decoder.decode(chunk?.value, { stream: !chunk?.done });
        if (chunk?.done !== false) break;
      }
      const rows = parseRows(csv);
      const ids = new Set(rows.map(({ id }) => id));
      expect(ids.size).toBe(rows.length);
      const missing = before.filter(({ id }) => !ids.has(id) && id !== deleted?.id);
      expect(missing).toEqual([]);
      const torn = rows.filter(({ name, city }) => (city === 'Vail') !== /^p.trol/i.test(name));
      expect(torn).toEqual([]);
    });

    it('does not use the database while the client does not read', async () => {
      await fill(count);
      const body = (await call({ sort: 'name' })).body?.getReader();
      await body?.read();
      // The embedded database has one connection, so this statement would wait for an open transaction.
      const open = await service.database.query(
        sql`select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
      expect(open).toEqual([]);
      await body?.cancel();
    });

    it('ends without its last rows if the role is removed', async () => {
      await fill(count);
      const other = await service.createUser({ isAdministrator: true });
      const response = await call({}, (await service.signIn(other)).access_token);
      await service.database.query(sql`delete from public.user_roles where user_id = ${other.id}`);
      await expect(response.text()).rejects.toThrow('This action requires an administrator.');
    });
  });

  describe('that is rejected', () => {
    it.each([
      { sort: 'slug' },
      { direction: 'up' },
      { status: 'gone' },
      { type: 'x' },
      { search: 'x'.repeat(201) },
    ])('for the input %j', async (input) => {
      const response = await call(input);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        400,
        'validation_failed',
      ]);
    });
    it('for users without the role and without a session', async () => {
      const member = await service.createUser();
      const response = await call({}, (await service.signIn(member)).access_token);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        403,
        'not_platform_admin',
      ]);
      expect((await call({}, service.anonKey)).status).toBe(401);
    });
  });

  describe('on the command line', () => {
    const directory = (): string => fs.mkdtempSync(path.join(service.config.DATA_DIR, 'export-'));
    const run = async (cwd: string, ...args: string[]) => {
      const output = captureOutput(cwd);
      const execute = async (): Promise<number> =>
        accountsCommand.parse(['export', ...args]).run(service.service, output);
      const code = await execute().catch((error: unknown) => error);
      return { code, lines: output.lines, bytes: output.bytes() };
    };

    it('writes the same file as the function, with the mode of the umask', async () => {
      await fill(70);
      const cwd = directory();
      const { code, lines } = await run(
        cwd,
        '--status',
        'active',
        '--search',
        'pätrol',
        '--sort',
        'name',
        'a.csv',
      );
      const file = path.join(cwd, 'a.csv');
      expect([code, lines]).toEqual([0, [`Wrote ${file}.`]]);
      const input = { status: 'active', search: 'pätrol', sort: 'name', direction: 'asc' };
      expect(fs.readFileSync(file)).toEqual(Buffer.from(await (await call(input)).arrayBuffer()));
      expect(fs.readdirSync(cwd)).toEqual(['a.csv']);
      fs.writeFileSync(path.join(cwd, 'plain'), '');
      expect(fs.statSync(file).mode).toBe(fs.statSync(path.join(cwd, 'plain')).mode);
    });
    it('prints the file without a name and for -', async () => {
      await fill(batchRows + 1);
      for (const args of [[], ['-']]) {
        const { code, bytes, lines } = await run('/', '--sort', 'updated.asc', ...args);
        expect([code, lines]).toEqual([0, []]);
        const file = await (await call({ sort: 'updated', direction: 'asc' })).arrayBuffer();
        expect(bytes).toEqual(Buffer.from(file));
      }
    });
    it('keeps an existing file, and replaces it with --force', async () => {
      const cwd = directory();
      fs.writeFileSync(path.join(cwd, 'a.csv'), 'mine');
      expect(String((await run(cwd, 'a.csv')).code)).toContain(
        'a.csv already exists. Use --force to overwrite it.',
      );
      expect(fs.readFileSync(path.join(cwd, 'a.csv'), 'utf8')).toBe('mine');
      expect((await run(cwd, 'a.csv', '--force')).code).toBe(0);
      expect(fs.readFileSync(path.join(cwd, 'a.csv'), 'utf8')).toContain('account_type');
      expect(fs.readdirSync(cwd)).toEqual(['a.csv']);
    });
    it.each([
      ['--sort', 'slug'],
      ['--sort', 'name.up'],
      ['--status', 'gone'],
      ['--type', 'x'],
      ['--search', 'x'.repeat(201)],
      ['a.csv', 'b.csv'],
    ])('rejects %s %s', async (...args) => {
      const cwd = directory();
      expect((await run(cwd, ...args)).code).toBeInstanceOf(UsageError);
      expect(fs.readdirSync(cwd)).toEqual([]);
    });
  });
});
