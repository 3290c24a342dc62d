/** Analyzes the content of the console bundle. */
import { rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const consoleRoot = fileURLToPath(new URL('../../apps/console', import.meta.url));

/** Purpose of each large package. A new one is listed with an empty reason. */
const reasons = {
  'react-dom': 'Renders every screen and hydrates the prerendered sign-in page',
  '@supabase/auth-js': 'Session, refresh and factors; after the first rendering of /auth',
  '@base-ui/react': 'Dialogs, menus, sheets with focus and keyboard support; on demand',
  '@tanstack/router-core': 'URLs with typed search params, Back, unsaved forms',
  '@tanstack/query-core': 'Query cache: refetch, retry, cancel',
  '@supabase/postgrest-js': 'Data API client',
  zod: 'Validation of the forms, shared with the server; on demand',
  'react-hook-form': 'Form state in dialogs; on demand',
  'csv-stringify': 'CSV files for downloads; on demand',
  'lucide-react': 'Icons',
  'own source': 'Screens, components and texts',
};

const packageName = (source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? 'own source';

/** Calls `note` with every section of the chunk and the package of its source. */
function attribute(chunk, note) {
  const map = new SourceMap(JSON.parse(chunk.map.toString()));
  for (const [line, text] of chunk.code.split('\n').entries()) {
    let start = 0;
    let current = null;
    for (let column = 0; column <= text.length; column += 1) {
      const { originalSource } = column < text.length ? map.findEntry(line, column) : {};
      const owner = column < text.length ? packageName(originalSource ?? '') : null;
      if (owner === current) continue;
      if (current !== null) note(current, text.slice(start, column));
      start = column;
      current = owner;
    }
  }
}

/** Returns the packages (and source directories) with the largest share of the built chunks, minified. */
export async function largestModules(count) {
  const outDir = 'node_modules/.bench-bundle';
  // The plugins of the configuration resolve their files from the working directory.
  const result = await build({
    root: consoleRoot,
    configFile: path.join(consoleRoot, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, sourcemap: true },
  });
  await rm(path.join(consoleRoot, outDir), { recursive: true, force: true });
  const chunks = (Array.isArray(result) ? result[0] : result).output.filter(
    // The helpers of the bundler have no source.
    (part) => part.type === 'chunk' && part.map !== null,
  );
  const packages = new Map();
  for (const chunk of chunks) {
    attribute(chunk, (name, code) => {
      const before = packages.get(name) ?? { code: '', chunks: new Map() };
      before.chunks.set(chunk.name, (before.chunks.get(chunk.name) ?? 0) + code.length);
      packages.set(name, { ...before, code: before.code + code });
    });
  }
  const kB = (bytes) => (bytes / 1000).toFixed(1);
  return [...packages]
    .toSorted(([, a], [, b]) => b.code.length - a.code.length)
    .slice(0, count)
    .map(([name, { code, chunks: inChunks }]) => ({
      module: name,
      'kB minified': kB(code.length),
      'kB brotli': kB(brotliCompressSync(code).length),
      'mostly in': [...inChunks].toSorted(([, a], [, b]) => b - a)[0][0],
      why: reasons[name] ?? '',
    }));
}
