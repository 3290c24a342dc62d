/** A page of the running product that shows one component of the console alone, with the real session and service. */
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type { Instance } from './instance.ts';

const source = fileURLToPath(new URL('../../apps/console/src', import.meta.url));
const entry = `${source}/component-page.js`;

/** @param code a module that renders into `#root`; imports are relative to apps/console/src. @returns the page's address. */
export async function componentPage(page: Page, product: Instance, code: string): Promise<string> {
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
  // The configuration that the server writes into its documents, without the console's own scripts.
  const document = await (await fetch(`${product.url}/admin/logs`)).text();
  const config = /<script[^>]*id="?runtime-config"?[^>]*>.*?<\/script>/s.exec(document)?.[0] ?? '';
  const html = `<!doctype html><html lang="en"><title>Component</title>${config}<div id="root"></div>
    <script type="module" src="/component-page.js"></script></html>`;
  await page.route('**/component-page', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route('**/component-page.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  return '/component-page';
}
