import { sql } from '@lanternrock/postgres';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';
import { maxLines, printJsonLines, parseSince } from '../json-lines.ts';
import { commandLineActor } from '../audit-origin.ts';

interface Change {
  /** Ascending; a bigint as text. */
  readonly id: string;
  readonly at: Date;
  /** Email address or `command line (root)`; null for changes by the service itself or by SQL. */
  readonly actor: string | null;
  readonly action: string;
  readonly table_name: string;
  readonly row_id: string | null;
  readonly request_id: string | null;
  readonly before: object | null;
  readonly after: object | null;
}

export const auditCommand: Command = {
  name: 'audit',
  usage: '[--since TIME] [--after ID]',
  description: 'Print changes to product data as JSON lines, oldest first.',
  requires: 'current-schema',
  async run({ database }, args, output) {
    const { values } = parseArguments(args, { since: { type: 'string' }, after: { type: 'string' } }, 0);
    const since = parseSince(values.since);
    const after = values.after ?? '0';
    if (!/^\d{1,18}$/.test(after))
      throw new UsageError('--after must be the id of a change from an earlier output.');
    const changes = await database.query<Change>(
      sql`select l.id, l.at, coalesce(u.email, l.actor::text,
                   case when starts_with(l.request_id, ${commandLineActor}) then l.request_id end) as actor,
                 l.action, l.table_name, l.row_id, l.request_id, l.before, l.after
            from private.audit_log l left join auth.users u on u.id = l.actor
           where l.at >= ${since} and l.id > ${after} order by l.id limit ${maxLines}`,
    );
    const from = values.since === undefined ? [] : ['--since', since.toISOString()];
    printJsonLines(changes, ({ id }) => [...from, '--after', id], output);
    return 0;
  },
};
