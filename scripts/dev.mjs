/**
 * `npm run dev`: runs the service and the console from source. A change of the server restarts the service, a change
 * of the console reloads in the browser. The first visit is signed in as an administrator. `--inspect` opens the
 * debugger of the service.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);

const dataDir = at('.data/dev');
const serviceUrl = 'http://127.0.0.1:3100';
const consolePort = 5173;
const administrator = { email: 'admin@example.com', password: 'lantern on the pier 7' };

install();
const { build } = await import('./build.mjs');
build({ only: 'server' });

const children = [];
const run = (args, options) => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  children.push(child);
  // Without one of its parts, the others are of no use.
  child.once('exit', (code) => stop(code ?? 1));
};
const stop = (code) => {
  for (const child of children) child.kill('SIGTERM');
  process.exit(code);
};
process.once('SIGINT', () => stop(0));
process.once('SIGTERM', () => stop(0));

run([at('node_modules/.bin/rolldown'), '-c', 'rolldown.config.ts', '--watch'], {
  cwd: at('apps/server'),
  stdio: ['ignore', 'ignore', 'inherit'],
});
const inspect = process.argv.filter((argument) => argument.startsWith('--inspect'));
run(['--watch', '--watch-preserve-output', ...inspect, at('apps/server/bin/lanternrock.mjs'), 'start'], {
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: new URL(serviceUrl).port,
    SITE_URL: `http://localhost:${consolePort}`,
    ADMIN_EMAIL: administrator.email,
  },
});

const post = (pathname, body, method = 'POST', token = '') =>
  fetch(serviceUrl + pathname, {
    method,
    headers: {
      'Content-Type': 'application/json',
      apikey: process.env.ANON_KEY,
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  }).then(async (response) => {
    if (!response.ok) throw new Error(`${pathname} returned ${response.status}: ${await response.text()}`);
    return response.json();
  });

const linkFile = path.join(dataDir, 'first-link');

/** Opens the link of the first administrator and sets the password. */
async function setUpAdministrator() {
  const { searchParams } = new URL(fs.readFileSync(linkFile, 'utf8').trim());
  const link = { type: searchParams.get('type'), token_hash: searchParams.get('token_hash') };
  const { access_token: token } = await post('/auth/v1/verify', link);
  await post('/auth/v1/user', { password: administrator.password }, 'PUT', token);
}

/** Returns the session as JSON, or '' if the password was changed in an earlier run: then the sign-in screen opens. */
async function signIn() {
  // The first start writes the link shortly after the service is ready.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (fs.existsSync(linkFile)) await setUpAdministrator();
    try {
      return JSON.stringify(await post('/auth/v1/token?grant_type=password', administrator));
    } catch {
      await pause(300);
    }
  }
  return '';
}

const isReady = () =>
  fetch(`${serviceUrl}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await isReady())) await pause(100);
const page = await (await fetch(`${serviceUrl}/auth`)).text();
process.env.ANON_KEY = /"anonKey":"([^"]+)"/.exec(page)?.[1] ?? '';
process.env.SERVICE_URL = serviceUrl;
process.env.DEV_SESSION = await signIn();

const { createServer } = await import('vite');
const server = await createServer({
  configFile: at('apps/console/vite.config.ts'),
  server: { port: consolePort, strictPort: true },
});
await server.listen();
console.log(`\nConsole: http://localhost:${consolePort}/admin/accounts`);
console.log(`Administrator: ${administrator.email}, password: ${administrator.password}\n`);
