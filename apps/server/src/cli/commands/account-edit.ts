/** `accounts create`, `show` and `edit`. */
import { newAccountSchema, type NewAccountInput } from '@lanternrock/contract/accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { toTerminalText } from '../../log.ts';
import type { CommandIO } from '../command.ts';
import { setCommandActor } from '../command-actor.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

const options = {
  name: { type: 'string' },
  type: { type: 'string' },
  address: { type: 'string' },
  city: { type: 'string' },
  state: { type: 'string' },
  zip: { type: 'string' },
  as: { type: 'string' },
} as const;

interface Account {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly account_type: NewAccountInput['account_type'];
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip_code: string | null;
  readonly status: string;
  readonly active_members: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws UsageError with the messages of the dialog */
function parseAccount(input: NewAccountInput) {
  const { data, error } = newAccountSchema.safeParse(input);
  if (error) throw new UsageError(`${error.issues.map(({ message }) => message).join('. ')}.`);
  return data;
}

/** @throws UsageError for an unknown account, and for a slug of several accounts */
async function requireAccount(database: Transaction, idOrSlug: string | undefined): Promise<Account> {
  if (!idOrSlug) throw new UsageError('Missing argument: ID or SLUG of the account.');
  const found = await database.query<Account & Record<string, unknown>>(
    uuid.test(idOrSlug)
      ? sql`select a.* from public.accounts a where a.id = ${idOrSlug}`
      : sql`select a.* from public.accounts a where a.slug = ${idOrSlug} limit 2`,
  );
  if (found.length > 1)
    throw new UsageError(`Several accounts have the slug ${idOrSlug}. Use the ID of one of them.`);
  const [account] = found;
  if (!account) throw new UsageError(`Account ${idOrSlug} not found.`);
  return account;
}

export async function createAccount(
  database: Database,
  args: readonly string[],
  io: CommandIO,
): Promise<number> {
  const { values } = parseArguments(args, options, 0);
  if (values.name === undefined)
    throw new UsageError('Missing option: --name, for example --name "Vail Ski Patrol".');
  if (values.type === undefined)
    throw new UsageError('Missing option: --type enterprise or --type organization.');
  const account = parseAccount({
    name: values.name,
    account_type: values.type as NewAccountInput['account_type'],
    address: values.address ?? '',
    city: values.city ?? '',
    state: values.state ?? '',
    zip_code: values.zip ?? '',
  });
  const [created] = await database.transaction(async (tx) => {
    const createdBy = await setCommandActor(tx, io, values.as);
    return tx.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type, address, city, state, zip_code, created_by)
          values (${account.name}, ${slugFromName(account.name)}, ${account.account_type}, ${account.address},
                  ${account.city}, ${account.state}, ${account.zip_code}, ${createdBy})
          returning id`,
    );
  });
  io.print(`Created ${toTerminalText(account.name)}: ${created?.id}`);
  return 0;
}

export async function showAccount(
  database: Database,
  args: readonly string[],
  io: CommandIO,
): Promise<number> {
  const account = await requireAccount(database, parseArguments(args, {}, 1).positionals[0]);
  const lines: readonly (readonly [string, string | number | null])[] = [
    ['ID', account.id],
    ['Name', account.name],
    ['Slug', account.slug],
    ['Type', account.account_type],
    ['Status', account.status],
    ['Users', account.active_members],
    ['Address', account.address],
    ['City', account.city],
    ['State', account.state],
    ['Zip code', account.zip_code],
    ['Created', account.created_at.toISOString()],
    ['Last updated', account.updated_at.toISOString()],
  ];
  for (const [label, value] of lines)
    io.print(`${label.padEnd(14)}${value === null ? '-' : toTerminalText(String(value))}`);
  return 0;
}

/** Changes the given fields. The slug does not change. */
export async function editAccount(
  database: Database,
  args: readonly string[],
  io: CommandIO,
): Promise<number> {
  const { values, positionals } = parseArguments(args, options, 1);
  const { as, ...given } = values;
  if (Object.keys(given).length === 0)
    throw new UsageError('Nothing to change. Add an option, for example --city Vail.');
  return database.transaction(async (tx) => {
    await setCommandActor(tx, io, as);
    const { id } = await requireAccount(tx, positionals[0]);
    // Locks the row, so that a concurrent change is not overwritten.
    const [stored] = await tx.query<Account & Record<string, unknown>>(
      sql`select a.* from public.accounts a where a.id = ${id} for update`,
    );
    if (!stored) throw new UsageError(`Account ${id} not found.`);
    const account = parseAccount({
      name: given.name ?? stored.name,
      account_type: (given.type ?? stored.account_type) as NewAccountInput['account_type'],
      address: given.address ?? stored.address ?? '',
      city: given.city ?? stored.city ?? '',
      state: given.state ?? stored.state ?? '',
      zip_code: given.zip ?? stored.zip_code ?? '',
    });
    const changed = await tx.query(
      sql`update public.accounts
             set name = ${account.name}, account_type = ${account.account_type}, address = ${account.address},
                 city = ${account.city}, state = ${account.state}, zip_code = ${account.zip_code}
           where id = ${id} and (name, account_type, address, city, state, zip_code) is distinct from
             (${account.name}, ${account.account_type}::public.account_type, ${account.address},
              ${account.city}, ${account.state}, ${account.zip_code})
          returning id`,
    );
    io.print(`${toTerminalText(account.name)} ${changed.length > 0 ? 'was changed' : 'is unchanged'}.`);
    return 0;
  });
}
