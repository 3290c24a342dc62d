import fs from 'node:fs';
import path from 'node:path';
import { type Database, sql } from '@lanternrock/postgres';
import { readLastBackup } from '../../backup/last-backup.ts';
import type { Config } from '../../config/settings.ts';
import { describeDifferentSettings } from '../../database/service-settings.ts';
import { toTerminalText } from '../../log.ts';
import { version } from '../../version.ts';
import { parseArguments } from '../parse-arguments.ts';
import { isMailboxEnabled } from '../../http/local-access.ts';
import type { Command, CommandIO, DatabaseContext } from '../command.ts';
import { linkFile } from '../link-file.ts';

/** Describes whether a service runs. With DATABASE_URL, there is no lock by which a command can detect it. */
function describeServiceState(engine: Database['engine'], inService: boolean): string {
  if (inService) return `running, process ${process.pid}`;
  return engine === 'embedded' ? 'not running' : 'unknown with DATABASE_URL; request /health';
}

/** Describes where the mailbox link is. The link itself is a secret, and the output of a command may be logged. */
function describeMailboxLink({ DATA_DIR }: Config): string {
  const file = linkFile(DATA_DIR, 'mailbox-link');
  return fs.existsSync(file) ? `link in ${file}` : 'link printed on the terminal at the start';
}

export const statusCommand: Command = {
  name: 'status',
  usage: '',
  description: 'Show the version, the database and its contents.',
  parse(args) {
    parseArguments(args, {}, 0);
    return { requires: 'database', run: printStatus };
  },
};

async function printStatus({ config, database }: DatabaseContext, io: CommandIO): Promise<number> {
  io.print(`version          ${version}`);
  io.print(`database         ${database.engine}, Postgres ${Math.floor(database.version / 10_000)}`);
  io.print(`data             ${config.DATABASE_URL ? 'DATABASE_URL' : path.resolve(config.DATA_DIR)}`);
  io.print(`service          ${describeServiceState(database.engine, io.inService)}`);
  if (io.inService) io.print(`site URL         ${config.SITE_URL}`);
  if (!config.MIGRATE) {
    io.print('tables           managed elsewhere (MIGRATE=off); only /rest/v1 is served');
    return 0;
  }
  const [counts] = await database.query<{ accounts: string; administrators: string; invitations: string }>(
    sql`select (select count(*) from public.accounts) as accounts,
                 (select count(*) from private.active_administrators) as administrators,
                 (select count(*) from private.invitations where status = 'pending' and expires_at > now()) as invitations`,
  );
  const different = await describeDifferentSettings({ config, database });
  if (different !== null) io.print(`settings         differ from those of the service: ${different}`);
  else if (isMailboxEnabled(config)) io.print(`mailbox          ${describeMailboxLink(config)}`);
  if (config.BACKUP_SCHEDULE !== '')
    io.print(`backup           ${toTerminalText((await readLastBackup(database)).text, 1000)}`);
  io.print(`accounts         ${counts?.accounts ?? '0'}`);
  io.print(`administrators   ${counts?.administrators ?? '0'}`);
  io.print(`open invitations ${counts?.invitations ?? '0'}`);
  return 0;
}
