/** Finds and copies the installed packages that run in production, as the lock file describes them. */
import fs from 'node:fs';
import path from 'node:path';

/** Files that no program reads: source maps, sources and type declarations. */
const unusedFile = /\.(?:map|[cm]?tsx?)$/;

/** @returns the packages of the lock file by their path, such as `node_modules/hono` */
export const readLock = (root) =>
  JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;

/**
 * Returns the locations of all packages that the given ones need, sorted; of workspaces, only their packages. Optional peers are
 * left out, because the product uses none. Binaries are optional dependencies and included for every platform.
 *
 * @param packages of `readLock`
 * @param locations of packages or workspaces, such as `apps/server`
 */
export function listProductionPackages(packages, locations) {
  const visited = new Set();
  const visit = (location) => {
    if (visited.has(location)) return;
    visited.add(location);
    const { link, resolved, dependencies, optionalDependencies, ...others } = packages[location];
    if (link) {
      visit(resolved);
      return;
    }
    const { peerDependencies = {}, peerDependenciesMeta = {} } = others;
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      visit(findPackage(packages, location, name));
  };
  for (const location of locations) visit(location);
  return [...visited]
    .filter((location) => location.includes('node_modules/') && !packages[location].link)
    .toSorted();
}

/** Finds a package as Node.js does: in `node_modules` of the package that needs it, then of each parent directory. */
export function findPackage(packages, location, name) {
  for (let directory = location; ; directory = directory.replace(/\/?[^/]+$/, '')) {
    const candidate = path.posix.join(directory, 'node_modules', name);
    if (packages[candidate]) return candidate;
    if (directory === '') throw new Error(`The lock file has no ${name}, which ${location} needs.`);
  }
}

/** Returns the name of a package, such as `@node-rs/argon2`. */
export const toPackageName = (location) => location.replace(/^.*node_modules\//, '');

/** Returns the path in the artefact: packages of a workspace move to the root, as no workspace remains. */
export const toTargetPath = (location) => location.replace(/^(?:apps|packages)\/\w+\//, '');

/**
 * Copies packages without the packages below them, which are copied on their own.
 *
 * @param directoryOf returns the installed directory of a path of the lock file
 * @param accepts returns false for the names of files to leave out
 */
export function copyPackages(locations, { directoryOf, target, accepts = (name) => !unusedFile.test(name) }) {
  const targets = new Set();
  for (const location of locations) {
    const to = path.join(target, toTargetPath(location));
    if (targets.has(to)) throw new Error(`Two versions of ${toTargetPath(location)} are needed.`);
    targets.add(to);
    const from = directoryOf(location);
    fs.cpSync(from, to, {
      recursive: true,
      filter: (source) => {
        const name = path.relative(from, source);
        if (name === 'node_modules') return false;
        return fs.statSync(source).isDirectory() || accepts(name);
      },
    });
  }
}
