import { defineConfig, type RolldownOptions } from 'rolldown';

/** One bundle per entry; packages from the registry stay external, our own packages are included. */
export const bundle = (input: Record<string, string>): RolldownOptions =>
  defineConfig({
    input,
    platform: 'node',
    external: (id: string) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@lanternrock/'),
    output: { dir: 'dist', format: 'esm', sourcemap: true },
  });

export default bundle({
  lanternrock: 'src/main.ts',
  'database-worker': '../../packages/postgres/src/embedded/worker-thread.ts',
  'hash-worker': '../../packages/auth/src/passwords/hash-worker.ts',
});
