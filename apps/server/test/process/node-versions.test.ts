/** The built service on the lowest Node.js of each supported range, and on the newest of each later line. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fromRoot } from '@lanternrock/testing/paths';
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance } from '../../../../e2e/support/instance.ts';
import { accountRow, setUpAdministrator, signInAsAdministrator } from './api-client.ts';

/** The packages of the binaries, with their checksums. */
const manifest = fromRoot('apps/server/test/support/node-versions');
const directory = fromRoot('node_modules/.cache/node-versions');

const { dependencies } = JSON.parse(fs.readFileSync(path.join(manifest, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
const versions = Object.entries(dependencies).map(([name, source]) => ({
  name,
  version: source.replace(/^.*@/, ''),
}));

/** Installs the binaries, unless the installed ones are those of the lock file. */
function installBinaries(): void {
  const lockFile = path.join(manifest, 'package-lock.json');
  const marker = path.join(directory, 'installed.json');
  if (fs.existsSync(marker) && fs.readFileSync(marker, 'utf8') === fs.readFileSync(lockFile, 'utf8')) return;
  fs.cpSync(manifest, directory, { recursive: true });
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: directory,
  });
  fs.copyFileSync(lockFile, marker);
}

// The packages contain programs for Linux on x64.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('Node.js versions', () => {
  beforeAll(installBinaries);

  it.for(versions)('starts, signs in, lists and stops on $version', async ({ name, version }) => {
    const node = path.join(directory, 'node_modules', name, 'bin/node');
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${version}`);
    const instance = await startInstance({ node });
    await setUpAdministrator(instance);
    const client = await signInAsAdministrator(instance);
    const created = await client.call('/rest/v1/accounts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(accountRow(client, 'Alpine Rescue')),
    });
    expect(created.status).toBe(201);
    const listed = await client.call('/rest/v1/accounts?select=name');
    expect(await listed.json()).toEqual([{ name: 'Alpine Rescue' }]);
    expect(await instance.kill('SIGTERM')).toBe(0);
    await instance.stop();
    expect(instance.log()).not.toMatch(/Warning:|"level":[56]0/);
  });
});
