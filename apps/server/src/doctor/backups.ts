/** Checks the directory of scheduled backups and the last result. */
import fs from 'node:fs';
import type { Database } from '@lanternrock/postgres';
import { readLastBackup } from '../backup/last-backup.ts';
import type { Config } from '../config/settings.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

export async function checkBackups(config: Config, database: Database): Promise<CheckResult[]> {
  if (config.BACKUP_SCHEDULE === '') return [];
  const { result, text } = await readLastBackup(database);
  const fix = 'Read the reason in the log of the service, and write one with "lanternrock backup FILE".';
  const state =
    result === 'failed'
      ? failed('backups', text, fix)
      : result === 'overdue'
        ? warning('backups', text, 'Start the service. If it runs, read its log.')
        : ok('backups', text);
  return [state, ...checkDirectory(config.BACKUP_DIR)];
}

function checkDirectory(directory: string): CheckResult[] {
  try {
    fs.accessSync(directory, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    if (fs.statSync(directory).isDirectory()) return [];
  } catch {
    // Reported below.
  }
  return [
    failed(
      'backups',
      `BACKUP_DIR ${directory} is not a directory that can be read and written`,
      'Mount or create it, and give it to the user of the service.',
    ),
  ];
}
