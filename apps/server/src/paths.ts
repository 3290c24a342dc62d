/**
 * Paths of files outside `src`. The bundle is in `apps/server/dist` and this file is in `apps/server/src`, so the same
 * relative paths are valid in the bundle and in tests.
 */
import { fileURLToPath } from 'node:url';

const fromHere = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Directories of the numbered SQL files, in the order in which they apply. A hosted Supabase project has the first. */
export const migrationDirectories = [
  { label: 'platform', directory: fromHere('../../../db/platform') },
  { label: 'migrations', directory: fromHere('../../../db/migrations') },
] as const;

export const consoleDistDir = fromHere('../../console/dist');

/** Returns the path of a bundle that runs in a worker thread or child process. */
export const bundlePath = (name: 'database-worker' | 'hash-worker'): string => fromHere(`../dist/${name}.js`);
