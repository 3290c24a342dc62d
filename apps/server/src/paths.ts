/**
 * Where things lie on disk. The bundle sits in `apps/server/dist`, this file in `apps/server/src`: both one
 * level below `server`, so the same relative addresses hold in tests and in the product.
 */
import { fileURLToPath } from 'node:url';

const fromHere = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The numbered SQL files, in the order in which they apply: what a hosted project has already, then the product. */
export const migrationFolders = [
  { label: 'platform', directory: fromHere('../../../db/platform') },
  { label: 'migrations', directory: fromHere('../../../db/migrations') },
] as const;

/** The built console. */
export const consoleDistDir = fromHere('../../console/dist');

/** A built entry that runs in a thread or process of its own. */
export const bundlePath = (name: 'database-worker' | 'hash-worker'): string => fromHere(`../dist/${name}.js`);
