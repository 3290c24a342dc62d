/** Verifies the stored chain once a day and sends its head to the administrators, who can compare exports with it later. */
import type { Logger } from 'pino';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { ChainPoint } from './chain-hash.ts';
import { chainStart, findChainProblem } from './chain-hash.ts';
import { readCheckpoint, readHead, readLinks } from './chain-reads.ts';

/** An administrator who receives reports of the service. */
export interface ReportRecipient {
  readonly id: string;
  readonly email: string;
}

/** The values of the email. */
type ReportData = Readonly<Record<'position' | 'hash' | 'at' | 'problem', string>>;

/** Stores an email in the transaction of the report. */
export type EnqueueReport = (tx: Transaction, to: ReportRecipient, data: ReportData) => Promise<void>;

interface DailyReportOptions {
  readonly database: Database;
  readonly now: Date;
  /** Null if the administrators get no email. */
  readonly enqueue: EnqueueReport | null;
  readonly log: Logger;
}

/** Verifies and reports unless a replica has done so today (UTC). */
export async function reportDaily({ database, now, enqueue, log }: DailyReportOptions): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  const [done] = await database.query(sql`select day from private.audit_reports where day = ${day}`);
  if (done) return;
  const result = await verifyStored(database);
  // Another replica seals the first entries now.
  if (!result || result.head.position === 0) return;
  const { head, problem } = result;
  if (problem !== null) log.error({ problem }, 'audit log does not match its hash chain');
  await database.transaction(async (tx) => {
    const [last] = await tx.query<{ position: string }>(
      sql`select position from private.audit_reports where mailed order by day desc limit 1`,
    );
    const isNew = problem !== null || head.position > Number(last?.position ?? 0);
    const mailed = enqueue !== null && isNew;
    const inserted = await tx.query(
      sql`insert into private.audit_reports (day, at, position, problem, mailed)
          values (${day}, ${now}, ${head.position}, ${problem}, ${mailed}) on conflict do nothing returning day`,
    );
    if (inserted.length === 0 || !mailed) return;
    const data = {
      position: String(head.position),
      hash: head.hash,
      at: now.toISOString(),
      problem: problem ?? '',
    };
    for (const administrator of await listAdministrators(tx)) await enqueue(tx, administrator, data);
  });
}

export const listAdministrators = (tx: Transaction): Promise<ReportRecipient[]> =>
  tx.query(sql`select id, email from private.active_administrators order by email`);

/** Computes all hashes again. Returns null if the retention cut the chain during the verification. */
async function verifyStored(
  database: Database,
): Promise<{ readonly head: ChainPoint; readonly problem: string | null } | null> {
  const checkpoint = await readCheckpoint(database);
  const head = await readHead(database);
  let last: ChainPoint = checkpoint ?? chainStart;
  let problem: string | null = null;
  for await (const link of readLinks(database, last.position, head.position)) {
    problem = findChainProblem(last, link);
    if (problem !== null) break;
    last = link;
  }
  if (problem === null && last.hash !== head.hash) problem = `entry ${last.position + 1} is missing.`;
  if ((await readCheckpoint(database))?.position !== checkpoint?.position) return null;
  return { head, problem: problem === null ? null : problem.charAt(0).toUpperCase() + problem.slice(1) };
}
