/** Cells of contacts: values that a constraint rejects, the limit of 20, and what the triggers maintain. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

type Ids = typeof fixtureIds;

export function contactCells(ids: Ids): Cell[] {
  const contact = `where id = '${ids.contact}'`;
  const account = `where id = '${ids.account}'`;
  const rejected = (column: string, value: string, constraint: string): Cell => ({
    name: `account_contacts.${column} = ${value}`,
    as: 'service',
    statement: `update public.account_contacts set ${column} = ${value} ${contact}`,
    expected: `23514 account_contacts_${constraint}`,
  });
  const insertion = (position: number): string =>
    `insert into public.account_contacts (account_id, position, name) values ('${ids.account}', ${position}, 'New')`;
  const text = `select contact_text from public.accounts ${account}`;
  return [
    ...[`''`, `' x'`, `'a' || chr(7)`, `repeat('a', 101)`].map((value) =>
      rejected('name', value, 'name_check'),
    ),
    ...[`''`, `'a' || chr(10)`, `repeat('a', 101)`].map((value) => rejected('role', value, 'role_check')),
    ...[`''`, `'a' || chr(10)`, `repeat('a', 501)`].map((value) => rejected('note', value, 'note_check')),
    ...[`''`, `'044 668 18 00'`, `'+0446681800'`, `'+4144'`, `'+4144668180012345'`].map((value) =>
      rejected('phone', value, 'phone_check'),
    ),
    ...[`''`, `'A@example.org'`, `'a b@example.org'`, `repeat('a', 65) || '@example.org'`].map((value) =>
      rejected('email', value, 'email_check'),
    ),
    ...['name', 'role', 'note'].flatMap((column) =>
      [0x061c, 0x200f, 0x202e, 0x2066].map((control) =>
        rejected(column, `'a' || chr(${control}) || 'b'`, `${column}_turns_no_text`),
      ),
    ),
    ...[`repeat(chr(8203), 3)`, `chr(12644)`].map((value) => rejected('name', value, 'name_is_visible')),
    rejected('name', `repeat(chr(65018), 20)`, 'name_decomposed_check'),
    ...['0', '21'].map((value) => rejected('position', value, 'position_check')),
    {
      name: 'two contacts of an account at one position',
      as: 'service',
      statement: insertion(1),
      expected: '23505 account_contacts_account_id_position_key',
    },
    {
      name: 'two contacts exchange their positions in one statement',
      as: 'service',
      before: insertion(2),
      statement: `update public.account_contacts set position = 3 - position where account_id = '${ids.account}'`,
      expected: 'done 2',
    },
    {
      name: 'an account has at most 20 contacts',
      as: 'service',
      statement: `insert into public.account_contacts (account_id, position, name)
        select '${ids.account}', n, 'New' from generate_series(2, 21) n`,
      expected: '23514 account_contacts_position_check',
    },
    {
      name: 'an added contact is found with its account',
      as: 'service',
      before: `delete from public.account_contacts`,
      statement: `insert into public.account_contacts (account_id, position, name, email, phone) values
        ('${ids.account}', 2, 'Bo', null, null), ('${ids.account}', 1, 'ZOË Ærø', 'z@example.org', '+4712345678')`,
      after: `select replace(contact_text, chr(10), '|') from public.accounts ${account}`,
      expected: 'done 2 zoe aero|zoe aeroe|z@example.org|4712345678|bo',
    },
    {
      name: 'a changed contact is found by its new values only',
      as: 'service',
      statement: `update public.account_contacts set name = 'Bo', phone = null, email = null ${contact}`,
      after: text,
      expected: 'done 1 bo',
    },
    {
      name: 'a removed contact is no longer found',
      as: 'service',
      statement: `delete from public.account_contacts ${contact}`,
      after: `select coalesce(contact_text, 'none') from public.accounts ${account}`,
      expected: 'done 1 none',
    },
    {
      name: 'the contacts are deleted with their account',
      as: 'owner',
      statement: `delete from public.accounts ${account}`,
      after: `select count(*) from public.account_contacts where account_id = '${ids.account}'`,
      expected: 'done 1 0',
    },
    ...[
      `update public.account_contacts set note = 'Changed' ${contact}`,
      insertion(2),
      `delete from public.account_contacts ${contact}`,
    ].map((statement): Cell => ({
      name: `${statement} is recorded, and not as a change of the account`,
      as: 'service',
      before: `create temporary table earlier on commit drop as select max(id) as id from private.audit_log`,
      statement,
      after: `select string_agg(concat_ws(' ', table_name, coalesce(after, before) ->> 'account_id' = '${ids.account}'), ',')
        from private.audit_log where id > (select id from earlier)`,
      expected: 'done 1 public.account_contacts t',
    })),
    {
      name: 'a change of a contact keeps time and author of the account',
      as: 'service',
      statement: `update public.account_contacts set name = 'Changed' ${contact}`,
      after: `select updated_at > now() from public.accounts ${account}`,
      expected: 'done 1 false',
    },
    {
      name: 'a long text of contacts',
      as: 'service',
      statement: `update public.accounts set contact_text = repeat('a', 22001) ${account}`,
      expected: '23514 accounts_contact_text_check',
    },
    ...[`''`, `'044 668 18 00'`, `'+0446681800'`].map((value): Cell => ({
      name: `profiles.phone = ${value}`,
      as: 'service',
      statement: `update public.profiles set phone = ${value} where id = '${ids.admin}'`,
      expected: '23514 profiles_phone_check',
    })),
  ];
}
