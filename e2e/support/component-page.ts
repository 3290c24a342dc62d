/** Serves a page that renders a single component of the console, with the session and the API of the instance. */
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type { Instance } from './instance.ts';

const source = fileURLToPath(new URL('../../apps/console/src', import.meta.url));
const entry = `${source}/component-page.js`;

/**
 * Builds the page.
 *
 * @param code module that renders into `#root`, with imports relative to `apps/console/src`
 * @returns the path of the page
 */
export async function componentPage(page: Page, instance: Instance, code: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: source,
    plugins: [
      {
        name: 'component-page',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: entry, output: { codeSplitting: false } },
    },
  });
  const output = 'output' in built ? built.output : [];
  const script = output.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n');
  // The runtime configuration of the server's documents, without the scripts of the console.
  const document = await (await fetch(`${instance.url}/admin/logs`)).text();
  const config = /<script[^>]*id="?runtime-config"?[^>]*>.*?<\/script>/s.exec(document)?.[0] ?? '';
  const html = `<!doctype html><html lang="en"><title>Component</title>${config}<div id="root"></div>
    <script type="module" src="/component-page.js"></script></html>`;
  await page.route('**/component-page', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route('**/component-page.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  return '/component-page';
}
