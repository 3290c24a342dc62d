import { accountStatuses } from '@lanternrock/contract/account-view';
import { isUuid } from '@lanternrock/contract/uuid';
import { type Database, sql } from '@lanternrock/postgres';
import { setAccountStatus } from '../../accounts/account-status.ts';
import { toTerminalText } from '../../log.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Command, CommandIO, Invocation } from '../command.ts';
import { setCommandOrigin } from '../audit-origin.ts';
import { parseCreation, parseEdit, parseShow } from './account-edit.ts';
import { parseAccountExport } from './account-export.ts';
import { parseAccountImport } from './account-import.ts';
import { parseUndoImport } from './undo-import.ts';

/** @param text part of the name, case-insensitive */
async function listAccounts(database: Database, io: CommandIO, text: string): Promise<number> {
  const accounts = await database.query<{ id: string; name: string; status: string }>(
    sql`select id, name, status from public.accounts
         where position(lower(${text}) in lower(name)) > 0 order by created_at desc limit 100`,
  );
  for (const { id, name, status } of accounts)
    io.print(`${id}  ${toTerminalText(status).padEnd(12)} ${toTerminalText(name)}`);
  if (accounts.length === 0) io.print('No accounts.');
  return 0;
}

interface StatusChange {
  readonly accountId: string;
  readonly status: (typeof accountStatuses)[number];
  readonly reason: string | undefined;
}

async function setStatus(database: Database, io: CommandIO, change: StatusChange): Promise<number> {
  const { name } = await database.transaction(async (tx) => {
    await setCommandOrigin(io)(tx);
    return setAccountStatus(tx, { ...change, updatedAt: null, actorId: null });
  });
  io.print(`${toTerminalText(name)} is now ${change.status}.`);
  return 0;
}

async function listMembers(database: Database, io: CommandIO, accountId: string): Promise<number> {
  const [account] = await database.query(sql`select from public.accounts where id = ${accountId}`);
  if (!account) throw new UsageError(`Account ${accountId} not found.`);
  const members = await database.query<{ email: string; status: string; ends_at: Date | null }>(
    sql`select coalesce(u.email, u.id::text) as email, m.status, m.ends_at
          from public.account_members m join auth.users u on u.id = m.user_id
         where m.account_id = ${accountId} order by 1`,
  );
  for (const { email, status, ends_at: end } of members)
    io.print(`${email.padEnd(36)} ${status}${end === null ? '' : `, until ${end.toISOString()}`}`);
  if (members.length === 0) io.print('No members.');
  return 0;
}

/** `list [TEXT]` */
function parseList(args: readonly string[]): Invocation {
  const [text = ''] = parseArguments(args, {}, 1).positionals;
  return { requires: 'current-schema', run: ({ database }, io) => listAccounts(database, io, text) };
}

function requireId(id: string | undefined): string {
  if (id === undefined || !isUuid(id))
    throw new UsageError('Missing or invalid account ID. Run "lanternrock accounts list" to find it.');
  return id;
}

/** `set-status ID STATUS [--reason TEXT]` */
function parseStatusChange(args: readonly string[]): Invocation {
  const { positionals, values } = parseArguments(args, { reason: { type: 'string' } }, 2);
  const accountId = requireId(positionals[0]);
  const status = accountStatuses.find((each) => each === positionals[1]);
  if (!status) throw new UsageError(`Expected a status: ${accountStatuses.join(', ')}.`);
  const { reason } = values;
  if (status === 'suspended' && reason === undefined)
    throw new UsageError('Missing option: --reason TEXT, why the account is suspended.');
  return {
    requires: 'current-schema',
    run: ({ database }, io) => setStatus(database, io, { accountId, status, reason }),
  };
}

/** `members ID` */
function parseMembers(args: readonly string[]): Invocation {
  const id = requireId(parseArguments(args, {}, 1).positionals[0]);
  return { requires: 'current-schema', run: ({ database }, io) => listMembers(database, io, id) };
}

const subcommands = new Map([
  ['list', parseList],
  ['show', parseShow],
  ['create', parseCreation],
  ['edit', parseEdit],
  ['import', parseAccountImport],
  ['undo-import', parseUndoImport],
  ['export', parseAccountExport],
  ['set-status', parseStatusChange],
  ['members', parseMembers],
]);

export const accountsCommand: Command = {
  name: 'accounts',
  usage:
    'list [TEXT] | show ID|SLUG | create --name NAME --type TYPE | edit ID|SLUG | import FILE | undo-import ID | export [FILE] | set-status ID STATUS [--reason TEXT] | members ID',
  description:
    'List (newest first, up to 100), create, edit, import or export accounts, undo an import, set a status, or list members.',
  parse([name = '', ...args]) {
    const parse = subcommands.get(name);
    if (parse) return parse(args);
    // An unknown option before the subcommand has its own message.
    parseArguments([name, ...args], {}, 2);
    throw new UsageError(
      'Expected list, show, create, edit, import, undo-import, export, set-status or members.',
    );
  },
};
