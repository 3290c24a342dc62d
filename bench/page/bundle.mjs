/** What the console's bundle consists of. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const consoleRoot = fileURLToPath(new URL('../../console', import.meta.url));

/** The packages (and own source) that take most room, with the bytes of their code in the bundle. */
export async function largestModules(count) {
  const outDir = 'node_modules/.bench-bundle';
  // The configuration's plugins find their files from the working directory.
  const result = await build({
    root: consoleRoot,
    configFile: path.join(consoleRoot, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
  await rm(path.join(consoleRoot, outDir), { recursive: true, force: true });
  const chunks = (Array.isArray(result) ? result[0] : result).output.filter((part) => part.type === 'chunk');
  const packages = new Map();
  for (const chunk of chunks) {
    for (const [id, module] of Object.entries(chunk.modules)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? 'own source';
      const before = packages.get(name) ?? { code: '', chunks: new Set() };
      packages.set(name, { code: before.code + (module.code ?? ''), chunks: before.chunks.add(chunk.name) });
    }
  }
  return [...packages]
    .map(([name, { code, chunks: inChunks }]) => ({
      module: name,
      'kB before minifying': (code.length / 1000).toFixed(1),
      'kB brotli': (brotliCompressSync(code).length / 1000).toFixed(1),
      chunks: [...inChunks].slice(0, 4).join(' '),
    }))
    .toSorted((a, b) => Number(b['kB before minifying']) - Number(a['kB before minifying']))
    .slice(0, count);
}
