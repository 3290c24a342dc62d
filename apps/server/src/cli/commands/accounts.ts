import { type Database, sql } from '@lanternrock/postgres';
import { toTerminalText } from '../../log.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command, Output } from '../command.ts';
import { setAuditOrigin } from '../audit-origin.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param text part of the name, case-insensitive */
async function list(database: Database, text: string, output: Output): Promise<number> {
  const accounts = await database.query<{ id: string; name: string; status: string }>(
    sql`select id, name, status from public.accounts
         where position(lower(${text}) in lower(name)) > 0 order by created_at desc limit 100`,
  );
  for (const { id, name, status } of accounts)
    output.print(`${id}  ${toTerminalText(status).padEnd(12)} ${toTerminalText(name)}`);
  if (accounts.length === 0) output.print('No accounts.');
  return 0;
}

export const accountsCommand: Command = {
  name: 'accounts',
  usage: 'list [TEXT] | set-status ID STATUS | members ID',
  description: 'List accounts (newest first, up to 100), set a status, or list members.',
  requires: 'current-schema',
  async run({ database }, args, output) {
    const maxPositionals = args[0] === 'set-status' ? 3 : 2;
    const [action, id, status] = parseArguments(args, {}, maxPositionals).positionals;
    if (action === 'list') return list(database, id ?? '', output);
    if (action !== 'set-status' && action !== 'members')
      throw new UsageError('Expected list, set-status or members.');
    if (id === undefined || !uuid.test(id))
      throw new UsageError('Missing or invalid account ID. Run "lanternrock accounts list" to find it.');
    if (action === 'set-status') {
      if (!status) throw new UsageError('Missing argument: STATUS, for example suspended.');
      const [changed] = await database.transaction(async (tx) => {
        await setAuditOrigin(output)(tx);
        return tx.query<{ name: string }>(
          sql`update public.accounts set status = ${status} where id = ${id} returning name`,
        );
      });
      if (!changed) throw new UsageError(`Account ${id} not found.`);
      output.print(`${changed.name} is now ${status}.`);
      return 0;
    }
    const [account] = await database.query(sql`select from public.accounts where id = ${id}`);
    if (!account) throw new UsageError(`Account ${id} not found.`);
    const members = await database.query<{ email: string; status: string }>(
      sql`select coalesce(u.email, u.id::text) as email, m.status
            from public.account_members m join auth.users u on u.id = m.user_id
           where m.account_id = ${id} order by 1`,
    );
    for (const member of members) output.print(`${member.email.padEnd(36)} ${member.status}`);
    if (members.length === 0) output.print('No members.');
    return 0;
  },
};
