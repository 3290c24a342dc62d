import type { Statement } from '@lanternrock/postgres';
import { auditEntrySql, toExportLine } from '../../audit/entry.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Command, CommandIO } from '../command.ts';
import { maxLines, printJsonLines, parseSince } from '../json-lines.ts';
import { commandLineActor, recordOperationNow } from '../audit-origin.ts';
import type { Service } from '../../service.ts';
import { exportAuditLog, verifyAuditLog } from './audit-chain.ts';

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
  values: [since, after, commandLineActor, maxLines],
});

const parse = (args: readonly string[]) =>
  parseArguments(
    args,
    {
      since: { type: 'string' },
      after: { type: 'string' },
      force: { type: 'boolean' },
      key: { type: 'string', multiple: true },
      head: { type: 'string' },
    },
    2,
  );

export const auditCommand: Command = {
  name: 'audit',
  writableFiles: ([action, ...args]) => (action === 'export' ? args : []),
  usage:
    '[--since TIME] [--after ID] | export FILE [--force] | verify FILE --key=KEY [--head N:HASH] | public-key',
  description:
    'Print changes to product data as JSON lines, oldest first; or export all changes, verify an export, or print the public key.',
  requires: 'current-schema',
  async runOffline(args, io) {
    const { positionals, values } = parse(args);
    const [action, name] = positionals;
    if (action !== 'verify') return null;
    return verifyAuditLog({ name, keys: values.key ?? [], head: values.head }, io);
  },
  async run(service, args, io) {
    const { positionals, values } = parse(args);
    const [action, name] = positionals;
    if (action === 'export') return exportAuditLog(service, { name, replace: values.force ?? false }, io);
    if (action === 'public-key') {
      io.print(service.auditChain.publicKey);
      return 0;
    }
    if (action !== undefined) throw new UsageError(`Unexpected argument: ${action}.`);
    return printChanges(service, values, io);
  },
};

async function printChanges(
  { database }: Service,
  values: { readonly since?: string | undefined; readonly after?: string | undefined },
  io: CommandIO,
): Promise<number> {
  const since = parseSince(values.since);
  const after = values.after ?? '0';
  if (!/^\d{1,18}$/.test(after))
    throw new UsageError('--after must be the id of a change from an earlier output.');
  const changes = await database.query<Change>(changesSince(since, after));
  const given = { since: values.since && since.toISOString(), after: values.after };
  await recordOperationNow(database, io, 'audit_read', given);
  const from = values.since === undefined ? [] : ['--since', since.toISOString()];
  printJsonLines(
    changes,
    ({ id }) => [...from, '--after', id],
    io,
    ({ entry, actor }) => toExportLine(entry, actor),
  );
  return 0;
}
