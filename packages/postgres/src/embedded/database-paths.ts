/** Paths of the embedded database in the data directory. */
import path from 'node:path';

/** Returns the directory with the files of Postgres. */
export const toDatabaseDirectory = (dataDir: string): string => path.join(dataDir, 'database');

/** Returns the file that exists if the directory contains a database. It contains the major version. */
export const toVersionFile = (databaseDirectory: string): string =>
  path.join(databaseDirectory, 'PG_VERSION');
