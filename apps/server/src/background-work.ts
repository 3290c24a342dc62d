/**
 * Runs the repeated jobs of the service. The timers of single resources are in their modules: directory lock and upkeep of the
 * embedded database, control socket, notifications, schema cache behind a pooler. `background-work.test.ts` lists all of them.
 */
import { logBackgroundFailure } from './log.ts';
import type { Logger } from 'pino';
import type { AuditChain } from './audit/audit-chain.ts';
import type { AuthService } from '@lanternrock/auth';
import type { Database } from '@lanternrock/postgres';
import { endMemberships } from './accounts/membership-ends.ts';
import type { ScheduledBackups } from './backup/scheduled-backups.ts';
import { purgeImports } from './accounts/imports.ts';
import { purgeRequestKeys } from './functions/idempotent-calls.ts';
import { endRoles } from './administrators/role-ends.ts';
import type { Outbox } from './mail/outbox.ts';

interface Job {
  readonly name: string;
  readonly intervalMs: number;
  /** Also runs at the start. Without it, the first run follows after one interval. */
  readonly atStart?: boolean;
  run(): Promise<void>;
}

export interface BackgroundWork {
  /** Starts all jobs. Call it once, in a process that serves requests. */
  start(): void;
  /** Starts no further run, and waits for the current ones. */
  close(): Promise<void>;
}

/**
 * Repeats each job, one run at a time. Every replica runs all jobs: each finds nothing to do after another replica did
 * it. After a failure, for example while the database is unavailable, the next run repeats the work.
 */
export function createBackgroundWork(jobs: readonly Job[], log: Logger): BackgroundWork {
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<void>>();
  const run = (job: Job): void => {
    if (running.has(job.name)) return;
    const current = job
      .run()
      .catch((error: unknown) =>
        logBackgroundFailure(log.child({ job: job.name }), error, 'background job failed'),
      )
      .finally(() => running.delete(job.name));
    running.set(job.name, current);
  };
  return {
    start: () => {
      for (const job of jobs) {
        if (job.atStart) run(job);
        timers.push(setInterval(() => run(job), job.intervalMs).unref());
      }
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}

const hourMs = 3_600_000;

interface JobServices {
  readonly auth: AuthService;
  readonly auditChain: AuditChain;
  readonly backups: ScheduledBackups;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly log: Logger;
}

/** Returns the jobs of a database with the tables of the product. An unmanaged database has none. */
export const managedJobs = ({
  auth,
  auditChain,
  backups,
  database,
  outbox,
  log,
}: JobServices): readonly Job[] => [
  // Queued emails of the previous process, retries, expired leases of stopped replicas and missed wake-ups.
  { name: 'emails', intervalMs: 15_000, atStart: true, run: () => outbox.idle() },
  // Half of the time within which an entry must be sealed.
  { name: 'audit seals', intervalMs: 5000, atStart: true, run: () => auditChain.seal() },
  // The database itself ends the rights of a role; its sessions end at most one interval later.
  {
    name: 'role ends',
    intervalMs: 15_000,
    run: async () => {
      const sessions = await endRoles(database);
      if (sessions > 0) log.info({ sessions }, 'sessions of ended roles revoked');
    },
  },
  {
    name: 'membership ends',
    intervalMs: 15_000,
    run: async () => {
      const sessions = await endMemberships(database);
      if (sessions > 0) log.info({ sessions }, 'sessions of ended memberships revoked');
    },
  },
  { name: 'backups', intervalMs: 15_000, atStart: true, run: () => backups.runDue() },
  // Not in the job above, which waits for a backup that does not end.
  { name: 'overdue backups', intervalMs: hourMs, run: () => backups.reportOverdue() },
  { name: 'email records', intervalMs: hourMs, atStart: true, run: () => outbox.purge() },
  { name: 'sign-in records', intervalMs: hourMs, run: () => auth.purge() },
  { name: 'request keys', intervalMs: hourMs, run: () => purgeRequestKeys(database) },
  { name: 'import records', intervalMs: hourMs, run: () => purgeImports(database) },
  {
    name: 'audit log',
    intervalMs: hourMs,
    run: async () => {
      await auditChain.purge();
      await auditChain.report();
      outbox.wake();
    },
  },
];
