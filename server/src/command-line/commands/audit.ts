import { sql } from '../../database/sql.ts';
import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';
import { commandLine } from '../origin.ts';

interface Change {
  readonly at: Date;
  /** An address, or `command line (root)`; null for changes of the service itself or by SQL. */
  readonly actor: string | null;
  readonly action: string;
  readonly table_name: string;
  readonly row_id: string | null;
  readonly request_id: string | null;
  readonly before: object | null;
  readonly after: object | null;
}

/** Most changes that one call prints. */
const most = 10_000;

export const auditCommand: Command = {
  name: 'audit',
  usage: '[--since TIME]',
  about: 'Prints every change of product data as JSON lines, oldest first.',
  async run({ database }, args, output) {
    const { values } = readArguments(args, { since: { type: 'string' } });
    const since = values.since === undefined ? new Date(0) : new Date(values.since);
    if (Number.isNaN(since.getTime()))
      throw new UsageProblem('--since takes a time such as 2026-11-21 or 2026-11-21T08:00Z.');
    const changes = await database.query<Change>(
      sql`select l.at, coalesce(u.email, l.actor::text,
                   case when starts_with(l.request_id, ${commandLine}) then l.request_id end) as actor, l.action, l.table_name, l.row_id, l.request_id,
                 l.before, l.after
            from private.audit_log l left join auth.users u on u.id = l.actor
           where l.at >= ${since} order by l.id limit ${most}`,
    );
    for (const change of changes) output.line(JSON.stringify(change));
    if (changes.length === most)
      output.problem(
        `Only the first ${most} are shown; go on with --since ${changes.at(-1)?.at.toISOString()}.`,
      );
    return 0;
  },
};
