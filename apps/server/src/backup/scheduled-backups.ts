/** Writes backups to BACKUP_DIR by BACKUP_SCHEDULE, on one replica at a time. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import { recordAction } from '../audit-log.ts';
import type { Config } from '../config/settings.ts';
import { toErrorMessage } from '../errors.ts';
import { removeOldFiles, removeUnfinishedFiles, toFileName, writeBackupFile } from './backup-directory.ts';
import { stateKeys } from './backup-keys.ts';
import {
  claimBackup,
  extendLease,
  finishBackup,
  leaseRenewalMs,
  readBackupState,
  releaseBackup,
  type BackupClaim,
  type BackupResult,
} from './backup-state.ts';
import { isOverdue } from './last-backup.ts';
import { reportProblem, type EnqueueProblem } from './report-problem.ts';
import { writeBackup } from './write-backup.ts';

export interface ScheduledBackups {
  /** Writes a backup if one is due. A failed backup is stored, not thrown. */
  runDue(): Promise<void>;
  /** Emails the administrators if a backup is overdue. */
  reportOverdue(): Promise<void>;
  /** Call it before the database is closed: a backup that fails from then on is not reported, and the next start repeats it. */
  stop(): void;
}

interface ScheduledBackupOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly now: DatabaseClock['read'];
  readonly enqueueProblem: EnqueueProblem;
}

/** A backup that ends its process, for example without memory, is not repeated without end. */
const maxTries = 3;

export function createScheduledBackups(options: ScheduledBackupOptions): ScheduledBackups {
  const { config, database, log, now, enqueueProblem } = options;
  let isStopped = false;
  return {
    stop: () => {
      isStopped = true;
    },
    runDue: async () => {
      if (config.BACKUP_SCHEDULE === '' || isStopped) return;
      const claim = await claimBackup(database, config.BACKUP_SCHEDULE, await now(database));
      if (!claim) return;
      const result = await writeClaimed(options, claim);
      if (isStopped && result.problem !== null) return releaseBackup(database, claim);
      const finishedAt = await now(database);
      const finished = await database.transaction(async (tx) => {
        const stored = await finishBackup(tx, claim, result, finishedAt);
        if (!stored) return null;
        await recordResult(tx, result);
        const { problem } = result;
        if (problem !== null)
          await reportProblem(tx, { now: finishedAt, at: finishedAt, problem }, enqueueProblem);
        return stored;
      });
      if (!finished) log.warn('another replica took over the backup');
      else if (finished.skippedAt)
        log.warn(
          { skippedAt: finished.skippedAt },
          'backup skipped because the previous one was still running',
        );
    },
    reportOverdue: async () => {
      if (config.BACKUP_SCHEDULE === '') return;
      const at = await now(database);
      await database.transaction(async (tx) => {
        const state = await readBackupState(tx);
        if (!state || !isOverdue(state, at)) return;
        const isNew = await reportProblem(tx, { now: at, at: state.next_at, problem: '' }, enqueueProblem);
        if (isNew) log.error({ dueAt: state.next_at }, 'backup overdue');
      });
    },
  };
}

const recordResult = (tx: Parameters<typeof recordAction>[0], result: BackupResult): Promise<string> =>
  recordAction(tx, {
    action: result.problem === null ? 'backup_written' : 'backup_failed',
    table: 'operations',
    id: null,
    details:
      result.problem === null ? { file: result.file, bytes: result.bytes } : { problem: result.problem },
  });

/** Writes the backup, then deletes old ones. */
async function writeClaimed(options: ScheduledBackupOptions, claim: BackupClaim): Promise<BackupResult> {
  const { config, database, log, now } = options;
  const { BACKUP_DIR: directory, BACKUP_KEEP: keep } = config;
  const renewal = setInterval(() => {
    now(database)
      .then((at) => extendLease(database, claim.leaseId, at))
      .catch((error: unknown) => log.warn({ err: error }, 'lease of the backup not extended'));
  }, leaseRenewalMs).unref();
  try {
    if (claim.tries > maxTries) throw new Error(`The process ended during each of ${maxTries} attempts`);
    await removeUnfinishedFiles(directory);
    const at = await now(database);
    const { fingerprints, problem } = await stateKeys(config, database);
    if (problem !== null) log.warn({ problem }, 'backup without fingerprints of some keys');
    const { name, bytes } = await writeBackupFile(directory, toFileName(at), (output) =>
      writeBackup(database.snapshot, output, at, fingerprints),
    );
    log.info({ file: name, bytes }, 'backup written');
    await removeOldFiles(directory, keep).then(
      (removed) => removed.length > 0 && log.info({ removed }, 'old backups deleted'),
      // The new backup is complete.
      (error: unknown) => log.error({ err: error }, 'old backups not deleted'),
    );
    return { problem: null, at, file: name, bytes };
  } catch (error) {
    log.error({ err: error }, 'backup failed');
    return { problem: toErrorMessage(error).slice(0, 500) };
  } finally {
    clearInterval(renewal);
  }
}
