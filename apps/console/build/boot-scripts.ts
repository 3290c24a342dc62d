/** Vite plugin: bundles the boot scripts, which block the first paint. */
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

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
