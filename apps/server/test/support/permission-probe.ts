/**
 * The permission table as one query: every cell runs in its own subtransaction as its role, is rolled back,
 * and its outcome is compared. One round trip makes it fast enough to run per mutant.
 */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { roles, expectedOutcome, tables, visible, type Role, type Table } from './permissions.ts';
import { accountColumns, ruleCells } from './permission-rules.ts';

/** One attempted statement. */
export interface Cell {
  readonly name: string;
  /** `owner` is the login of the service, without a request role. */
  readonly as: Role | 'owner';
  /** Runs as the owner before the statement. */
  readonly before?: string;
  readonly statement: string;
  /** An expression that the owner evaluates after the statement. */
  readonly after?: string;
  /** `grant`, `check`, `done <rows>[ <value of after>]`, or the SQLSTATE with the constraint name. */
  readonly expected: string;
}

const userId = (digit: string): string => `00000000-0000-4000-8000-00000000000${digit}`;
export const ids = {
  plain: userId('1'),
  member: userId('2'),
  admin: userId('3'),
  spare: userId('4'),
  ended: userId('5'),
  aal1: userId('6'),
  account: userId('a'),
  other: userId('b'),
  settings: userId('c'),
  pending: userId('d'),
  contact: userId('e'),
} as const;

const fixture = `
  create schema probe;
  create function probe.run(cells jsonb, first_only boolean) returns table (name text, outcome text) language plpgsql as $$
  declare
    cell jsonb;
    affected bigint;
    found text;
    constraint_of text;
  begin
    for cell in select * from jsonb_array_elements(cells) loop
      name := cell ->> 'name';
      begin
        if cell ->> 'before' is not null then execute cell ->> 'before'; end if;
        perform set_config('request.jwt.claims', cell ->> 'claims', true);
        -- As the settings statement of a request does.
        perform set_config('role', private.request_role(
          cell ->> 'role', ((cell ->> 'claims')::jsonb ->> 'sub')::uuid
        ), true);
        execute cell ->> 'statement';
        get diagnostics affected = row_count;
        perform set_config('role', 'none', true);
        found := null;
        if cell ->> 'after' is not null then execute cell ->> 'after' into found; end if;
        raise exception using errcode = 'PROBE', message = concat_ws(' ', 'done', affected, found);
      exception
        when sqlstate 'PROBE' then
          outcome := sqlerrm;
        when others then
          get stacked diagnostics constraint_of = constraint_name;
          outcome := case
            when sqlstate = '42501' and sqlerrm like 'permission denied%' then 'grant'
            when sqlstate = '42501' and sqlerrm like 'new row violates row-level security%' then 'check'
            else btrim(sqlstate || ' ' || coalesce(constraint_of, ''))
          end;
      end;
      if outcome is distinct from cell ->> 'expected' then
        outcome := outcome || ' instead of ' || (cell ->> 'expected');
        return next;
        exit when first_only;
      end if;
    end loop;
  end
  $$;
  insert into auth.users (id, email) values
    ('${ids.plain}', 'plain@example.org'), ('${ids.member}', 'member@example.org'),
    ('${ids.admin}', 'admin@example.org'), ('${ids.spare}', 'spare@example.org'),
    ('${ids.ended}', 'ended@example.org'), ('${ids.aal1}', 'aal1@example.org');
  insert into public.user_roles (user_id, role, ends_at) values ('${ids.admin}', 'platform_admin', null),
    ('${ids.ended}', 'platform_admin', now() - interval '1 minute'),
    ('${ids.aal1}', 'platform_admin', now() + interval '1 day');
  insert into auth.mfa_factors (user_id, factor_type, status) values ('${ids.admin}', 'totp', 'verified');
  insert into private.second_factor_requirement (due_at) values (now());
  insert into public.accounts (id, name, slug, account_type, created_by) values
    ('${ids.account}', 'Own', 'own', 'enterprise', '${ids.admin}'),
    ('${ids.other}', 'Other', 'other', 'organization', '${ids.admin}');
  insert into public.account_members (account_id, user_id) values
    ('${ids.account}', '${ids.member}'), ('${ids.other}', '${ids.spare}');
  insert into public.account_contacts (id, account_id, position, name, phone, email) values
    ('${ids.contact}', '${ids.account}', 1, 'Anna Keller', '+41446681800', 'anna@example.org'),
    (gen_random_uuid(), '${ids.other}', 1, 'Other Contact', null, null);
  insert into public.user_invitations (id, full_name, email) values
    ('${ids.pending}', 'First Person', 'first@example.org'), (gen_random_uuid(), 'Second Person', 'second@example.org');
  delete from public.notification_settings;
  insert into public.notification_settings (id, sender_email, sender_name)
    values ('${ids.settings}', 'sender@example.org', 'Sender');`;

/** Fills an empty product database and creates the probe function. */
export async function prepareProbe(database: Database): Promise<void> {
  await database.maintenance((tx) => database.script(tx, fixture));
}

const subjects: Readonly<Record<Cell['as'], string | null>> = {
  anon: null,
  'no role': ids.plain,
  member: ids.member,
  'ended admin': ids.ended,
  'aal1 admin': ids.aal1,
  'platform admin': ids.admin,
  service: null,
  owner: null,
};
const databaseRole = (cellRole: Cell['as']): string => {
  if (cellRole === 'owner') return 'none';
  if (cellRole === 'anon') return 'anon';
  return cellRole === 'service' ? 'service_role' : 'authenticated';
};

/** The required values of an account; an insert sets all other granted columns to null. */
const accountValues: Readonly<Record<string, string>> = {
  name: `'New'`,
  slug: `'new'`,
  account_type: `'enterprise'`,
  status: `'active'`,
  created_by: `'${ids.admin}'`,
};

const insertions: Readonly<Record<Table, string>> = {
  profiles: `(id, full_name) values ('${ids.spare}', 'x')`,
  accounts: `(${accountColumns.granted.join(', ')})
    values (${accountColumns.granted.map((column) => accountValues[column] ?? 'null').join(', ')})`,
  user_roles: `(user_id, role) values ('${ids.member}', 'platform_admin')`,
  account_members: `(account_id, user_id) values ('${ids.account}', '${ids.spare}')`,
  account_contacts: `(account_id, position, name) values ('${ids.account}', 2, 'New')`,
  user_invitations: `(full_name, email) values ('Third Person', 'third@example.org')`,
  notification_settings: `(sender_email, sender_name) values ('new@example.org', 'New')`,
};
/** The row already exists. The error must be the one of the database constraint, not of a policy. */
const duplicateErrors: Partial<Record<Table, string>> = {
  profiles: '23505 profiles_pkey',
  notification_settings: '23505',
};
const changes: Readonly<Record<Table, string>> = {
  profiles: `full_name = 'Changed' where id = '${ids.spare}'`,
  accounts: `city = 'Oslo' where id = '${ids.account}'`,
  user_roles: `created_at = now() where user_id = '${ids.spare}'`,
  account_members: `status = 'inactive' where user_id = '${ids.member}'`,
  account_contacts: `note = 'Changed' where account_id = '${ids.account}'`,
  user_invitations: `full_name = 'Changed Person' where email = 'first@example.org'`,
  notification_settings: `sender_name = 'Changed' where id = '${ids.settings}'`,
};
const changed = (table: Table): string => (table === 'user_roles' ? 'done 0' : 'done 1');
const removals: Readonly<Record<Table, string>> = { ...changes, profiles: `where id = '${ids.member}'` };

const tableCells: Cell[] = tables.flatMap((table) =>
  roles.flatMap((as): Cell[] => {
    const rows = visible(table, as);
    const expect = (verb: 'POST' | 'PATCH' | 'DELETE', done: string): string => {
      const outcome = expectedOutcome(table, verb, as);
      if (outcome === 'none') return 'done 0';
      return outcome === 'ok' ? done : outcome;
    };
    const where = removals[table].slice(removals[table].indexOf('where'));
    return [
      {
        name: `read ${table} as ${as}`,
        as,
        statement: `select * from public.${table}`,
        expected: rows === null ? 'grant' : `done ${rows}`,
      },
      {
        name: `insert into ${table} as ${as}`,
        as,
        statement: `insert into public.${table} ${insertions[table]}`,
        expected: expect('POST', duplicateErrors[table] ?? 'done 1'),
      },
      {
        name: `update ${table} as ${as}`,
        as,
        statement: `update public.${table} set ${changes[table]}`,
        expected: expect('PATCH', changed(table)),
      },
      {
        name: `delete from ${table} as ${as}`,
        as,
        statement: `delete from public.${table} ${where}`,
        expected: expect('DELETE', changed(table)),
      },
      // No role can empty a view this way.
      {
        name: `truncate ${table} as ${as}`,
        as,
        statement: `truncate public.${table}`,
        expected: table === 'user_invitations' ? '42809' : 'grant',
      },
    ];
  }),
);

const cells: readonly Cell[] = [...tableCells, ...ruleCells(ids)];

export const cellCount = cells.length;

const cellsJson = JSON.stringify(
  cells.map((cell) => {
    const sub = subjects[cell.as];
    const role = databaseRole(cell.as);
    const aal = cell.as === 'platform admin' || cell.as === 'ended admin' ? 'aal2' : 'aal1';
    return { ...cell, role, claims: JSON.stringify(sub === null ? { role } : { role, sub, aal }) };
  }),
);

/**
 * @param only `first` stops at the first wrong cell
 * @returns one line per cell whose outcome differs from the table
 */
export async function wrongCells(tx: Transaction, only: 'all' | 'first'): Promise<string[]> {
  const rows = await tx.query<{ name: string; outcome: string }>(
    sql`select name, outcome from probe.run(${cellsJson}::jsonb, ${only === 'first'})`,
  );
  return rows.map(({ name, outcome }) => `${name}: ${outcome}`);
}
