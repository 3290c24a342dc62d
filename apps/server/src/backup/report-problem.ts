/** Emails the administrators about a failed or overdue backup, at most once a day. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { listAdministrators, type ReportRecipient } from '../audit/daily-report.ts';

/** The values of the email. */
interface ProblemData {
  /** Time of the failure, or the time at which the backup was due; RFC 3339. */
  readonly at: string;
  /** Why it failed; '' if it is overdue. */
  readonly problem: string;
  /** Time of the data of the last complete backup, RFC 3339; '' without one. */
  readonly lastAt: string;
}

/** Stores an email in the transaction of the result. */
export type EnqueueProblem = (tx: Transaction, to: ReportRecipient, data: ProblemData) => Promise<void>;

/** @returns false if the administrators received such an email within the last day */
export async function reportProblem(
  tx: Transaction,
  { now, at, problem }: { readonly now: Date; readonly at: Date; readonly problem: string },
  enqueue: EnqueueProblem,
): Promise<boolean> {
  const [reported] = await tx.query<{ completed_at: Date | null }>(
    sql`update private.backup_state set reported_at = ${now}
         where reported_at is null or reported_at <= ${now}::timestamptz - interval '1 day'
        returning completed_at`,
  );
  if (!reported) return false;
  const data = { at: at.toISOString(), problem, lastAt: reported.completed_at?.toISOString() ?? '' };
  for (const administrator of await listAdministrators(tx)) await enqueue(tx, administrator, data);
  return true;
}
