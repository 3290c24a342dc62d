import { normalizeEmail } from '@lanternrock/contract/email';
import { sql } from '@lanternrock/postgres';
import { recordOperationNow } from '../audit-origin.ts';
import { parseArguments } from '../parse-arguments.ts';
import type { Command } from '../command.ts';
import { maxLines, printJsonLines, parseSince } from '../json-lines.ts';

/** An audit log entry of the Auth API. */
interface AuditEntry {
  readonly at: Date;
  readonly action: string;
  /** Email address; '' if unknown. */
  readonly actor: string;
  /** IP address. */
  readonly address: string;
  readonly request_id: string | null;
  readonly traits: object | null;
}

export const signInsCommand: Command = {
  name: 'sign-ins',
  usage: '[--since TIME] [--of EMAIL]',
  description: 'Print sign-ins, failed sign-ins and credential changes as JSON lines, oldest first.',
  requires: 'current-schema',
  async run({ database }, args, io) {
    const { values } = parseArguments(args, { since: { type: 'string' }, of: { type: 'string' } }, 0);
    const since = parseSince(values.since);
    const email = values.of === undefined ? null : normalizeEmail(values.of);
    const entries = await database.query<AuditEntry>(
      sql`select created_at as at, payload ->> 'action' as action, payload ->> 'actor_username' as actor,
                 ip_address as address, payload ->> 'request_id' as request_id, payload -> 'traits' as traits
            from auth.audit_log_entries
           where created_at >= ${since} and (${email}::text is null or payload ->> 'actor_username' = ${email})
           order by created_at, id limit ${maxLines}`,
    );
    const given = { since: values.since && since.toISOString(), of: email ?? undefined };
    await recordOperationNow(database, io, 'sign_ins_read', given);
    const filter = email === null ? [] : ['--of', email];
    printJsonLines(entries, ({ at }) => ['--since', at.toISOString(), ...filter], io);
    return 0;
  },
};
