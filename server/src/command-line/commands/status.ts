import { sql } from '../../database/sql.ts';
import type { Command } from '../command.ts';

export const statusCommand: Command = {
  name: 'status',
  usage: '',
  about: 'Tells which database is open and what it holds.',
  async run({ database }, _args, output) {
    const [counts] = await database.query<{ accounts: string; administrators: string; invitations: string }>(
      sql`select (select count(*) from public.accounts) as accounts,
                 (select count(*) from public.user_roles where role = 'platform_admin') as administrators,
                 (select count(*) from private.invitations where status = 'pending' and expires_at > now()) as invitations`,
    );
    output.line(`database         ${database.engine}, Postgres ${Math.floor(database.version / 10_000)}`);
    output.line(`process          ${process.pid}`);
    output.line(`accounts         ${counts?.accounts ?? '0'}`);
    output.line(`administrators   ${counts?.administrators ?? '0'}`);
    output.line(`open invitations ${counts?.invitations ?? '0'}`);
    return 0;
  },
};
