import { accountStatuses } from '@lanternrock/contract/account-status';
import { type Database, sql } from '@lanternrock/postgres';
import { setAccountStatus } from '../../accounts/account-status.ts';
import { toTerminalText } from '../../log.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Command, CommandIO } from '../command.ts';
import { setAuditOrigin } from '../audit-origin.ts';
import { createAccount, editAccount, showAccount } from './account-edit.ts';
import { exportAccounts } from './account-export.ts';
import { importAccountFile } from './account-import.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param text part of the name, case-insensitive */
async function list(database: Database, text: string, io: CommandIO): Promise<number> {
  const accounts = await database.query<{ id: string; name: string; status: string }>(
    sql`select id, name, status from public.accounts
         where position(lower(${text}) in lower(name)) > 0 order by created_at desc limit 100`,
  );
  for (const { id, name, status } of accounts)
    io.print(`${id}  ${toTerminalText(status).padEnd(12)} ${toTerminalText(name)}`);
  if (accounts.length === 0) io.print('No accounts.');
  return 0;
}

interface StatusArguments {
  readonly id: string;
  readonly status: string | undefined;
  readonly reason: string | undefined;
}

async function setStatus(
  database: Database,
  { id, status, reason }: StatusArguments,
  io: CommandIO,
): Promise<number> {
  const known = accountStatuses.find((each) => each === status);
  if (!known) throw new UsageError(`Expected a status: ${accountStatuses.join(', ')}.`);
  if (known === 'suspended' && reason === undefined)
    throw new UsageError('Missing option: --reason TEXT, why the account is suspended.');
  const { name } = await database.transaction(async (tx) => {
    await setAuditOrigin(io)(tx);
    return setAccountStatus(tx, { accountId: id, status: known, reason, updatedAt: null, actorId: null });
  });
  io.print(`${toTerminalText(name)} is now ${known}.`);
  return 0;
}

const actions = new Map([
  ['create', createAccount],
  ['show', showAccount],
  ['edit', editAccount],
  ['import', importAccountFile],
  ['export', exportAccounts],
]);

/** Returns the option `--results` with its value, which can be the next argument. */
const resultsOption = (arg: string, next = ''): string[] => {
  if (arg === '--results') return [`--results=${next}`];
  return arg.startsWith('--results=') ? [arg] : [];
};

export const accountsCommand: Command = {
  name: 'accounts',
  writableFiles: ([action, ...args]) => {
    if (action === 'export') return args;
    return action === 'import' ? args.flatMap((arg, index) => resultsOption(arg, args[index + 1])) : [];
  },
  usage:
    'list [TEXT] | show ID|SLUG | create --name NAME --type TYPE | edit ID|SLUG | import FILE | export [FILE] | set-status ID STATUS [--reason TEXT] | members ID',
  description:
    'List (newest first, up to 100), create, edit, import or export accounts, set a status, or list members.',
  requires: 'current-schema',
  async run({ database }, args, io) {
    const run = actions.get(args[0] ?? '');
    if (run) return run(database, args.slice(1), io);
    const maxPositionals = args[0] === 'set-status' ? 3 : 2;
    const parsed = parseArguments(args, { reason: { type: 'string' } }, maxPositionals);
    const { values } = parsed;
    const [action, id, status] = parsed.positionals;
    if (action === 'list') return list(database, id ?? '', io);
    if (action !== 'set-status' && action !== 'members')
      throw new UsageError('Expected list, show, create, edit, import, export, set-status or members.');
    if (id === undefined || !uuid.test(id))
      throw new UsageError('Missing or invalid account ID. Run "lanternrock accounts list" to find it.');
    if (action === 'set-status') {
      return setStatus(database, { id, status, reason: values.reason }, io);
    }
    const [account] = await database.query(sql`select from public.accounts where id = ${id}`);
    if (!account) throw new UsageError(`Account ${id} not found.`);
    const members = await database.query<{ email: string; status: string }>(
      sql`select coalesce(u.email, u.id::text) as email, m.status
            from public.account_members m join auth.users u on u.id = m.user_id
           where m.account_id = ${id} order by 1`,
    );
    for (const member of members) io.print(`${member.email.padEnd(36)} ${member.status}`);
    if (members.length === 0) io.print('No members.');
    return 0;
  },
};
