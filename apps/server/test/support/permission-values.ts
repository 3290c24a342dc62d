/** Cells of the permission table: values that a constraint rejects. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

type Ids = typeof fixtureIds;

/** Values that each check rejects, in an otherwise valid row. */
export function valueCells(ids: Ids): Cell[] {
  const rejected = (table: string, column: string, value: string, constraint: string): Cell => ({
    name: `${table}.${column} = ${value}`,
    as: 'service',
    statement: `update public.${table} set ${column} = ${value}`,
    expected: `23514 ${constraint}`,
  });
  const long = (length: number): string => `repeat('a', ${length})`;
  return [
    ...[`''`, `' x'`, `'a' || chr(7)`, long(201)].map((value) =>
      rejected('accounts', 'name', value, 'accounts_name_check'),
    ),
    ...Object.entries({ name: 200, city: 100, state: 50 }).map(([column, length]) =>
      // U+FDFA has 18 characters after its decomposition.
      rejected(
        'accounts',
        column,
        `repeat(chr(65018), ${length / 5})`,
        `accounts_${column}_decomposed_check`,
      ),
    ),
    ...[`'../x'`, `'A'`, long(201)].map((value) =>
      rejected('accounts', 'slug', value, 'accounts_slug_check'),
    ),
    ...Object.entries({ address: 500, city: 100, state: 50, zip_code: 20 }).flatMap(([column, length]) =>
      [long(length + 1), `'a' || chr(10)`].map((value) =>
        rejected('accounts', column, value, `accounts_${column}_check`),
      ),
    ),
    ...[`''`, long(51)].map((value): Cell => ({
      name: `accounts.status = ${value}`,
      as: 'service',
      statement: `insert into public.accounts (name, slug, account_type, status) values ('A', 'a', 'enterprise', ${value})`,
      expected: '23514 accounts_status_check',
    })),
    rejected('accounts', 'active_members', '-1', 'accounts_active_members_check'),
    ...[long(201), `'a' || chr(7)`].map((value) =>
      rejected('profiles', 'full_name', value, 'profiles_full_name_check'),
    ),
    ...Object.entries({
      accounts: 'name',
      profiles: 'full_name',
      notification_settings: 'sender_name',
    }).flatMap(([table, column]) =>
      [0x061c, 0x200f, 0x202e, 0x2066].map((control) =>
        rejected(table, column, `'a' || chr(${control}) || 'b'`, `${table}_${column}_turns_no_text`),
      ),
    ),
    ...['address', 'city', 'state', 'zip_code'].flatMap((column) =>
      [0x061c, 0x200f, 0x202e, 0x2066].map((control) =>
        rejected('accounts', column, `'a' || chr(${control}) || 'b'`, `accounts_${column}_turns_no_text`),
      ),
    ),
    ...Object.entries({
      accounts: 'name',
      profiles: 'full_name',
      notification_settings: 'sender_name',
    }).flatMap(([table, column]) =>
      [`repeat(chr(8203), 3)`, `chr(12644)`, `chr(10240) || chr(917569)`].map((value) =>
        rejected(table, column, value, `${table}_${column}_is_visible`),
      ),
    ),
    {
      name: 'a name of an invited user that cannot be seen',
      as: 'owner',
      statement: `update private.invitations set full_name = repeat(chr(8203), 3)`,
      expected: '23514 invitations_full_name_is_visible',
    },
    {
      name: 'a reason that turns text',
      as: 'owner',
      statement: `insert into private.account_suspensions (id, reason) values ('${ids.account}', 'a' || chr(8238) || 'b')`,
      expected: '23514 account_suspensions_reason_turns_no_text',
    },
    {
      name: 'joiners inside words and emoji',
      as: 'service',
      statement: `insert into public.accounts (name, slug, account_type, address) values
        (U&'\\0645\\06CC\\200C\\062E\\0648', 'a', 'enterprise', U&'\\+01F468\\200D\\+01F692')`,
      expected: 'done 1',
    },
    rejected('account_members', 'status', `''`, 'account_members_status_check'),
    ...[`'no address'`, `'a b@example.org'`, `${long(250)} || '@example.org'`].map((value) =>
      rejected('notification_settings', 'sender_email', value, 'notification_settings_sender_email_check'),
    ),
    rejected(
      'notification_settings',
      'sender_email',
      `'A@example.org'`,
      'notification_settings_sender_email_is_one_address',
    ),
    ...[`''`, long(101), `'a' || chr(7)`].map((value) =>
      rejected('notification_settings', 'sender_name', value, 'notification_settings_sender_name_check'),
    ),
    {
      name: 'a duplicate role',
      as: 'service',
      statement: `insert into public.user_roles (user_id, role) values ('${ids.admin}', 'platform_admin')`,
      expected: '23505 user_roles_user_id_role_key',
    },
    {
      name: 'a duplicate membership',
      as: 'service',
      statement: `insert into public.account_members (account_id, user_id) values ('${ids.account}', '${ids.member}')`,
      expected: '23505 account_members_account_id_user_id_key',
    },
    {
      name: 'a duplicate invitation address',
      as: 'owner',
      statement: `insert into private.invitations (email, full_name) values ('first@example.org', 'Again')`,
      expected: '23505 invitations_email_key',
    },
  ];
}
