/** Checks that audit log entries are sealed in time and that the last verification of the chain found no problem. */
import { type Database, sql } from '@lanternrock/postgres';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

/** Entries are sealed within 10 seconds. */
const maxWaitSeconds = 60;

interface ChainState {
  readonly position: string | null;
  readonly sealed_at: Date | null;
  readonly unsealed: number;
  readonly wait_seconds: number | null;
}

export async function checkAuditChain(database: Database): Promise<CheckResult> {
  const [state] = await database.query<ChainState>(
    sql`select s.position, s.sealed_at, u.count as unsealed, u.wait_seconds
          from (select count(*)::int as count, extract(epoch from now() - min(l.at))::float8 as wait_seconds
                  from private.audit_log l
                 where not exists (select from private.audit_seals x where x.entry_id = l.id)) u
          left join (select position, sealed_at from private.audit_seals order by position desc limit 1) s on true`,
  );
  const [report] = await database.query<{ at: Date; problem: string | null }>(
    sql`select at, problem from private.audit_reports order by day desc limit 1`,
  );
  if (report?.problem) {
    const fix = 'The database was changed directly. Compare it with an older backup or export.';
    return failed('audit log', report.problem, fix);
  }
  const sealed = state?.sealed_at
    ? `sealed up to entry ${state.position} (${state.sealed_at.toISOString()})`
    : 'no sealed entries';
  const verified = report ? `verified ${report.at.toISOString()}` : 'not verified yet';
  const message = `${sealed}, ${state?.unsealed ?? 0} not sealed, ${verified}`;
  return (state?.wait_seconds ?? 0) > maxWaitSeconds
    ? warning(
        'audit log',
        message,
        'Start the service. If it runs, end the oldest transaction of the database.',
      )
    : ok('audit log', message);
}
