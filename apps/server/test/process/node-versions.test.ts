/** The built service on the lowest Node.js of each supported range, and on the newest of each later line. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { hasPrograms, installPrograms, listPrograms } from '@lanternrock/testing/install-programs';
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance } from '../../../../e2e/support/instance.ts';
import { accountRow, setUpAdministrator, signInAsAdministrator } from './api-client.ts';

describe.skipIf(!hasPrograms)('Node.js versions', () => {
  beforeAll(() => installPrograms('node-versions'));

  it.for(listPrograms('node-versions'))('starts, signs in, lists and stops on $version', async (program) => {
    const { version, directory } = program;
    const node = path.join(directory, 'bin/node');
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
