/**
 * `npm run package`: builds the artefact, a tarball with the service, the console, the SQL and the packages with binaries of all
 * platforms; the bundles contain the other packages. Beside it: its SBOM and the checksums of both. `--out DIRECTORY` replaces
 * `dist`. Two runs on one commit write equal bytes: npm sorts the entries and sets their times, and nothing that the artefact
 * contains depends on the machine.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeLicenses, writeBillOfMaterials } from './bill-of-materials.mjs';
import { build } from './build.mjs';
import { installBinaries, runNpm } from './platform-binaries.mjs';
import {
  copyPackages,
  findPackage,
  listProductionPackages,
  readLock,
  toPackageName,
  toTargetPath,
} from './production-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const fromRoot = (...parts) => path.join(root, ...parts);

const program = 'apps/server/bin/lanternrock.mjs';
const serverDist = 'apps/server/dist';

/** Directories and files of the repository that the artefact contains at the same place. */
const contents = [
  'apps/server/bin',
  'apps/console/dist',
  'db/platform',
  'db/migrations',
  'deploy',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];
/** Not for operators. A file with a dot, such as deploy/.env, can contain secrets. */
const isLeftOut = (name) =>
  ['docs/images', 'docs/decisions', 'docs/guides'].includes(name) || path.basename(name).startsWith('.');

function copyContents(target) {
  for (const name of contents)
    fs.cpSync(fromRoot(name), path.join(target, name), {
      recursive: true,
      filter: (source) => !isLeftOut(path.relative(root, source).replaceAll(path.sep, '/')),
    });
}

/** Builds the bundles without source maps. Those in `dist` are not used: tests write some of them, and earlier builds left others. */
function buildServer(directory) {
  const options = ['-c', 'rolldown.config.ts', '--dir', directory, '--no-sourcemap'];
  execFileSync(process.execPath, [fromRoot('node_modules/.bin/rolldown'), ...options], {
    cwd: fromRoot('apps/server'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns the names of the packages that the bundles import. */
function listExternalPackages(directory) {
  const code = fs.readdirSync(directory).map((name) => fs.readFileSync(path.join(directory, name), 'utf8'));
  const imported = code.flatMap((text) => [
    ...text.matchAll(/^import .* from "((?:@[\w-]+\/)?[\w-]+)[^"]*";$/gm),
  ]);
  const isPackage = (name) => fs.existsSync(fromRoot('node_modules', name, 'package.json'));
  return [...new Set(imported.map(([, name]) => name))].filter(isPackage).toSorted();
}

/** Sets modes that do not depend on the umask of the builder. */
function setModes(directory) {
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true }))
    fs.chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  fs.chmodSync(path.join(directory, program), 0o755);
}

/** Returns the dependencies of a manifest, with exact versions. */
const toDependencies = (packages, locations) =>
  Object.fromEntries(
    locations.map((location) => [toPackageName(location), packages[location].version]).toSorted(),
  );

/** Returns the packages that the manifests of the workspaces name. */
function listDirectPackages(packages) {
  const workspaces = Object.keys(packages).filter((location) => workspace.test(location));
  const direct = workspaces.flatMap((location) =>
    Object.keys(packages[location].dependencies ?? {}).map((name) => findPackage(packages, location, name)),
  );
  return direct.filter((location) => !packages[location].link);
}

/** All except `packages/testing`, which only tests use. */
const workspace = /^(?:apps|packages)\/(?!testing$)\w+$/;

/** @param dependencies packages that npm finds in `node_modules` of the artefact */
function createManifest(dependencies) {
  const text = fs.readFileSync(fromRoot('package.json'), 'utf8');
  const { name, version, description, license, engines } = JSON.parse(text);
  return {
    name,
    version,
    // Prevents a publication by mistake.
    private: true,
    description,
    license,
    type: 'module',
    bin: { lanternrock: program },
    engines,
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  };
}

/** Collects everything in a directory, from which npm creates the tarball. */
function createPackage({ out, scratch }) {
  build();
  const target = path.join(scratch, 'lanternrock');
  copyContents(target);
  buildServer(path.join(target, serverDist));
  const packages = readLock(root);
  const direct = listExternalPackages(path.join(target, serverDist)).map((name) =>
    findPackage(packages, 'apps/server', name),
  );
  const shipped = listProductionPackages(packages, direct);
  const inServer = listProductionPackages(packages, ['apps/server']);
  const locations = listProductionPackages(packages, ['apps/server', 'apps/console']);
  const directoryOf = installBinaries(root, packages, locations);
  const placeOf = (location) => {
    if (shipped.includes(location)) return toTargetPath(location);
    return inServer.includes(location) ? serverDist : 'apps/console/dist';
  };
  const manifest = createManifest(toDependencies(packages, direct));
  const base = `${manifest.name}-${manifest.version}`;
  const sbom = path.join(out, `${base}.cdx.json`);
  fs.mkdirSync(out, { recursive: true });
  writeBillOfMaterials(sbom, {
    root,
    manifest: { ...manifest, dependencies: toDependencies(packages, listDirectPackages(packages)) },
    locations,
    directoryOf,
    scratch: path.join(scratch, 'manifests'),
  });
  copyPackages(shipped, { directoryOf, target });
  fs.writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  fs.copyFileSync(sbom, path.join(target, 'sbom.cdx.json'));
  const licenses = describeLicenses({ root, locations, placeOf, directoryOf });
  fs.writeFileSync(path.join(target, 'THIRD-PARTY-LICENSES.txt'), licenses);
  setModes(target);
  runNpm(['pack', '--ignore-scripts', '--loglevel', 'error', '--pack-destination', out], { cwd: target });
  const files = [`${base}.tgz`, `${base}.cdx.json`];
  const sums = files.map((name) => `${sha256(path.join(out, name))}  ${name}\n`);
  fs.writeFileSync(path.join(out, `${base}.sha256`), sums.join(''));
  return { files: [...files, `${base}.sha256`], counts: [shipped.length, locations.length - shipped.length] };
}

const sha256 = (file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex');

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out =
  values.out === undefined ? fromRoot('dist') : path.resolve(process.env.INIT_CWD ?? '.', values.out);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-package-'));
try {
  const { files, counts } = createPackage({ out, scratch });
  for (const name of files) console.log(path.join(out, name));
  const mib = fs.statSync(path.join(out, files[0])).size / 1_048_576;
  console.log(`${mib.toFixed(1)} MiB, ${counts[0]} packages and ${counts[1]} in the bundles`);
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
