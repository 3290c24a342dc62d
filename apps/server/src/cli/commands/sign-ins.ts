import { normalizeEmail } from '@lanternrock/contract/email';
import { sql } from '@lanternrock/postgres';
import { parseArguments } from '../parse-arguments.ts';
import type { Command } from '../command.ts';
import { maxLines, printJsonLines, parseSince } from '../json-lines.ts';

/** What the auth service wrote down (`auth/audit.ts`). */
interface Act {
  readonly at: Date;
  readonly action: string;
  /** An address; '' where nobody is known by it. */
  readonly actor: string;
  readonly address: string;
  readonly request_id: string | null;
  readonly traits: object | null;
}

export const signInsCommand: Command = {
  name: 'sign-ins',
  usage: '[--since TIME] [--of EMAIL]',
  description:
    'Prints sign-ins, failed ones, and changes of passwords and factors as JSON lines, oldest first.',
  requires: 'current-schema',
  async run({ database }, args, output) {
    const { values } = parseArguments(args, { since: { type: 'string' }, of: { type: 'string' } }, 0);
    const since = parseSince(values.since);
    const of = values.of === undefined ? null : normalizeEmail(values.of);
    const acts = await database.query<Act>(
      sql`select created_at as at, payload ->> 'action' as action, payload ->> 'actor_username' as actor,
                 ip_address as address, payload ->> 'request_id' as request_id, payload -> 'traits' as traits
            from auth.audit_log_entries
           where created_at >= ${since} and (${of}::text is null or payload ->> 'actor_username' = ${of})
           order by created_at, id limit ${maxLines}`,
    );
    const whose = of === null ? [] : ['--of', of];
    printJsonLines(acts, ({ at }) => ['--since', at.toISOString(), ...whose], output);
    return 0;
  },
};
