import fs from 'node:fs';
import path from 'node:path';
import { type Database, sql } from '@lanternrock/postgres';
import type { Config } from '../../config/settings.ts';
import { parseArguments } from '../parse-arguments.ts';
import { isMailboxEnabled } from '../../http/local-access.ts';
import type { Command } from '../command.ts';
import { linkFile } from '../link-file.ts';

/** Whether a service runs: who works beside one with DATABASE_URL does not meet it. */
function serviceWords(engine: Database['engine'], inService: boolean): string {
  if (inService) return `running, process ${process.pid}`;
  return engine === 'embedded' ? 'not running' : 'not known with DATABASE_URL; ask its /health';
}

/** Says where the mailbox link is. The link itself is not printed: output of a command may end in a log. */
function mailboxWords({ DATA_DIR }: Config): string {
  const file = linkFile(DATA_DIR, 'mailbox-link');
  return fs.existsSync(file) ? `link in ${file}` : 'link on the terminal of the start';
}

export const statusCommand: Command = {
  name: 'status',
  usage: '',
  description: 'Tells which database is open and what it holds.',
  requires: 'database',
  async run({ config, database }, args, output) {
    parseArguments(args, {}, 0);
    output.print(`database         ${database.engine}, Postgres ${Math.floor(database.version / 10_000)}`);
    output.print(`data             ${config.DATABASE_URL ? 'DATABASE_URL' : path.resolve(config.DATA_DIR)}`);
    output.print(`service          ${serviceWords(database.engine, output.inService)}`);
    if (output.inService) output.print(`address          ${config.SITE_URL}`);
    if (!config.MIGRATE) {
      output.print('tables           managed elsewhere (MIGRATE=off); only /rest/v1 is served');
      return 0;
    }
    const [counts] = await database.query<{ accounts: string; administrators: string; invitations: string }>(
      sql`select (select count(*) from public.accounts) as accounts,
                 (select count(*) from public.user_roles where role = 'platform_admin') as administrators,
                 (select count(*) from private.invitations where status = 'pending' and expires_at > now()) as invitations`,
    );
    if (isMailboxEnabled(config)) output.print(`mailbox          ${mailboxWords(config)}`);
    output.print(`accounts         ${counts?.accounts ?? '0'}`);
    output.print(`administrators   ${counts?.administrators ?? '0'}`);
    output.print(`open invitations ${counts?.invitations ?? '0'}`);
    return 0;
  },
};
