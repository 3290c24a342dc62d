/** `accounts create`, `show`, `edit` and `import`. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { readActivityGroups } from '../src/activity/activity-groups.ts';
import { accountsCommand } from '../src/cli/commands/accounts.ts';
import { captureOutput } from './support/command-output.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

eachEngine('accounts', (engine) => {
  let service: TestService;
  let admin: TestUser;
  beforeAll(async () => {
    service = await startTestService(engine);
    admin = await service.createUser({ isAdministrator: true, email: 'administrator@example.org' });
  });
  afterAll(async () => service.close());
  beforeEach(async () => {
    await service.database.query(sql`delete from public.accounts`);
  });

  const run = (...args: string[]): Promise<{ code: number; lines: readonly string[] }> =>
    runUntil(Infinity, ...args);
  /** Runs a command that is interrupted after a number of lines. */
  const runUntil = async (stopAfter: number, ...args: string[]) => {
    const output = captureOutput(service.config.DATA_DIR, stopAfter);
    return { code: await accountsCommand.parse(args).run(service.service, output), lines: output.all };
  };
  const filePath = (name: string): string => path.join(service.config.DATA_DIR, name);
  const importFile = async (content: string | Uint8Array, ...flags: string[]) => {
    fs.writeFileSync(filePath('accounts.csv'), content);
    return run('import', 'accounts.csv', ...flags);
  };
  /** Expects that the file is rejected with one sentence, and that nothing is written. */
  const expectRejected = async (content: string | Uint8Array, message: string): Promise<void> => {
    const before = await service.fingerprint();
    await expect(importFile(content)).rejects.toThrow(message);
    expect(await service.fingerprint()).toBe(before);
  };
  const lastChange = async () => {
    const [entry] = await service.database.query(
      sql`select actor, request_id, action from private.audit_log where table_name = 'public.accounts'
           order by id desc limit 1`,
    );
    return entry;
  };
  const names = async (): Promise<string[]> =>
    (await service.database.query<{ name: string }>(sql`select name from public.accounts order by name`)).map(
      ({ name }) => name,
    );

  it('creates, shows and edits an account, and names the operator and the administrator', async () => {
    const { lines } = await run(
      'create',
      '--name',
      ' Vail Ski Patrol ',
      '--type',
      'organization',
      '--city',
      'Vail',
    );
    const id = /^Created Vail Ski Patrol: (.{36})$/.exec(lines[0] ?? '')?.[1] ?? '';
    expect(await lastChange()).toEqual({ actor: null, request_id: 'command line (ann)', action: 'INSERT' });
    expect(
      await run(
        'edit',
        'vail-ski-patrol',
        '--name',
        'Vail Patrol',
        '--city',
        '',
        '--as',
        'Administrator@example.org',
      ),
    ).toEqual({ code: 0, lines: ['Vail Patrol was changed.'] });
    expect(await lastChange()).toEqual({
      actor: admin.id,
      request_id: 'command line (ann)',
      action: 'UPDATE',
    });
    const shown = await run('show', id);
    expect(shown.lines.slice(0, 8)).toEqual([
      `ID            ${id}`,
      'Name          Vail Patrol',
      'Slug          vail-ski-patrol',
      'Type          organization',
      'Status        active',
      'Users         0',
      'Address       -',
      'City          -',
    ]);
    expect((await run('show', 'vail-ski-patrol')).lines).toEqual(shown.lines);
    const before = await service.fingerprint();
    expect((await run('edit', id, '--name', 'Vail Patrol')).lines).toEqual(['Vail Patrol is unchanged.']);
    expect(await service.fingerprint()).toBe(before);
    const created = await run(
      'create',
      '--name',
      'By the administrator',
      '--type',
      'enterprise',
      '--as',
      admin.email,
    );
    expect(created.code).toBe(0);
    expect(
      await service.database.query(
        sql`select created_by from public.accounts where slug = 'by-the-administrator'`,
      ),
    ).toEqual([{ created_by: admin.id }]);
  });

  it('rejects wrong arguments with the messages of the dialog, and changes nothing', async () => {
    await run('create', '--name', 'North', '--type', 'enterprise');
    await run('create', '--name', 'North', '--type', 'enterprise');
    const member = await service.createUser();
    const before = await service.fingerprint();
    const rejections: readonly (readonly [string, ...string[]])[] = [
      ['Missing option: --name', 'create', '--type', 'enterprise'],
      ['Missing option: --type', 'create', '--name', 'X'],
      ['Account name is required.', 'create', '--name', ' ', '--type', 'enterprise'],
      ['Please select an account type.', 'create', '--name', 'X', '--type', 'club'],
      ['Unexpected argument: extra', 'create', 'extra', '--name', 'X', '--type', 'enterprise'],
      [
        `No administrator has the email ${member.email}.`,
        'create',
        '--name',
        'X',
        '--type',
        'enterprise',
        '--as',
        member.email,
      ],
      ['Missing argument: ID or SLUG', 'show'],
      ['Account nothing not found.', 'show', 'nothing'],
      ['Several accounts have the slug north.', 'show', 'north'],
      ['Several accounts have the slug north.', 'edit', 'north', '--city', 'Vail'],
      ['Nothing to change.', 'edit', 'north'],
      ["Unknown option '--status'", 'edit', 'north', '--status', 'active'],
      ['Missing argument: FILE.', 'import'],
      ['cannot be read (ENOENT).', 'import', 'missing.csv'],
      ['cannot be read (EISDIR).', 'import', '.'],
    ];
    for (const [message, ...args] of rejections)
      await expect(run(...args), args.join(' ')).rejects.toThrow(message);
    expect(await service.fingerprint()).toBe(before);
  });

  it('imports a file, prints rejected rows, saves all results, and changes nothing the second time', async () => {
    const csv =
      'Account Name;Type;Town;Notes\r\nVail Ski Patrol;Organization;Vail;first\r\n;Enterprise;;\r\n' +
      '"Harbor; Master";enterprise;Rotterdam;x\r\nVail ski patrol;organization;VAIL;x\r\nCut;enterpr';
    const before = await service.fingerprint();
    const expected = [
      'Ignored columns: Notes.',
      'Unknown types: "enterpr" (1). Use --map-type WORD=TYPE, or --type TYPE for all others.',
      'line 3       rejected: Account name is required',
      'line 5       rejected: Line 5 names the same account as line 2',
      // The cells that are missing at the end of the row are empty.
      'line 6       rejected: Please select an account type',
    ];
    expect(await importFile(csv, '--dry-run')).toEqual({
      code: 1,
      lines: [...expected, 'Dry run, nothing was changed: 2 created, 0 changed, 0 unchanged, 3 rejected.'],
    });
    expect(await service.fingerprint()).toBe(before);
    const imported = await importFile(csv, '--results', 'results.csv', '--as', admin.email);
    expect(imported).toEqual({
      code: 1,
      lines: [
        ...expected,
        expect.stringMatching(/^To delete the created accounts: lanternrock accounts undo-import .{36}$/),
        'Done: 2 created, 0 changed, 0 unchanged, 3 rejected.',
      ],
    });
    expect(await lastChange()).toMatchObject({ actor: admin.id, request_id: 'command line (ann)' });
    const results = fs.readFileSync(filePath('results.csv'), 'utf8').split('\r\n');
    expect(results[0]).toBe('\uFEFFline,outcome,reason,id');
    expect(results[1]).toMatch(/^2,created,,[0-9a-f-]{36}$/);
    expect(results.slice(4, 7)).toEqual([
      '5,rejected,Line 5 names the same account as line 2,',
      '6,rejected,Please select an account type,',
      '',
    ]);
    const after = await service.fingerprint();
    // The file can be the list itself.
    await expect(importFile(csv, '--results', 'results.csv')).rejects.toThrow('Use --force to overwrite it.');
    expect(fs.readFileSync(filePath('results.csv'), 'utf8').split('\r\n')).toEqual(results);
    expect((await importFile(csv)).lines.at(-1)).toBe('Done: 0 created, 0 changed, 2 unchanged, 3 rejected.');
    expect(await service.fingerprint()).toBe(after);
    expect(await names()).toEqual(['Harbor; Master', 'Vail Ski Patrol']);
  });

  it('imports UTF-8 and UTF-16 with a byte order mark', async () => {
    const csv = 'name,type\nZürich,enterprise\n救助隊,enterprise\n';
    const swapped = Buffer.from(`\uFEFF${csv}`, 'utf16le').swap16();
    const contents = [csv, `\uFEFF${csv}`, Buffer.from(`\uFEFF${csv}`, 'utf16le'), swapped];
    for (const [index, content] of contents.entries()) {
      const { code, lines } = await importFile(content);
      expect([code, lines.at(-1)]).toEqual([
        0,
        index === 0
          ? 'Done: 2 created, 0 changed, 0 unchanged, 0 rejected.'
          : 'Done: 0 created, 0 changed, 2 unchanged, 0 rejected.',
      ]);
    }
  });

  it('rejects a file that it cannot import with one sentence', async () => {
    const head = 'name,type\n';
    const latin = Buffer.from(`${head}Z\u00fcrich,enterprise\n`, 'latin1');
    await expectRejected('', 'accounts.csv is empty.');
    await expectRejected('\uFEFF \n', 'accounts.csv is empty.');
    await expectRejected(head, 'accounts.csv has no rows below its header.');
    await expectRejected(
      latin,
      'accounts.csv is not UTF-8. Read as windows-1252, it contains "Zürich". If these words are right, add --encoding',
    );
    await expectRejected(Buffer.from(head, 'utf16le'), 'Read as utf-16le, it contains');
    await expectRejected(Buffer.from('PK\u0003\u0004rest'), 'cannot be read as an Excel workbook.');
    await expectRejected(
      'type,city\nenterprise,Vail\n',
      'no column with the account name. Its columns are "type", "city".',
    );
    await expectRejected(
      `${head}A,enterprise\n"B,enterprise\n${'C,enterprise\n'.repeat(5000)}`,
      'a quotation mark before it is not closed',
    );
    await expectRejected(`${head}A,enterprise\n"B,enterprise`, 'a quotation mark before it is not closed');
    await expectRejected(`${head}A${','.repeat(300)}\n`, 'Line 2 of accounts.csv has more than 200 cells.');
  });

  it('rejects a file of more than 200,000 rows and a file of more than 50 MB', async () => {
    await expectRejected(`name\n${'A\n'.repeat(200_001)}`, 'accounts.csv has more than 200,000 rows.');
    const file = fs.openSync(filePath('large.csv'), 'w');
    fs.ftruncateSync(file, 50 * 1024 * 1024 + 1);
    fs.closeSync(file);
    await expect(run('import', 'large.csv')).rejects.toThrow('large.csv is larger than 50 MB.');
    fs.rmSync(filePath('large.csv'));
  });

  it('rejects a cut file of 40 MB, whose quotation mark is not closed', async () => {
    await expectRejected(
      `name,type\n"${'a,b\n'.repeat(10_000_000)}`,
      'a quotation mark before it is not closed',
    );
  });

  it('imports a list as an office has it, with options for its encoding, columns and types', async () => {
    const list = Buffer.from(
      'sep=;\r\nVerein;Art;Ort;Mitglieder\r\nSkiclub Gr\u00fcn;Verein;Vail\r\nHafen S\u00fcd;Firma;Kiel;12\r\nHafen Ost;;Kiel;3\r\n',
      'latin1',
    );
    const options = [
      '--encoding',
      'windows-1252',
      '--column',
      'name=Verein',
      '--map-type',
      'VEREIN=organization',
    ];
    expect((await importFile(list, ...options, '--type', 'enterprise')).lines).toEqual([
      'Ignored columns: Mitglieder.',
      expect.stringMatching(/^To delete/),
      'Done: 3 created, 0 changed, 0 unchanged, 0 rejected.',
    ]);
    expect(
      await service.database.query(
        sql`select name, account_type, city from public.accounts order by name collate "C"`,
      ),
    ).toEqual([
      { name: 'Hafen Ost', account_type: 'enterprise', city: 'Kiel' },
      { name: 'Hafen Süd', account_type: 'enterprise', city: 'Kiel' },
      { name: 'Skiclub Grün', account_type: 'organization', city: 'Vail' },
    ]);
  });

  it('rejects options that the file or the types do not have, and changes nothing', async () => {
    const csv = 'Resort,Country\nVail,USA\n';
    const before = await service.fingerprint();
    const rejections: [message: string, ...args: string[]][] = [
      [
        'accounts.csv has no column "Nothing". Its columns are "Resort", "Country".',
        '--column',
        'name=Nothing',
      ],
      ['--column must be FIELD=HEADER', '--column', 'owner=Resort'],
      ['--column must be FIELD=HEADER', '--column', 'name'],
      ['--encoding must be one of utf-8, windows-1252', '--encoding', 'latin-9'],
      ['--separator must be one of comma, semicolon, tab, bar.', '--separator', '#'],
      ['--type: "club" is no type. The types are enterprise and organization.', '--type', 'club'],
      ['--map-type must be WORD=TYPE.', '--map-type', 'club'],
      ['no column with the account name', '--column', 'name='],
    ];
    for (const [message, ...args] of rejections)
      await expect(importFile(csv, ...args), args.join(' ')).rejects.toThrow(message);
    expect(await service.fingerprint()).toBe(before);
  });

  it('imports probable duplicates, and changes by the name alone, only with their options', async () => {
    await importFile('name,type,address\nMount Hood Search and Rescue,organization,1 Hill Road\n');
    const before = await service.fingerprint();
    const similar = 'name,type\nMt. Hood SAR,organization\n';
    expect((await importFile(similar)).lines).toEqual([
      'line 2       rejected: Looks like the account "Mount Hood Search and Rescue". Use --create-similar to import the row',
      'Done: 0 created, 0 changed, 0 unchanged, 1 rejected.',
    ]);
    const byName = 'name,state\nMount Hood Search and Rescue,OR\n';
    expect((await importFile(byName)).lines).toEqual([
      'line 2       rejected: An account has this name. State: empty → OR. Use --change-by-name to import the row',
      'Done: 0 created, 0 changed, 0 unchanged, 1 rejected.',
    ]);
    expect(await service.fingerprint()).toBe(before);
    expect((await importFile(similar, '--create-similar')).code).toBe(0);
    expect((await importFile(byName, '--change-by-name')).code).toBe(0);
    expect(await names()).toEqual(['Mount Hood Search and Rescue', 'Mt. Hood SAR']);
  });

  it('undoes an import, and keeps accounts that were changed since', async () => {
    const { lines } = await importFile('name,type\nOne,enterprise\nTwo,enterprise\n');
    const [, id = ''] = /undo-import (.{36})$/.exec(lines[0] ?? '') ?? [];
    await service.database.query(sql`update public.accounts set city = 'Vail' where name = 'Two'`);
    const undone = await run('undo-import', id);
    expect([undone.code, undone.lines.at(-1)]).toEqual([1, 'Deleted 1 account, kept 1.']);
    expect(undone.lines[0]).toMatch(/^.{36}  Two  Kept: it was changed after the import$/);
    expect(await names()).toEqual(['Two']);
    const before = await service.fingerprint();
    await expect(run('undo-import', '00000000-0000-4000-8000-000000000000')).rejects.toThrow(
      'No import of the last 7 days has the ID',
    );
    await expect(run('undo-import', 'x')).rejects.toThrow('Missing or invalid import ID.');
    expect(await service.fingerprint()).toBe(before);
  });

  it('imports and undoes 1,100 rows as two entries of the activity, also after an interruption', async () => {
    await service.database.maintenance((tx) =>
      service.database.script(tx, 'truncate private.audit_log cascade'),
    );
    const rows = Array.from({ length: 1100 }, (_, index) => `Account ${index},enterprise\n`);
    const { lines } = await importFile(`name,type\n${rows.join('')}`);
    const [, id = ''] = /undo-import (.{36})$/.exec(lines.at(-2) ?? '') ?? [];
    const interrupted = await runUntil(-1, 'undo-import', id);
    expect(interrupted).toEqual({
      code: 1,
      lines: [
        'Deleted 500 accounts, kept 0.',
        'The command was interrupted. Run the command again to continue.',
      ],
    });
    expect(await names()).toHaveLength(600);
    expect(await run('undo-import', id)).toEqual({ code: 0, lines: ['Deleted 600 accounts, kept 0.'] });
    const groups = await service.database.transaction((tx) => readActivityGroups(tx, { limit: 10 }));
    expect(groups.map(({ action, actor_name: actor, changes }) => [action, actor, ...changes])).toEqual([
      [
        'import_undone',
        'command line (ann)',
        { field: 'deleted', before: null, after: '100' },
        { field: 'list', before: null, after: 'accounts' },
        { field: 'total_deleted', before: null, after: '1100' },
      ],
      expect.arrayContaining([
        'imported',
        'command line (ann)',
        { field: 'total_created', before: null, after: '1100' },
      ]),
    ]);
  });

  it('imports the valid rows of a file with broken ones', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) =>
      index % 100 === 7 ? `,enterprise` : `Account ${index},enterprise`,
    );
    const { code, lines } = await importFile(`name,type\n${rows.join('\n')}\n`);
    expect([code, lines.length, lines.at(-1)]).toEqual([
      1,
      32,
      'Done: 2,970 created, 0 changed, 0 unchanged, 30 rejected.',
    ]);
    expect(await names()).toHaveLength(2970);
  });
});
