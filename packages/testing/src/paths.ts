/** Paths of files of the repository that the tests of several packages use. */
import { fileURLToPath } from 'node:url';

export const fromRoot = (relative: string): string =>
  fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

/** Where the bundles of the workers are built. */
export const serverDirectory = fromRoot('apps/server');
/** Bundle of the worker thread that runs the embedded database. */
export const databaseWorker = fromRoot('apps/server/dist/database-worker.js');
/** Bundle of the child processes that hash passwords. */
export const hashWorker = fromRoot('apps/server/dist/hash-worker.js');
/** Directories of the numbered SQL files, in the order in which they apply. */
export const migrationDirectories = [
  { label: 'platform', directory: fromRoot('db/platform') },
  { label: 'migrations', directory: fromRoot('db/migrations') },
] as const;
export const lockFile = fromRoot('package-lock.json');
export const cacheDirectory = fromRoot('node_modules/.cache/lanternrock-template');
