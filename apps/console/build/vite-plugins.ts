/** Vite plugins for the two documents: boot scripts, prerendered sign-in page, compressed copies. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

/** The service replaces it by the escaped product name. */
const productNameToken = '__PRODUCT_NAME__';

/** The boot scripts: file name in the build, and source file. */
const bootScriptEntries = {
  'boot.js': 'src/documents/boot/auth-boot.ts',
  'console-boot.js': 'src/documents/boot/console-boot.ts',
} as const;

/** Bundles a boot script as a classic script without imports, because it must block the first paint. */
const bundleScript = async (entry: string): Promise<string> => {
  const result = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: ['iife'], name: 'script' },
    },
  });
  const [bundle] = Array.isArray(result) ? result : [result];
  const [chunk] = bundle !== undefined && 'output' in bundle ? bundle.output : [];
  if (chunk?.type !== 'chunk') throw new Error(`${entry} was not bundled.`);
  return chunk.code;
};

/**
 * Adds the boot scripts to the build and to the development server. Browsers revalidate them: their names
 * have no hash.
 */
export const bootScripts = (): Plugin => ({
  name: 'lanternrock:boot-scripts',
  configureServer: (server) => {
    for (const [fileName, entry] of Object.entries(bootScriptEntries)) {
      server.middlewares.use(`/${fileName}`, (_request, response, next) => {
        bundleScript(entry).then((code) => {
          response.setHeader('Content-Type', 'text/javascript').end(code);
        }, next);
      });
    }
  },
  async generateBundle() {
    for (const [fileName, entry] of Object.entries(bootScriptEntries)) {
      this.emitFile({ type: 'asset', fileName, source: await bundleScript(entry) });
    }
  },
});

/** The chunks of the initial bundle. Nearly all of their code runs immediately. */
const initialChunks = new Set(['shared', 'console']);

/**
 * Adds V8's explicit compile hint: the browser compiles the whole file on a background thread while it loads,
 * instead of each function on its first call. Other engines ignore the comment.
 */
export const compileWhileLoading = (): Plugin => ({
  name: 'lanternrock:compile-while-loading',
  generateBundle: {
    // The comment must be the first line, so no other plugin may run later.
    order: 'post',
    handler: (_options, bundle) => {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk' && initialChunks.has(output.name)) {
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
          if (output.map !== null) output.map.mappings = `;${output.map.mappings}`;
        }
      }
    },
  },
});

/** Preloads the font, which every page needs for its first paint. Its URL is known only after the build. */
export const preloadFont = (): Plugin => ({
  name: 'lanternrock:preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      // The development server has no bundle.
      if (bundle === undefined) return [];
      const font = Object.keys(bundle).find((name) => /public-sans-basic.*\.woff2$/.test(name));
      if (font === undefined) throw new Error('The public-sans-basic font is missing from the build.');
      const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
});

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

/** Prerenders the sign-in document and compresses the assets of a finished build. */
export const prerenderAndCompress = (): Plugin => {
  let outDir = '';
  let failed = false;
  return {
    name: 'lanternrock:finish-documents',
    apply: 'build',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir);
    },
    buildEnd: (error) => {
      failed = error !== undefined;
    },
    closeBundle: {
      sequential: true,
      async handler(error?: Error) {
        // Vite also calls this hook after a failed build. Do not hide the error of the build.
        if (error !== undefined || failed) return;
        await prerender(outDir);
        await compress(outDir);
      },
    },
  };
};
