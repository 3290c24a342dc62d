/** Captured emails of an instance without a mail server, and which requests may read them. */
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppEnv } from '../src/http/context.ts';
import { readConfig } from '../src/config/settings.ts';
import { composeMessage } from '../src/mail/compose-message.ts';
import { emailKinds } from '../src/mail/email-job.ts';
import { createMailboxTransport, listMessages, toMailboxDirectory } from '../src/mail/mailbox.ts';
import { createMailboxAccess } from '../src/mail/mailbox-access.ts';
import { mailboxRoutes } from '../src/mail/mailbox-routes.ts';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-mailbox-'));
const config = readConfig({ DATA_DIR: dataDir, SITE_URL: 'http://localhost:3000' });
const access = createMailboxAccess(config);
const app = new Hono<AppEnv>().route('/mailbox', mailboxRoutes({ config, access }));
const cookieFrom = (response: Response): string =>
  (response.headers.get('Set-Cookie') ?? '').replace(/;.*/, '');
let cookie = '';
const link = 'http://localhost:3000/auth/callback?setup=true&token_hash=abc&type=invite';

const get = async (
  url: string,
  { peer = '127.0.0.1', headers = {} }: { peer?: string; headers?: Record<string, string> } = {},
): Promise<Response> =>
  app.request(
    url,
    { headers: { Cookie: cookie, ...headers } },
    { incoming: { socket: { remoteAddress: peer } } },
  );

const keep = async (fullName: string, date = new Date()): Promise<void> => {
  const message = composeMessage({
    job: { kind: 'invitation', to: 'ann@example.org', link, data: { fullName } },
    sender: { name: '<b>Sender</b>', address: 'mail@example.org' },
    context: { productName: 'Lanternrock', siteUrl: 'https://console.example.org', timeZone: 'UTC' },
    messageId: '<x@example.org>',
    date,
  });
  expect(await createMailboxTransport(config).deliver(message)).toMatchObject({ outcome: 'captured' });
};

beforeAll(async () => {
  cookie = cookieFrom(await get(access.link, { headers: { Cookie: '' } }));
  await keep('First', new Date('2026-11-21T05:00:00Z'));
  await keep('<script>alert(1)</script>', new Date('2026-11-21T06:00:00Z'));
});
afterAll(() => fs.rmSync(dataDir, { recursive: true }));

it('files are readable by their owner only and sort by age', { tags: ['OPS-01'] }, async () => {
  const directory = toMailboxDirectory(config);
  expect(fs.statSync(directory).mode & 0o777).toBe(0o700);
  const names = await listMessages(directory);
  expect(names).toHaveLength(2);
  expect(names[0]).toMatch(/^20261121T060000000Z-\d{6}-/);
  for (const name of names) expect(fs.statSync(path.join(directory, name)).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
});

it('lists the emails and shows one with both parts and its link, without executable content', async () => {
  const list = await get('/mailbox');
  expect(list.headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(list.headers.get('Cache-Control')).toBe('no-store');
  const listText = await list.text();
  expect(listText.match(/You have been invited to Lanternrock/g)).toHaveLength(2);
  expect(listText).not.toMatch(/<script|style=|onload/i);
  const [name = ''] = await listMessages(toMailboxDirectory(config));
  const page = await (await get(`/mailbox/${name}`)).text();
  expect(page).toContain(`<a href="${link.replaceAll('&', '&amp;')}">`);
  expect(page).toMatch(/sandbox="allow-popups allow-popups-to-escape-sandbox"\s+srcdoc="&lt;base target=/);
  expect(page).toContain('&lt;b&gt;Sender&lt;/b&gt;');
  expect(page).not.toMatch(/<script|<b>/i);
  const raw = await get(`/mailbox/${name}/raw`);
  expect(raw.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  expect(await raw.text()).toBe(fs.readFileSync(path.join(toMailboxDirectory(config), name), 'utf8'));
});

it('previews every template and has its own stylesheet', async () => {
  const templates = await (await get('/mailbox/templates')).text();
  expect(templates.match(/<iframe/g)).toHaveLength(emailKinds.length);
  const style = await get('/mailbox/style.css');
  expect(style.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
  expect(await style.text()).toContain('prefers-color-scheme: dark');
});

it.each([
  'x.eml',
  '..%2f..%2fkeys%2fsigning.json',
  '.eml',
  '%2e%2e',
  '20261121T060000000Z-../../../../etc/passwd.eml',
])('returns 404 for an email named %s', async (name) => {
  for (const suffix of ['', '/raw']) expect((await get(`/mailbox/${name}${suffix}`)).status).toBe(404);
});

it.each([
  ['another machine', { peer: '192.168.1.5' }],
  ['no socket', { peer: '' }],
  ['a mapped IP address of another machine', { peer: '::ffff:10.0.0.1' }],
  ['a host name that resolves to this machine', { headers: { Host: 'evil.example' } }],
  ['a host name similar to localhost', { headers: { Host: '127.0.0.1.evil.example' } }],
  ['localhost as a subdomain', { headers: { Host: 'localhost.evil.example:3000' } }],
  ...['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP'].map(
    (name) => [`a proxy (${name})`, { headers: { [name]: '127.0.0.1' } }] as const,
  ),
] as [string, { peer?: string; headers?: Record<string, string> }][])(
  '%s is rejected',
  async (_name, request) => {
    const [name = ''] = await listMessages(toMailboxDirectory(config));
    for (const url of [
      '/mailbox',
      '/mailbox/templates',
      '/mailbox/style.css',
      `/mailbox/${name}`,
      `/mailbox/${name}/raw`,
    ]) {
      const response = await get(url, request);
      expect([response.status, await response.text()]).toEqual([404, 'Not found']);
    }
  },
);

it.each([
  ['127.0.0.1', 'localhost:3000'],
  ['::1', '[::1]:3000'],
  ['::ffff:127.0.0.1', '127.0.0.1:3000'],
])('%s as %s can open the mailbox', async (peer, host) => {
  expect((await get('/mailbox', { peer, headers: { Host: host } })).status).toBe(200);
});

it('the link sets a cookie for these pages only and disappears from the address bar', async () => {
  const response = await get(access.link, { headers: { Cookie: '' } });
  expect([response.status, response.headers.get('Location')]).toEqual([303, '/mailbox']);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Set-Cookie')).toMatch(
    /^lanternrock-mailbox=[\w-]{43}; Path=\/mailbox; HttpOnly; SameSite=Strict$/,
  );
  const overTls = createMailboxAccess({ SITE_URL: 'https://localhost' });
  const routes = new Hono<AppEnv>().route('/mailbox', mailboxRoutes({ config, access: overTls }));
  const secure = await routes.request(
    overTls.link,
    { headers: { Host: 'localhost' } },
    { incoming: { socket: { remoteAddress: '::1' } } },
  );
  expect(secure.headers.get('Set-Cookie')).toContain('; Secure');
});

it('says without the cookie how to find the link, on a page with its style sheet', async () => {
  const response = await get('/mailbox', { headers: { Cookie: '' } });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([403, 'text/html; charset=UTF-8']);
  expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'; style-src 'self';");
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  const body = await response.text();
  expect(body).toContain('<h1>Open the mailbox link</h1>');
  expect(body).toContain('<pre class="card">npm run -s lanternrock -- status</pre>');
  expect(body).toContain('<a href="/auth">Lanternrock</a>');
  expect((await get('/mailbox/style.css', { headers: { Cookie: '' } })).status).toBe(200);
  expect((await get('/mailbox/templates', { headers: { Cookie: '' } })).status).toBe(403);
});

it('a forwarded TCP connection reads nothing without the secret', { tags: ['OPS-13'] }, async () => {
  const answer = getRequestListener(app.fetch);
  const server = http.createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  // As with ssh -R and kubectl port-forward: bytes pass unchanged, and the peer of the service is loopback.
  const forward = net.createServer((socket) => socket.pipe(net.connect(port, '127.0.0.1')).pipe(socket));
  await new Promise<void>((resolve) => forward.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(forward.address() as net.AddressInfo).port}`;
  const [name = ''] = await listMessages(toMailboxDirectory(config));
  const guess = 'x'.repeat(43);
  for (const pathname of [
    '/mailbox',
    '/mailbox/',
    `/mailbox?secret=${guess}`,
    '/mailbox?secret=',
    '/mailbox/templates',
    `/mailbox/${name}`,
    `/mailbox/${name}/raw`,
  ])
    for (const sent of ['', `lanternrock-mailbox=${guess}`, 'lanternrock-mailbox=']) {
      const response = await fetch(`${url}${pathname}`, { headers: { Cookie: sent }, redirect: 'manual' });
      const body = await response.text();
      expect([403, 404]).toContain(response.status);
      expect(body).not.toMatch(/example\.org|token_hash|iframe|\.eml|secret/);
      expect(response.headers.get('Set-Cookie')).toBeNull();
    }
  // Another start has another secret and rejects this cookie.
  expect(createMailboxAccess(config).link).not.toBe(access.link);
  const granted = await fetch(`${url}/mailbox`, { headers: { Cookie: cookie } });
  expect([granted.status, await granted.text()]).toEqual([200, expect.stringContaining('ann@example.org')]);
  forward.close();
  server.close();
});

it('shows a message while there is no email', async () => {
  const empty = readConfig({ DATA_DIR: path.join(dataDir, 'nothing here') });
  const routes = new Hono<AppEnv>().route('/mailbox', mailboxRoutes({ config: empty, access }));
  const response = await routes.request(
    '/mailbox',
    { headers: { Cookie: cookie } },
    { incoming: { socket: { remoteAddress: '::1' } } },
  );
  expect(await response.text()).toContain('No emails yet.');
});

it('keeps the newest thousand emails', async () => {
  const directory = toMailboxDirectory(config);
  for (let index = 0; index < 1000; index += 1) {
    const id = `${String(index).padStart(6, '0')}-00000000`;
    fs.writeFileSync(
      path.join(directory, `20200101T000000${String(index % 1000).padStart(3, '0')}Z-${id}.eml`),
      'Subject: old\r\n\r\nold\r\n',
    );
  }
  await keep('Newest');
  const names = await listMessages(directory);
  expect(names).toHaveLength(1000);
  expect(names.at(-1)).toMatch(/^20200101T000000003Z-000003-/);
});
