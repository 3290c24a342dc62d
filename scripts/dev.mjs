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
const client = await openClient(serviceUrl);
process.env.ANON_KEY = client.anonKey;
process.env.SERVICE_URL = serviceUrl;
process.env.DEV_SESSION = await signIn(client);

const { createServer } = await import('vite');
const server = await createServer({
  configFile: at('apps/console/vite.config.ts'),
  server: { port: consolePort, strictPort: true },
});
await server.listen();
console.log(`\nConsole: http://localhost:${consolePort}/admin/accounts`);
console.log(`Administrator: ${administrator.email}, password: ${administrator.password}\n`);
