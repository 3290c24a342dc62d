import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bootScripts } from './build/boot-scripts.ts';
import { compileWhileLoading } from './build/compile-while-loading.ts';
import { devServerDocuments } from './build/dev-server-documents.ts';
import { finishDocuments } from './build/finish-documents.ts';
import { chunkFileNames, initialChunkGroups } from './build/initial-chunks.ts';
import { preloadFont } from './build/preload-font.ts';

const here = import.meta.dirname;
// Only the development server reads it; the built console gets its key from the server.
const anonKey = process.env['ANON_KEY'] ?? '';
const session = process.env['DEV_SESSION'] ?? '';
const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: here,
  plugins: [
    react(),
    tailwind(),
    bootScripts(),
    compileWhileLoading(),
    preloadFont(),
    finishDocuments(),
    devServerDocuments(anonKey, session),
  ],
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/auth/v1', '/rest/v1', '/functions/v1', '/mailbox'].map((path) => [path, service]),
    ),
  },
  resolve: {
    alias: {
      // The store of the router. React has had the hook since version 18, so the copy for older versions is dead code.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      // Its build contains helpers for browsers without object spread. The package includes its source.
      '@supabase/postgrest-js': fileURLToPath(
        new URL('../src/index.ts', import.meta.resolve('@supabase/postgrest-js')),
      ),
    },
  },
  // A worker loads the reader of workbooks only when it needs it.
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // Nothing as data: or inline, so that the content security policy needs no exception.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: join(here, 'index.html'), auth: join(here, 'auth.html') },
      output: {
        chunkFileNames,
        codeSplitting: {
          // The groups name their modules exactly. Their imports stay with the screens that use them.
          includeDependenciesRecursively: false,
          groups: initialChunkGroups({
            console: join(here, 'src/documents/console.tsx'),
            signIn: join(here, 'src/documents/auth.tsx'),
            secondFactor: join(here, 'src/features/auth/second-factor-step.tsx'),
            keepMethods: join(here, 'src/features/auth/keep-methods-step.tsx'),
            authService: join(here, 'src/features/auth/auth-service.ts'),
          }),
        },
      },
    },
  },
});
