/** Build steps for the two documents: boot script, prerendered sign-in page, compressed copies. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

/** The server puts the display name in its place, escaped. */
const productNameToken = '__PRODUCT_NAME__';

/** The documents' first scripts: address in the build, and source. */
const bootScriptEntries = {
  'boot.js': 'src/documents/boot/auth-boot.ts',
  'console-boot.js': 'src/documents/boot/console-boot.ts',
} as const;

/** Bundles one of them by itself: classic, without imports, because it must block the first paint. */
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

/** In the build and on the development server. Their names carry no hash: they are revalidated. */
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

/** What the first picture needs; nearly all of it runs at once. */
const firstChunks = new Set(['shared', 'console']);

/**
 * Tells the browser to compile these files as a whole while they arrive, beside the main thread, instead of
 * function by function when each is first called (V8's explicit compile hints). Others read a comment.
 */
export const compileWhileLoading = (): Plugin => ({
  name: 'lanternrock:compile-while-loading',
  generateBundle: {
    // The comment has to come first, so nothing may come later.
    order: 'post',
    handler: (_options, bundle) => {
      for (const part of Object.values(bundle)) {
        if (part.type === 'chunk' && firstChunks.has(part.name)) {
          part.code = `//# allFunctionsCalledOnLoad\n${part.code}`;
        }
      }
    },
  },
});

/** The font is on every page's critical path, and its address is only known after the build. */
export const preloadFont = (): Plugin => ({
  name: 'lanternrock:preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      // The development server has none.
      if (bundle === undefined) return [];
      const font = Object.keys(bundle).find((name) => /public-sans-basic.*\.woff2$/.test(name));
      if (font === undefined) throw new Error('The font of every page is not in the build.');
      const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
});

/** Renders the sign-in document once, at build time, into auth.html. */
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
  if (!html.includes('<!--prerendered-->'))
    throw new Error('auth.html has no place for the prerendered page.');
  // A policy without 'unsafe-inline' drops style attributes, so none may be in the HTML.
  if (/\sstyle="/.test(body)) throw new Error('The prerendered page carries a style attribute.');
  await writeFile(
    file,
    html.replace('<!--prerendered-->', () => body),
  );
  await rm(scratch, { recursive: true });
};

const compressible = /\.(?:js|css|svg|json)$/;

/** Brotli and gzip copies beside every text asset. The documents change per instance, so not them. */
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

/** The last steps, on the finished build. */
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
        // Also called after a failed build, whose own error is the one to read.
        if (error !== undefined || failed) return;
        await prerender(outDir);
        await compress(outDir);
      },
    },
  };
};
