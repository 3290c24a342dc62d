/** `npm start`: installs missing packages, builds stale bundles, and starts the service in this process. */
import { install } from './install.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// The versions that Vite and rolldown support.
const oldestMinor = { 20: 19, 22: 12 };
if (major < 20 || major === 21 || minor < (oldestMinor[major] ?? 0)) {
  console.error(
    `Node.js 22.12 or newer, or 20.19, is required. The current version is ${process.versions.node}.`,
  );
  process.exit(1);
}
// npm passes SIGINT and SIGTERM on, but not SIGHUP, and a killed npm passes nothing on.
if (process.env.npm_lifecycle_event === 'start') {
  const npm = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  check.unref();
}
install();
const { build } = await import('./build.mjs');
build();
process.argv.splice(2, 0, 'start');
await import('../apps/server/dist/lanternrock.js');
