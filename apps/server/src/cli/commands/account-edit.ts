/** `accounts create`, `show` and `edit`. */
import { newAccountSchema, type NewAccountInput } from '@lanternrock/contract/accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import { isUuid } from '@lanternrock/contract/uuid';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { toTerminalText } from '../../log.ts';
import type { CommandIO, Invocation } from '../command.ts';
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

/** @throws UsageError with the messages of the dialog */
function parseAccount(input: NewAccountInput) {
  const { data, error } = newAccountSchema.safeParse(input);
  if (error) throw new UsageError(`${error.issues.map(({ message }) => message).join('. ')}.`);
  return data;
}

/** @throws UsageError */
function requireIdOrSlug([idOrSlug]: readonly string[]): string {
  if (!idOrSlug) throw new UsageError('Missing argument: ID or SLUG of the account.');
  return idOrSlug;
}

/** @throws UsageError for an unknown account, and for a slug of several accounts */
async function findAccount(database: Transaction, idOrSlug: string): Promise<Account> {
  const found = await database.query<Account & Record<string, unknown>>(
    isUuid(idOrSlug)
      ? sql`select a.* from public.accounts a where a.id = ${idOrSlug}`
      : sql`select a.* from public.accounts a where a.slug = ${idOrSlug} limit 2`,
  );
  if (found.length > 1)
    throw new UsageError(`Several accounts have the slug ${idOrSlug}. Use the ID of one of them.`);
  const [account] = found;
  if (!account) throw new UsageError(`Account ${idOrSlug} not found.`);
  return account;
}

type AccountFields = ReturnType<typeof parseAccount>;

/**
 * `create --name NAME --type TYPE [--address TEXT] [--city TEXT] [--state TEXT] [--zip TEXT] [--as EMAIL]`
 *
 * @throws UsageError
 */
export function parseCreation(args: readonly string[]): Invocation {
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
  return {
    requires: 'current-schema',
    run: ({ database }, io) => createAccount(database, io, account, values.as),
  };
}

/** @param creator email address of the administrator that `--as` names */
async function createAccount(
  database: Database,
  io: CommandIO,
  account: AccountFields,
  creator: string | undefined,
): Promise<number> {
  const [created] = await database.transaction(async (tx) => {
    const createdBy = await setCommandActor(tx, io, creator);
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

/**
 * `show ID|SLUG`
 *
 * @throws UsageError
 */
export function parseShow(args: readonly string[]): Invocation {
  const idOrSlug = requireIdOrSlug(parseArguments(args, {}, 1).positionals);
  return { requires: 'current-schema', run: ({ database }, io) => showAccount(database, io, idOrSlug) };
}

async function showAccount(database: Database, io: CommandIO, idOrSlug: string): Promise<number> {
  const account = await findAccount(database, idOrSlug);
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

/** Values of the options; undefined for a field that does not change. */
type GivenFields = Readonly<
  Partial<Record<'name' | 'type' | 'address' | 'city' | 'state' | 'zip', string | undefined>>
>;

/**
 * `edit ID|SLUG` with the options of `create`. The slug does not change.
 *
 * @throws UsageError
 */
export function parseEdit(args: readonly string[]): Invocation {
  const { values, positionals } = parseArguments(args, options, 1);
  const { as: editor, ...given } = values;
  if (Object.keys(given).length === 0)
    throw new UsageError('Nothing to change. Add an option, for example --city Vail.');
  const idOrSlug = requireIdOrSlug(positionals);
  return {
    requires: 'current-schema',
    run: ({ database }, io) => editAccount(database, io, { idOrSlug, given, editor }),
  };
}

interface Edit {
  readonly idOrSlug: string;
  readonly given: GivenFields;
  /** Email address of the administrator that `--as` names. */
  readonly editor: string | undefined;
}

async function editAccount(
  database: Database,
  io: CommandIO,
  { idOrSlug, given, editor }: Edit,
): Promise<number> {
  return database.transaction(async (tx) => {
    await setCommandActor(tx, io, editor);
    const { id } = await findAccount(tx, idOrSlug);
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
