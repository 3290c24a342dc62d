/** Contacts as CSV: the export, its import without a change, and the rows of an office. */
import type { ImportResponse } from '@lanternrock/contract/account-import';
import { guessColumns } from '@lanternrock/contract/column-guess';
import { contactColumns, contactColumnNames, toContactRow } from '@lanternrock/contract/contact-import';
import { csvOptions } from '@lanternrock/contract/csv-file';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('import of contacts', (engine) => {
  let fixture: AdminFixture;
  let vail: string;
  let aspen: string;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine, { settings: { DEFAULT_COUNTRY: 'CH' } });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
    vail = await createAccount('Vail Patrol');
    aspen = await createAccount('Äspen');
  });

  const createAccount = async (name: string): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type) values (${name}, 'a', 'enterprise') returning id`,
    );
    return row?.id ?? '';
  };
  const addContact = async (
    accountId: string,
    position: number,
    name: string,
    phone: string | null = null,
  ): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`insert into public.account_contacts (account_id, position, name, phone) values (${accountId}, ${position}, ${name}, ${phone}) returning id`,
    );
    return row?.id ?? '';
  };
  const stored = (): Promise<readonly { name: string }[]> =>
    fixture.database.query(
      sql`select a.name as account, c.position, c.name, c.role, c.phone, c.email, c.note from public.account_contacts c
          join public.accounts a on a.id = c.account_id order by a.name collate "C", c.position`,
    );
  const recorded = async (): Promise<number> =>
    (
      await fixture.database.query(
        sql`select from private.audit_log where table_name = 'public.account_contacts'`,
      )
    ).length;

  const importText = async (text: string, dryRun = false): Promise<ImportResponse['results']> => {
    const [header = [], ...records] = parse(text.replace(/^\uFEFF/, ''), {
      ...csvOptions(','),
      info: false,
    }) as unknown as string[][];
    const mapping = guessColumns(header, contactColumnNames, { records });
    const rows = records.map((record, index) => toContactRow(record, mapping, index + 2));
    const response = await fixture.call(
      { dry_run: dryRun, rows },
      fixture.admin,
      undefined,
      'import-contacts',
    );
    if (response.status !== 200) throw new Error(await response.text());
    return ((await response.json()) as ImportResponse).results;
  };
  const outcomes = (results: ImportResponse['results']): string[] =>
    results.map(({ outcome, reason }) => (reason === undefined ? outcome : reason));
  const exportText = async (body: object = {}): Promise<string> => {
    const response = await fixture.call(body, fixture.admin, undefined, 'export-contacts');
    if (response.status !== 200) throw new Error(await response.text());
    // `text` would remove the byte order mark.
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  };

  it('imports its own export without a change, also texts that look like formulas', async () => {
    await addContact(vail, 1, 'Anna "A" Keller', '+41446681800');
    await addContact(vail, 4, '=1+1');
    await addContact(aspen, 2, `'-x; "y", z`, '+12125550100');
    const before = await stored();
    const count = await recorded();
    const file = await exportText({ sort: 'name', direction: 'asc' });
    expect(file.split('\r\n')[0]).toBe(`\uFEFF${contactColumns.join(',')}`);
    expect(file).toContain(`,Vail Patrol,`);
    expect(file).toContain(`'+41 44 668 18 00`);
    expect(outcomes(await importText(file))).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await stored()).toEqual(before);
    expect(await recorded()).toBe(count);
    expect(await exportText({ sort: 'name', direction: 'asc' })).toBe(file);
    expect((await exportText({ search: 'keller' })).trim().split('\r\n')).toHaveLength(3);
  });

  it('adds the contacts of an office list by the name of the account, and changes nothing the second time', async () => {
    const file = [
      'Account,Contact,Function,Tel.,Mail,Notes',
      'vail patrol,Anna Keller,Duty officer,044 668 18 00,Anna@Example.org,',
      'Aspen,Ben,,+1 212 555 0100,,Channel 4',
      'Vail Patrol,Cem,,,,',
    ].join('\n');
    expect(outcomes(await importText(file, true))).toEqual(['created', 'created', 'created']);
    expect(await stored()).toEqual([]);
    expect(outcomes(await importText(file))).toEqual(['created', 'created', 'created']);
    expect(await stored()).toMatchObject([
      {
        account: 'Vail Patrol',
        position: 1,
        name: 'Anna Keller',
        role: 'Duty officer',
        phone: '+41446681800',
        email: 'anna@example.org',
      },
      { account: 'Vail Patrol', position: 2, name: 'Cem' },
      { account: 'Äspen', position: 1, name: 'Ben', phone: '+12125550100', note: 'Channel 4' },
    ]);
    const count = await recorded();
    expect(outcomes(await importText(file))).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await recorded()).toBe(count);
  });

  it('changes a contact by its ID, and keeps fields without a column', async () => {
    const id = await addContact(vail, 1, 'Anna', '+41446681800');
    expect(outcomes(await importText(`account_id,contact_id,name\n${vail},${id},Anna Keller`))).toEqual([
      'changed',
    ]);
    expect(await stored()).toMatchObject([{ name: 'Anna Keller', phone: '+41446681800' }]);
    expect(
      outcomes(await importText(`account_id,contact_id,name,phone\n${vail},${id},Anna Keller,`)),
    ).toEqual(['changed']);
    expect(await stored()).toMatchObject([{ phone: null }]);
  });

  it('rejects rows with their reason, and imports the others', async () => {
    const anna = await addContact(vail, 1, 'Anna');
    await addContact(vail, 2, 'Twin');
    await addContact(vail, 3, 'Twin');
    await createAccount('Äspen');
    const rows = [
      ['', 'Nowhere', '', 'Ann', ''],
      [anna, '', '', 'Ann', ''],
      ['x', '', '', 'Ann', ''],
      ['', '', '', 'Ann', ''],
      ['', 'aspen', '', 'Ann', ''],
      [aspen, '', anna, 'Ann', ''],
      [vail, '', '', 'Twin', ''],
      [vail, '', '', '', ''],
      [vail, '', '', 'Ann', '112'],
      [vail, '', anna, 'Anna', '044 668 18 00'],
      [vail, '', '', 'ANNA', ''],
      [aspen, '', '', 'Ben', ''],
    ];
    const file = ['account_id,account,contact_id,name,phone', ...rows.map((cells) => cells.join(','))].join(
      '\n',
    );
    expect(outcomes(await importText(file))).toEqual([
      'No account has this name',
      'No account has this ID',
      'The account ID is not valid',
      'The row names no account',
      '2 accounts have this name. Add the ID of one of them',
      'The account has no contact with this ID. Leave the ID empty to add the contact',
      'The account has 2 contacts with this name. Add the ID of one of them',
      'Name is required',
      'This phone number does not exist. Check its digits',
      'changed',
      'Line 12 names the same contact as line 11',
      'created',
    ]);
    expect((await stored()).map(({ name }) => name)).toEqual(['Anna', 'Twin', 'Twin', 'Ben']);
  });

  // Folding it would take quadratic time.
  it('rejects a long name of an account', async () => {
    const file = `account,name\na${'\u0301\u0323'.repeat(60_000)},Ann\nVail Patrol,Ann`;
    expect(outcomes(await importText(file))).toEqual(['No account has this name', 'created']);
  });

  it('adds no more than 20 contacts to an account', async () => {
    await addContact(vail, 20, 'Last');
    const names = Array.from({ length: 20 }, (_, index) => `Vail Patrol,Contact ${index}`);
    const results = outcomes(await importText(['account,name', ...names].join('\n')));
    expect(results.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => 'created'));
    expect(results[19]).toBe('The account already has 20 contacts');
    expect((await stored()).map(({ name }) => name).slice(0, 2)).toEqual(['Last', 'Contact 0']);
  });
});
