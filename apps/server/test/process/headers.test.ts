/** Compares the headers of every kind of response with docs/security.md, on a running instance. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';

const page = fs.readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
const consoleAssets = new URL('../../../console/dist/assets/', import.meta.url);
const removeBackticks = (cell: string): string => /`([^`]*)`/.exec(cell)?.[1] ?? cell;

/** Returns the cells of the table with this heading in its first column. */
function readTable(heading: string): string[][] {
  const [, after = ''] = page.split(`\n| ${heading} |`);
  const lines = after.split('\n').slice(2);
  return lines
    .slice(0, lines.indexOf(''))
    .map((line) => line.split('|').map((cell) => removeBackticks(cell.trim())))
    .map((cells) => cells.slice(1, -1));
}

/** For documents and for all other responses. */
const [, permissions, otherPermissions] =
  /`Permissions-Policy`:\n`([^`]+)`\.\nAll other responses [^`]+`([^`]+)`\./.exec(page) ?? [];
const policies = new Map(
  [...page.matchAll(/^- (document|default|worker|mailbox):\s+`([^`]+)`$/gm)].map(
    ([, name = '', policy = '']) => [name, policy],
  ),
);
const cases = readTable('response').map(([kind = '', request = '', status = '', policy = '', cache = '']) => {
  const [method = '', pathname = ''] = request.split(' ');
  return { kind, method, pathname, status: Number(status), policy, cache };
});
const commonHeaders = readTable('header of every response');

describe('headers', () => {
  let instance: Instance;
  let assets: Readonly<Record<string, string>>;
  let cookie: string;
  beforeAll(async () => {
    instance = await startInstance();
    const document = await (await fetch(`${instance.url}/auth`)).text();
    const mailbox = await fetch(instance.mailboxLink(), { redirect: 'manual' });
    cookie = (mailbox.headers.get('Set-Cookie') ?? '').replace(/;.*/, '');
    const worker = fs.readdirSync(consoleAssets).find((name) => /-worker-[^.]+\.js$/.test(name));
    assets = {
      '/assets/…': /\/assets\/[^"]+\.js/.exec(document)?.[0] ?? '',
      '/assets/…-worker-….js': `/assets/${worker}`,
    };
  });
  afterAll(async () => instance.stop());

  it('the mailbox link is not logged; status names its file', { tags: ['OPS-13'] }, async () => {
    const link = instance.mailboxLink();
    expect(link).toMatch(/^http:\/\/localhost:\d+\/mailbox\?secret=[\w-]{43}$/);
    expect(instance.log()).not.toContain(new URL(link).searchParams.get('secret'));
    const file = path.join(instance.dataDir, 'mailbox-link');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(instance.log()).toContain(file);
    const { output } = await instance.command('status');
    expect(output).toContain(`mailbox          link in ${file}\n`);
  });

  it('are documented for every kind of response', () => {
    expect(cases.length).toBeGreaterThan(12);
    expect(commonHeaders.length).toBeGreaterThan(4);
    expect([...policies.keys()]).toEqual(['document', 'default', 'worker', 'mailbox']);
    for (const policy of policies.values()) expect(policy).not.toMatch(/unsafe|\*/);
    expect([permissions, otherPermissions]).toEqual([expect.any(String), expect.any(String)]);
  });

  it.each(cases)(
    'match for a $kind: $method $pathname',
    { tags: ['CON-01', 'CON-04', 'CON-15'] },
    async ({ method, pathname, status, policy, cache, kind }) => {
      const response = await fetch(`${instance.url}${assets[pathname] ?? pathname}`, {
        method,
        redirect: 'manual',
        headers: {
          'Content-Type': 'application/json',
          Origin: instance.url,
          Cookie: cookie,
          'Access-Control-Request-Method': 'POST',
        },
        ...(kind === 'body too large' ? { body: 'x'.repeat(1_100_000) } : {}),
      });
      await response.arrayBuffer();
      expect(response.status).toBe(status);
      expect(response.headers.get('Content-Security-Policy')).toBe(policies.get(policy));
      expect(response.headers.get('Cache-Control')).toBe(cache);
      for (const [name = '', value = ''] of commonHeaders)
        expect([name, response.headers.get(name)]).toEqual([name, value]);
      const isDocument = response.headers.get('Content-Type')?.startsWith('text/html') === true;
      expect(response.headers.get('Cross-Origin-Embedder-Policy')).toBe(
        isDocument || policy === 'worker' ? 'require-corp' : null,
      );
      expect(response.headers.get('Permissions-Policy')).toBe(
        ['default', 'worker'].includes(policy) ? otherPermissions : permissions,
      );
      expect(response.headers.has('X-Request-Id')).toBe(!cache.includes('immutable'));
      for (const name of ['Server', 'X-Powered-By']) expect(response.headers.get(name)).toBeNull();
    },
  );
});
