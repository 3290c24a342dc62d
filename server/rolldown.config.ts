import { defineConfig } from 'rolldown';

/** One bundle per entry; packages from the registry stay outside, the contract goes in. */
export default defineConfig({
  input: {
    lanternrock: 'src/main.ts',
    'database-worker': 'src/database/embedded/worker.ts',
  },
  platform: 'node',
  external: (id: string) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@lanternrock/'),
  output: { dir: 'dist', format: 'esm', sourcemap: true },
});
