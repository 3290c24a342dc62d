/**
 * Installed packages and their licenses. Known advisories are not checked, because this needs a
 * service.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

interface Manifest {
  readonly license?: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
interface Locked {
  readonly packages: Record<
    string,
    {
      readonly version?: string;
      readonly integrity?: string;
      readonly link?: boolean;
      readonly inBundle?: boolean;
      readonly dev?: boolean;
    }
  >;
}

const { packages } = JSON.parse(read('package-lock.json')) as Locked;
const workspaces = Object.keys(packages).filter((name) => /^(?:apps|packages)\/\w+$/.test(name));
/** Without the workspaces, and without packages that are part of another package. */
const locked = Object.entries(packages).filter(
  ([name, { link, inBundle }]) => name.startsWith('node_modules/') && !link && !inBundle,
);
const manifests = ['.', ...workspaces].map((name) => JSON.parse(read(`${name}/package.json`)) as Manifest);

describe('installed packages', { tags: ['OPS-19'] }, () => {
  it('are pinned to exact versions and locked by integrity hash', () => {
    for (const { dependencies, devDependencies, optionalDependencies } of manifests)
      for (const [name, version] of Object.entries({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      }))
        expect([name, version]).toEqual([name, expect.stringMatching(/^(\d+\.\d+\.\d+(-[\w.]+)?|\*)$/)]);
    expect(locked.length).toBeGreaterThan(100);
    for (const [name, { integrity }] of locked)
      expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
  });

  it('run no install script', () => {
    expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
  });

  it('have permissive licenses if they are shipped', () => {
    const allowed =
      /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|PostgreSQL|MIT-0|Python-2\.0)$/;
    const shipped = locked.filter(
      ([name, { dev }]) => !dev && fs.existsSync(path.join(root, name, 'package.json')),
    );
    expect(shipped.length).toBeGreaterThan(50);
    for (const [name] of shipped) {
      const { license = '' } = JSON.parse(read(`${name}/package.json`)) as Manifest;
      const terms = license.replace(/[()]/g, '').split(/ (?:OR|AND) /);
      expect([name, license, terms.some((term) => allowed.test(term))]).toEqual([name, license, true]);
    }
  });
});
