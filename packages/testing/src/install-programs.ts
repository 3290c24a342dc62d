/** Programs that only tests run, from npm packages with checksums. They are no dependencies of the product. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fromRoot } from './paths.ts';

export interface Program {
  readonly version: string;
  /** Directory of the package. */
  readonly directory: string;
}

/** The packages contain programs for Linux on x64. */
export const hasPrograms = process.platform === 'linux' && process.arch === 'x64';

const manifestOf = (name: string): string => fromRoot(`packages/testing/programs/${name}`);
const cacheOf = (name: string): string => fromRoot(`node_modules/.cache/${name}`);

/** Lists the programs of a manifest in `packages/testing/programs`. */
export function listPrograms(name: 'node-versions' | 'postgres-versions'): readonly Program[] {
  const { dependencies } = JSON.parse(
    fs.readFileSync(path.join(manifestOf(name), 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  return Object.entries(dependencies).map(([alias, source]) => ({
    version: source.replace(/^.*@/, ''),
    directory: path.join(cacheOf(name), 'node_modules', alias),
  }));
}

/** Installs the programs of a manifest, unless the installed ones are those of its lock file. */
export function installPrograms(name: 'node-versions' | 'postgres-versions'): void {
  const [manifest, directory] = [manifestOf(name), cacheOf(name)];
  const lockFile = path.join(manifest, 'package-lock.json');
  const marker = path.join(directory, 'installed.json');
  if (fs.existsSync(marker) && fs.readFileSync(marker, 'utf8') === fs.readFileSync(lockFile, 'utf8')) return;
  fs.cpSync(manifest, directory, { recursive: true });
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: directory,
  });
  for (const program of listPrograms(name)) createLinks(program);
  fs.copyFileSync(lockFile, marker);
}

/** npm packages cannot contain links. The install script of the Postgres package creates those of its libraries. */
function createLinks({ directory }: Program): void {
  const list = path.join(directory, 'native/pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const [from, to] = [path.join(directory, target), path.join(directory, source)];
    if (!fs.existsSync(from)) fs.symlinkSync(path.relative(path.dirname(from), to), from);
  }
}
