/** Installs the packages with binaries of other platforms, which npm leaves out of `node_modules`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { toPackageName } from './production-packages.mjs';

/** npm as `npm run` uses it, also on Windows, where `npm` is not an executable file. */
export function runNpm(args, options) {
  const program = process.env.npm_execpath;
  const [file, first] = program ? [process.execPath, [program]] : ['npm', []];
  return execFileSync(file, [...first, ...args, '--no-update-notifier'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...options,
  });
}

/**
 * Installs the missing packages of all platforms into a cache, verified by the hashes of the lock file.
 *
 * @param packages of `readLock`
 * @param locations of `listProductionPackages`
 * @returns a function that returns the installed directory of a location
 */
export function installBinaries(root, packages, locations) {
  const isInstalled = (location) => fs.existsSync(path.join(root, location, 'package.json'));
  const missing = locations.filter((location) => !isInstalled(location));
  const unexpected = missing.filter((location) => !packages[location].optional);
  if (unexpected.length > 0) throw new Error(`Not installed: ${unexpected.join(', ')}. Run npm run setup.`);
  const cache = path.join(root, 'node_modules/.cache/platform-binaries');
  const dependencies = Object.fromEntries(
    missing.map((location) => [toPackageName(location), packages[location].version]),
  );
  const manifest = { name: 'platform-binaries', version: '0.0.0', private: true, dependencies };
  const lock = {
    ...manifest,
    lockfileVersion: 3,
    packages: {
      '': manifest,
      ...Object.fromEntries(
        missing.map((location) => {
          const { version, integrity } = packages[location];
          return [location, { version, integrity }];
        }),
      ),
    },
  };
  const text = JSON.stringify(lock);
  const marker = path.join(cache, 'installed.json');
  if (!fs.existsSync(marker) || fs.readFileSync(marker, 'utf8') !== text) {
    fs.mkdirSync(cache, { recursive: true });
    fs.writeFileSync(path.join(cache, 'package.json'), JSON.stringify(manifest));
    fs.writeFileSync(path.join(cache, 'package-lock.json'), text);
    // --force: npm otherwise rejects packages of other platforms.
    runNpm(['ci', '--force', '--ignore-scripts', '--prefer-offline', '--loglevel', 'error'], { cwd: cache });
    fs.writeFileSync(marker, text);
  }
  return (location) => path.join(isInstalled(location) ? root : cache, location);
}
