import { defineConfig, type RolldownOptions } from 'rolldown';

/** Packages with files beside their code: WebAssembly, data and binaries of platforms. */
const external = /^@(?:electric-sql\/pglite|node-rs\/argon2)(?:\/|$)/;

/**
 * One bundle per entry, which contains its packages. A program that reads few files starts faster, and an installed artefact
 * has a thousand files less.
 */
export const bundle = (input: Record<string, string>): RolldownOptions =>
  defineConfig({
    input,
    platform: 'node',
    external,
    output: { dir: 'dist', format: 'esm', sourcemap: true },
  });

export default bundle({
  lanternrock: 'src/main.ts',
  'database-worker': '../../packages/postgres/src/embedded/worker-thread.ts',
  'hash-worker': '../../packages/auth/src/passwords/hash-worker.ts',
});
