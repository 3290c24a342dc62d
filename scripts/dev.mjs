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
import { openClient } from './instance-client.mjs';
import { newestChange } from './is-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);

const dataDir = at('.data/dev');
const serviceUrl = 'http://127.0.0.1:3100';
const consolePort = 5173;
const administrator = { email: 'admin@example.com', password: 'lantern on the pier 7' };

install();

const children = [];
const run = (args, options) => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  children.push(child);
  // Without one of its parts, the others are of no use.
  child.once('exit', (code) => stop(code ?? 1));
  return child;
};
const stop = (code) => {
  for (const child of children) child.kill('SIGTERM');
  process.exit(code);
};
process.once('SIGINT', () => stop(0));
process.once('SIGTERM', () => stop(0));

console.log('Building the server ...');
const bundle = at('apps/server/dist/lanternrock.js');
const lastBuild = newestChange(bundle);
run([at('node_modules/.bin/rolldown'), '-c', 'rolldown.config.ts', '--watch'], {
  cwd: at('apps/server'),
  stdio: ['ignore', 'ignore', 'inherit'],
});
// Started earlier, the service would restart after the first build.
while (newestChange(bundle) === lastBuild) await pause(100);

console.log('Starting the service ...');
const inspect = process.argv.filter((argument) => argument.startsWith('--inspect'));
const service = run(
  ['--watch', '--watch-preserve-output', ...inspect, at('apps/server/bin/lanternrock.mjs'), 'start'],
  {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: new URL(serviceUrl).port,
      SITE_URL: `http://localhost:${consolePort}`,
      ADMIN_EMAIL: administrator.email,
    },
    // Without a terminal, the service writes its links to files.
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
// Until the administrator is set up, the output would ask to open the link of the first administrator.
service.stdout.resume();

/** Returns the session as JSON, or '' if the password was changed in an earlier run: then the sign-in screen opens. */
async function signIn(client) {
  const linkFile = path.join(dataDir, 'first-link');
  // The first start writes the link shortly after the service is ready.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (fs.existsSync(linkFile))
      await client.setUpAdministrator(fs.readFileSync(linkFile, 'utf8').trim(), administrator.password);
    try {
      return JSON.stringify(await client.signIn(administrator));
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
// The sign-in page contains the key only if the console is built.
const anonKey = fs.readFileSync(path.join(dataDir, 'keys/anon-key'), 'utf8').trim();
const client = await openClient(serviceUrl, anonKey);
process.env.ANON_KEY = anonKey;
process.env.SERVICE_URL = serviceUrl;
process.env.DEV_SESSION = await signIn(client);

const { createServer } = await import('vite');
const server = await createServer({
  configFile: at('apps/console/vite.config.ts'),
  server: { port: consolePort, strictPort: true },
});
await server.listen();
console.log(`\nConsole: http://localhost:${consolePort}/admin/accounts`);
console.log(
  process.env.DEV_SESSION === ''
    ? 'The password of the administrator was changed. Delete .data/dev to start again.'
    : `The first visit is signed in as ${administrator.email}, password: ${administrator.password}`,
);
console.log('Mailbox: the URL in .data/dev/mailbox-link\n');
service.stdout.pipe(process.stdout);
