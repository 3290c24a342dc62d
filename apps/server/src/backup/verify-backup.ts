/** Proves a backup: restores it into a scratch database and compares the restored rows with the digests of the file. */
import { openEmbedded } from '@lanternrock/postgres/embedded';
import { applyMigrations, readMigrations } from '@lanternrock/postgres/migrations';
import { bundlePath, migrationDirectories } from '../paths.ts';
import { readBackup, requireSameVersion, type BackupSource } from './read-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { compareDigests, readDigests } from './table-digests.ts';

export interface BackupVerification {
  /** Time of the backup, RFC 3339. */
  readonly at: string;
  readonly rows: number;
  readonly tables: number;
  /** False for a backup without digests, which was restored only. */
  readonly compared: boolean;
  /** One text for each table that differs after the restore. */
  readonly differences: readonly string[];
}

/**
 * Restores the backup into a separate embedded database.
 *
 * @param directory an empty directory for the database, which the caller removes
 * @throws OperationalError if the file is no complete backup of this version
 * @throws QueryError if a row violates a constraint
 */
export async function verifyBackup(file: BackupSource, directory: string): Promise<BackupVerification> {
  const { header, digests } = await readBackup(file);
  const migrations = readMigrations(migrationDirectories);
  requireSameVersion(
    header,
    migrations.map(({ name }) => name),
  );
  const database = await openEmbedded({
    dataDir: directory,
    workerFile: bundlePath('database-worker'),
    resultTimeoutMs: Number.POSITIVE_INFINITY,
    // Statements report the loss of the engine themselves.
    onConnectionError: () => {},
  });
  try {
    await applyMigrations(database, migrations);
    const rows = await restoreBackup(database, file, header);
    const restored = await database.maintenance(readDigests);
    return {
      at: header.at,
      rows,
      tables: Object.keys(restored).length,
      compared: digests !== null,
      differences: digests === null ? [] : compareDigests(digests, restored),
    };
  } finally {
    await database.close();
  }
}
