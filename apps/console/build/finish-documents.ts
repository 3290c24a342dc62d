/** Vite plugin: prerenders the sign-in document and compresses the assets after a build. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

/** The service replaces it by the escaped product name. */
const productNameToken = '__PRODUCT_NAME__';

/** Renders the sign-in document into auth.html. */
const prerender = async (outDir: string): Promise<void> => {
  const scratch = join(root, 'node_modules/.prerender');
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: 'src/documents/auth-prerender.tsx',
      outDir: scratch,
      emptyOutDir: true,
      target: 'es2023',
    },
    ssr: { noExternal: true },
  });
  const entry = pathToFileURL(join(scratch, 'auth-prerender.js')).href;
  const { prerenderAuth }: { prerenderAuth: (token: string) => string } = await import(entry);
  const file = join(outDir, 'auth.html');
  const html = await readFile(file, 'utf8');
  const body = prerenderAuth(productNameToken);
  if (!html.includes('<!--prerendered-->')) throw new Error('auth.html does not contain <!--prerendered-->.');
  // The content security policy has no 'unsafe-inline', so the browser ignores style attributes.
  if (/\sstyle="/.test(body)) throw new Error('The prerendered page contains a style attribute.');
  await writeFile(
    file,
    html.replace('<!--prerendered-->', () => body),
  );
  await rm(scratch, { recursive: true });
};

const compressible = /\.(?:js|css|svg|json)$/;

/** Writes Brotli and gzip copies of every text asset. HTML is excluded, because it differs per instance. */
const compress = async (outDir: string): Promise<void> => {
  for (const name of await readdir(outDir, { recursive: true })) {
    if (!compressible.test(name)) continue;
    const file = join(outDir, name);
    const content = await readFile(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
};

export const finishDocuments = (): Plugin => ({
  name: 'lanternrock:finish-documents',
  apply: 'build',
  // Not `closeBundle`, which Vite also calls after a failed build.
  writeBundle: {
    order: 'post',
    sequential: true,
    async handler({ dir = '' }) {
      await prerender(dir);
      await compress(dir);
    },
  },
});
