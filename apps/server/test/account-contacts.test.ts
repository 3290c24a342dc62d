/** Contacts of an account: list, change, conflicts, search, sheet, and the phone number of an administrator. */
import type { AccountContactsResponse } from '@lanternrock/contract/account-contacts';
import type { HandoverSheetResponse, SheetAccountsResponse } from '@lanternrock/contract/handover';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('contacts of an account', (engine) => {
  let fixture: AdminFixture;
  let account: string;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine, { settings: { DEFAULT_COUNTRY: 'CH' } });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
    await fixture.database.query(sql`update public.profiles set phone = null`);
    account = await createAccount('Vail');
  });

  const createAccount = async (name: string): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type) values (${name}, 'a', 'enterprise') returning id`,
    );
    return row?.id ?? '';
  };
  const post = (name: string, body: object, as: string | undefined = fixture.admin): Promise<Response> =>
    fixture.call(body, as, undefined, name);
  const ok = async <Result>(response: Response): Promise<Result> => {
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as Result;
  };
  const list = async (): Promise<AccountContactsResponse> =>
    ok(await post('account-contacts', { account_id: account }));
  const set = async (contacts: readonly object[], version?: string): Promise<Response> =>
    post('set-account-contacts', {
      account_id: account,
      version: version ?? (await list()).version,
      contacts: contacts.map((contact) => ({ role: '', phone: '', email: '', note: '', ...contact })),
    });
  const saved = async (contacts: readonly object[]): Promise<AccountContactsResponse> =>
    ok(await set(contacts));
  /** The values that a form sends for a stored contact. */
  const toInput = ({
    phone_text: phone,
    ...contact
  }: AccountContactsResponse['contacts'][number]): object => ({
    ...contact,
    role: contact.role ?? '',
    phone: phone ?? '',
    email: contact.email ?? '',
    note: contact.note ?? '',
  });
  const stored = (): Promise<readonly object[]> =>
    fixture.database.query(
      sql`select c.*, a.contact_text, a.updated_at from public.accounts a
          left join public.account_contacts c on c.account_id = a.id order by c.account_id, c.position`,
    );
  const entries = (): Promise<readonly object[]> =>
    fixture.database.query(
      sql`select action, after - 'id' as after, actor from private.audit_log
          where table_name = 'public.account_contacts' order by id`,
    );
  const rejection = async (response: Response): Promise<unknown[]> => {
    const { code, error } = (await response.json()) as { code: string; error: string };
    return [response.status, code, error];
  };

  it('saves a contact as people write it, and shows its number internationally', async () => {
    const { contacts } = await saved([
      { name: ' Anna Keller ', role: 'Duty officer', phone: '044 668 18 00', email: ' Anna@Example.org' },
      { name: 'Ben', phone: '+1 (212) 555-0100', note: 'Channel 4' },
    ]);
    expect(contacts).toMatchObject([
      {
        name: 'Anna Keller',
        role: 'Duty officer',
        phone: '+41446681800',
        phone_text: '+41 44 668 18 00',
        email: 'anna@example.org',
        note: null,
      },
      { name: 'Ben', role: null, phone: '+12125550100', phone_text: '+1 212 555 0100', email: null },
    ]);
    expect((await list()).contacts).toEqual(contacts);
  });

  it('moves, changes and removes contacts, keeps IDs, and records the rows that changed only', async () => {
    const first = await saved([{ name: 'Anna' }, { name: 'Ben' }, { name: 'Cem' }]);
    const [anna, ben, cem] = first.contacts.map(toInput);
    const before = (await entries()).length;
    const moved = await saved([ben, anna, cem].flatMap((each) => each ?? []));
    expect(moved.contacts.map(({ name }) => name)).toEqual(['Ben', 'Anna', 'Cem']);
    expect(moved.contacts[0]?.id).toBe(first.contacts[1]?.id);
    const removed = await saved([{ ...anna, note: 'Deputy' }, { ...cem }]);
    expect(removed.contacts.map(({ name }) => name)).toEqual(['Anna', 'Cem']);
    expect((await entries()).slice(before)).toMatchObject([
      { action: 'UPDATE', after: { position: 2 }, actor: fixture.admin },
      { action: 'UPDATE', after: { position: 1 } },
      { action: 'DELETE' },
      { action: 'UPDATE', after: { note: 'Deputy', name: 'Anna', account_id: account } },
    ]);
    const count = (await entries()).length;
    expect(await saved(removed.contacts.map(toInput))).toEqual(removed);
    expect((await entries()).length).toBe(count);
  });

  it('restores the earlier list after a removal', async () => {
    const { contacts } = await saved([{ name: 'Anna', phone: '044 668 18 00' }, { name: 'Ben' }]);
    await saved(contacts.slice(1).map(toInput));
    const restored = await saved(contacts.map(toInput));
    expect(restored.contacts.map(({ id: _id, ...rest }) => rest)).toEqual(
      contacts.map(({ id: _id, ...rest }) => rest),
    );
  });

  it('closes the gaps when the last position is in use', async () => {
    const { contacts } = await saved(
      Array.from({ length: 20 }, (_, index) => ({ name: `Contact ${index}` })),
    );
    const rest = contacts.slice(1).map(toInput);
    await saved(rest);
    const { contacts: full } = await saved([...rest, { name: 'New' }]);
    expect(full.map(({ name }) => name).slice(-2)).toEqual(['Contact 19', 'New']);
    expect(full).toHaveLength(20);
  });

  it('keeps a stored number that a newer numbering plan does not know', async () => {
    await fixture.database.query(
      sql`insert into public.account_contacts (account_id, position, name, phone) values (${account}, 1, 'Anna', '+41144')`,
    );
    const { contacts } = await list();
    expect(contacts[0]?.phone_text).toBe('+41 144');
    expect(await saved([...contacts.map(toInput), { name: 'Ben' }])).toMatchObject({
      contacts: [{ phone: '+41144' }, { name: 'Ben' }],
    });
  });

  it('saves and finds the contacts with the longest search texts', async () => {
    const name = `ö${'\ufdfa'.repeat(11)}${'æ'.repeat(88)}`;
    const email = `${'a'.repeat(64)}@${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(60)}.org`;
    const phone = '+41 44 668 18 00';
    const contacts = Array.from({ length: 20 }, () => ({ name, email, phone, note: 'n'.repeat(500) }));
    const { contact_text: text } = await saved(contacts);
    expect(text?.length).toBeGreaterThan(20_000);
  });

  it('rejects invalid lists, and changes nothing', async () => {
    await saved([{ name: 'Anna' }]);
    const before = await stored();
    const count = (await entries()).length;
    const twentyOne = Array.from({ length: 21 }, (_, index) => ({ name: `Contact ${index}` }));
    for (const [contacts, expected] of [
      [[{ name: '' }], [400, 'validation_failed', 'Name is required']],
      [[{ name: 'A', email: 'x' }], [400, 'validation_failed', 'Invalid email address']],
      [[{ name: 'A'.repeat(101) }], [400, 'validation_failed', 'Name must be at most 100 characters']],
      [[{ name: 'A', note: 'a\nb' }], [400, 'validation_failed', 'Note: Control characters are not allowed']],
      [twentyOne, [400, 'validation_failed', 'An account has at most 20 contacts']],
      [
        [{ name: 'A', phone: '112' }],
        [400, 'invalid_phone', 'This phone number does not exist. Check its digits.'],
      ],
    ] as const)
      expect(await rejection(await set(contacts))).toEqual(expected);
    expect(await stored()).toEqual(before);
    expect((await entries()).length).toBe(count);
  });

  it('rejects a list that started from an older one, an unknown account, and other users', async () => {
    const { version } = await list();
    await saved([{ name: 'Anna' }]);
    const before = await stored();
    expect((await rejection(await set([{ name: 'Ben' }], version))).slice(0, 2)).toEqual([
      409,
      'contacts_changed',
    ]);
    expect((await rejection(await set([{ name: 'Ben' }], 'x'))).slice(0, 2)).toEqual([
      400,
      'validation_failed',
    ]);
    const unknown = { account_id: fixture.admin, version, contacts: [] };
    for (const name of ['account-contacts', 'set-account-contacts'])
      expect((await rejection(await post(name, unknown))).slice(0, 2)).toEqual([404, 'account_not_found']);
    const user = await fixture.createUser();
    const body = {
      account_id: account,
      version,
      contacts: [],
      dry_run: false,
      rows: [],
      phone: '+41446681800',
    };
    for (const name of [
      'account-contacts',
      'set-account-contacts',
      'import-contacts',
      'export-contacts',
      'sheet-accounts',
      'own-phone',
      'set-own-phone',
    ]) {
      const [status, code] = await rejection(await post(name, body, user));
      expect([name, status, code]).toEqual([name, 403, 'not_platform_admin']);
    }
    expect(await stored()).toEqual(before);
  });

  it('lets one of two concurrent changes of the same list win', async () => {
    const { version } = await list();
    const responses = await Promise.all([set([{ name: 'Anna' }], version), set([{ name: 'Ben' }], version)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await list()).contacts).toHaveLength(1);
  });

  it('shows the changes in the activity of the account', async () => {
    await saved([{ name: 'Anna', phone: '044 668 18 00' }]);
    const { entries: activity } = await ok<{ entries: object[] }>(
      await post('list-activity', { record: account, kind: 'accounts' }),
    );
    expect(activity[0]).toMatchObject({
      action: 'INSERT',
      table_name: 'public.account_contacts',
      record_id: account,
      record_name: 'Vail',
      member_name: 'Anna',
    });
    expect(JSON.stringify(activity)).not.toContain('contact_text');
  });

  it('records and dates a change with the secret key that also changes a maintained column', async () => {
    const [earlier] = await fixture.database.query<{ at: Date }>(
      sql`select updated_at as at from public.accounts where id = ${account}`,
    );
    for (const column of [`contact_text = 'x'`, 'active_members = 7'])
      await fixture.database.transaction(async (tx) => {
        await tx.query(sql`set local role service_role`);
        await tx.query({
          text: `update public.accounts set name = name || '!', ${column} where id = $1`,
          values: [account],
        });
      });
    expect(
      await fixture.database.query(
        sql`select before ->> 'name' as before, after ->> 'name' as after from private.audit_log
            where table_name = 'public.accounts' and action = 'UPDATE' and row_id = ${account} order by audit_log.id`,
      ),
    ).toEqual([
      { before: 'Vail', after: 'Vail!' },
      { before: 'Vail!', after: 'Vail!!' },
    ]);
    expect(
      await fixture.database.query(
        sql`select from public.accounts where id = ${account} and updated_at > ${earlier?.at ?? null}`,
      ),
    ).toHaveLength(1);
  });

  it('prints the accounts of a filter with their contacts, in pages by name', async () => {
    await saved([{ name: 'Anna Kéller', phone: '044 668 18 00' }, { name: 'Ben' }]);
    await createAccount('Älm Patrol');
    const sheet = async (body: object): Promise<SheetAccountsResponse> =>
      ok(await post('sheet-accounts', body));
    const { accounts, next } = await sheet({});
    expect(next).toBeNull();
    expect(accounts.map(({ name, contacts }) => [name, contacts.map((each) => each.phone_text)])).toEqual([
      ['Älm Patrol', []],
      ['Vail', ['+41 44 668 18 00', null]],
    ]);
    for (const [filter, expected] of [
      [{ search: 'keller' }, ['Vail']],
      [{ search: '+41 (0)44 668' }, ['Vail']],
      [{ search: '044 668' }, ['Vail']],
      [{ search: 'alm' }, ['Älm Patrol']],
      [{ type: 'organization' }, []],
      [{ status: 'active' }, ['Älm Patrol', 'Vail']],
      [{ status: 'suspended' }, []],
    ] as const)
      expect((await sheet(filter)).accounts.map(({ name }) => name)).toEqual(expected);
    await fixture.database.query(
      sql`insert into public.accounts (name, slug, account_type) select 'Name ' || n % 7, 'n', 'enterprise' from generate_series(1, 2003) n`,
    );
    const ids = new Set<string>();
    let page = await sheet({ search: 'name' });
    const sizes = [page.accounts.length];
    for (const { id } of page.accounts) ids.add(id);
    while (page.next !== null) {
      page = await sheet({ search: 'name', after: page.next });
      sizes.push(page.accounts.length);
      for (const { id } of page.accounts) ids.add(id);
    }
    expect([sizes, ids.size]).toEqual([[500, 500, 500, 500, 3], 2003]);
  });

  it('keeps the phone number of an administrator, and prints it', async () => {
    expect(await ok(await post('own-phone', {}))).toEqual({ phone: null, phone_text: null });
    const expected = { phone: '+41446681800', phone_text: '+41 44 668 18 00' };
    expect(await ok(await post('set-own-phone', { phone: '044 668 18 00' }))).toEqual(expected);
    expect(await ok(await post('own-phone', {}))).toEqual(expected);
    expect((await rejection(await post('set-own-phone', { phone: '112' }))).slice(0, 2)).toEqual([
      400,
      'invalid_phone',
    ]);
    expect(await ok(await post('own-phone', {}))).toEqual(expected);
    const { administrators } = await ok<HandoverSheetResponse>(await post('handover-sheet', {}));
    expect(administrators).toMatchObject([{ email: 'administrator@example.org', ...expected }]);
    expect(await ok(await post('set-own-phone', { phone: ' ' }))).toEqual({ phone: null, phone_text: null });
  });
});
