import { normalizeEmail } from '@lanternrock/contract/email';
import { type Database, sql } from '@lanternrock/postgres';
import { recordOperationNow } from '../record-operation.ts';
import { parseArguments } from '../parse-arguments.ts';
import type { Command, CommandIO } from '../command.ts';
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
  parse(args) {
    const { values } = parseArguments(args, { since: { type: 'string' }, of: { type: 'string' } }, 0);
    const filter: SignInFilter = {
      since: parseSince(values.since),
      email: values.of === undefined ? null : normalizeEmail(values.of),
    };
    return { requires: 'current-schema', run: ({ database }, io) => printSignIns(database, io, filter) };
  },
};

/** Null for no limit. */
interface SignInFilter {
  readonly since: Date | null;
  readonly email: string | null;
}

async function printSignIns(
  database: Database,
  io: CommandIO,
  { since, email }: SignInFilter,
): Promise<number> {
  const entries = await database.query<AuditEntry>(
    sql`select created_at as at, payload ->> 'action' as action, payload ->> 'actor_username' as actor,
                 ip_address as address, payload ->> 'request_id' as request_id, payload -> 'traits' as traits
            from auth.audit_log_entries
           where created_at >= ${since ?? new Date(0)} and (${email}::text is null or payload ->> 'actor_username' = ${email})
           order by created_at, id limit ${maxLines}`,
  );
  const given = { since: since?.toISOString(), of: email ?? undefined };
  await recordOperationNow(database, io, 'sign_ins_read', given);
  const sameEmail = email === null ? [] : ['--of', email];
  printJsonLines(entries, ({ at }) => ['--since', at.toISOString(), ...sameEmail], io);
  return 0;
}
