import type { Database, Statement } from '@lanternrock/postgres';
import { auditEntrySql, toExportLine } from '../../audit/entry.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Command, CommandIO } from '../command.ts';
import { maxLines, printJsonLines, parseSince } from '../json-lines.ts';
import { commandLineOrigin } from '../audit-origin.ts';
import { recordOperationNow } from '../record-operation.ts';
import type { Service } from '../../service.ts';
import { parseAuditExport, parseVerification } from './audit-chain.ts';

interface Change {
  /** Ascending; a bigint as text. */
  readonly id: string;
  /** Email address or `command line (root)`; null for changes by the service itself or by SQL. */
  readonly actor: string | null;
  readonly entry: string;
}

const changesSince = (since: Date, after: string): Statement => ({
  text: `select l.id, ${auditEntrySql} as entry,
      coalesce(u.email, l.actor::text, case when starts_with(l.request_id, $3) then l.request_id end) as actor
    from private.audit_log l left join auth.users u on u.id = l.actor
    where l.at >= $1 and l.id > $2 order by l.id limit $4`,
  values: [since, after, commandLineOrigin, maxLines],
});

const options = {
  since: { type: 'string' },
  after: { type: 'string' },
  force: { type: 'boolean' },
  key: { type: 'string', multiple: true },
  head: { type: 'string' },
} as const;

export const auditCommand: Command = {
  name: 'audit',
  usage:
    '[--since TIME] [--after ID] | export FILE [--force] | verify FILE --key=KEY [--head N:HASH] | public-key',
  description:
    'Print changes to product data as JSON lines, oldest first; or export all changes, verify an export, or print the public key.',
  parse(args) {
    const { positionals, values } = parseArguments(args, options, 2);
    const [action, name] = positionals;
    if (action === 'verify') return parseVerification(name, values);
    if (action === 'export') return parseAuditExport(name, values);
    if (action === 'public-key') return { requires: 'service', run: printPublicKey };
    if (action !== undefined) throw new UsageError(`Unexpected argument: ${action}.`);
    const { after } = values;
    if (after !== undefined && !/^\d{1,18}$/.test(after))
      throw new UsageError('--after must be the id of a change from an earlier output.');
    const since = parseSince(values.since);
    return {
      requires: 'current-schema',
      run: ({ database }, io) => printChanges(database, io, { since, after }),
    };
  },
};

async function printPublicKey({ auditChain }: Service, io: CommandIO): Promise<number> {
  io.print(auditChain.publicKey);
  return 0;
}

interface ChangeFilter {
  readonly since: Date | null;
  /** ID of the last change of an earlier output. */
  readonly after: string | undefined;
}

async function printChanges(
  database: Database,
  io: CommandIO,
  { since, after }: ChangeFilter,
): Promise<number> {
  const changes = await database.query<Change>(changesSince(since ?? new Date(0), after ?? '0'));
  await recordOperationNow(database, io, 'audit_read', { since: since?.toISOString(), after });
  const from = since === null ? [] : ['--since', since.toISOString()];
  printJsonLines(
    changes,
    ({ id }) => [...from, '--after', id],
    io,
    ({ entry, actor }) => toExportLine(entry, actor),
  );
  return 0;
}
