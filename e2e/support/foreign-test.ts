/** Playwright fixtures for the built console on static hosting with a minimal Supabase-compatible backend. */
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import { failedLoad, toastWith } from './console-fixtures.ts';
import { watchConsole } from './fixtures.ts';
import { applyPageConditions } from './page-conditions.ts';
import { type ForeignBackend, startForeignBackend } from './foreign-backend.ts';
import { storageKey } from './users.ts';

export { expect, failedLoad, toastWith };

const fromRoot = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const dist = fromRoot('apps/console/dist');
/** The policy of documents, as operators find it. */
const [, documentPolicy = ''] =
  /^- document:\n *`(.*)`$/m.exec(fs.readFileSync(fromRoot('docs/security.md'), 'utf8')) ?? [];
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

interface HostedConsole {
  readonly backendUrl: string;
  readonly anonKey: string;
  /** Without features the console sends only the calls of docs/requirements.md. */
  readonly features?: readonly string[];
}

/** Serves the build on a separate origin, as described in docs/hosted-supabase.md. */
export async function hostConsole(runtime: HostedConsole) {
  const { backendUrl } = runtime;
  const config = JSON.stringify({ productName: 'Beacon', ...runtime });
  const policy = documentPolicy.replace("connect-src 'self'", `$& ${backendUrl}`);
  if (!policy.includes(backendUrl)) throw new Error('docs/security.md states no policy of documents.');
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://console');
    const file = path.join(dist, pathname);
    const isFile = path.extname(pathname) !== '' && file.startsWith(dist) && fs.existsSync(file);
    const page = /^\/auth(?:\/callback|\/set-password)?\/?$/.test(pathname) ? 'auth.html' : 'index.html';
    const served = isFile ? file : path.join(dist, page);
    const headers = {
      'Content-Type': types[path.extname(served)] ?? 'text/plain',
      'Content-Security-Policy': policy,
    };
    if (isFile) return response.writeHead(200, headers).end(fs.readFileSync(served));
    const html = fs
      .readFileSync(served, 'utf8')
      .replace(/(id="runtime-config">)[^<]*/, (_all, open: string) => open + config)
      .replaceAll('__PRODUCT_NAME__', 'Beacon');
    return response.writeHead(200, headers).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Fixtures {
  /** True if the owner is signed in when the page opens. */
  readonly signedIn: boolean;
  /**
   * Contains one administrator and no data at the start of a test. An unknown request and an unexpected console message
   * fail the test.
   */
  readonly backend: ForeignBackend;
  /** Patterns of console messages that the test causes intentionally. */
  readonly expectedMessages: RegExp[];
}

interface WorkerFixtures {
  readonly hosted: { readonly backend: ForeignBackend; readonly consoleUrl: string };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  hosted: [
    async ({ browserName: _browserName }, use) => {
      const backend = await startForeignBackend();
      const site = await hostConsole({ backendUrl: backend.url, anonKey: 'public-anon-key' });
      await use({ backend, consoleUrl: site.url });
      site.stop();
      await backend.stop();
    },
    { scope: 'worker' },
  ],
  signedIn: [true, { option: true }],
  expectedMessages: async ({ browserName: _browserName }, use) => use([]),
  baseURL: async ({ hosted }, use) => use(hosted.consoleUrl),
  storageState: async ({ hosted, signedIn }, use) => {
    hosted.backend.reset();
    const value = JSON.stringify(hosted.backend.session());
    const localStorage = signedIn ? [{ name: storageKey(hosted.backend), value }] : [];
    await use({ cookies: [], origins: [{ origin: hosted.consoleUrl, localStorage }] });
  },
  backend: [
    async ({ hosted, context, expectedMessages }, use) => {
      const messages = watchConsole(context);
      await applyPageConditions(context);
      await use(hosted.backend);
      const unexpected = messages.filter((text) => !expectedMessages.some((pattern) => pattern.test(text)));
      expect(unexpected, 'unexpected console messages').toEqual([]);
      expect(hosted.backend.unknown, 'unknown requests').toEqual([]);
    },
    { auto: true },
  ],
});

/** Returns the recorded requests whose method and path match. */
export const requestsTo = (backend: ForeignBackend, pattern: RegExp) =>
  backend.requests.filter(({ method, path: target }) => pattern.test(`${method} ${target}`));
