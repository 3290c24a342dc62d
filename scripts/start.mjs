/** `npm start`: installs missing packages, builds stale bundles, and starts the service in this process. */
import { install } from './install.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is required. The current version is ${process.versions.node}.`);
  process.exit(1);
}
install();
const { build } = await import('./build.mjs');
build();
process.argv.splice(2, 0, 'start');
await import('../apps/server/dist/lanternrock.js');
