/** Backups in files. */
import fs from 'node:fs';
import type { Database } from '@lanternrock/postgres';
import type { BackupSource } from '../../src/backup/read-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';

export const backupFile = (file: string): BackupSource => ({
  name: file,
  read: () => fs.createReadStream(file),
});

/** @returns the number of rows */
export const writeBackupFile = (
  read: Database['snapshot'],
  file: string,
  now = new Date(),
): Promise<number> => writeBackup(read, fs.createWriteStream(file), now);
