/** The built service on the newest Postgres. The other tests run on that of the machine and on the embedded database. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hasPrograms, installPrograms, listPrograms } from '@lanternrock/testing/install-programs';
import { onServer } from '@lanternrock/testing/engines';
import { startPostgres } from '@lanternrock/testing/postgres-server';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand, startInstance } from '../../../../e2e/support/instance.ts';
import { accountRow, setUpAdministrator, signInAsAdministrator } from './api-client.ts';

describe.skipIf(!hasPrograms)('Postgres versions', () => {
  beforeAll(() => installPrograms('postgres-versions'));

  it.for(listPrograms('postgres-versions'))(
    'signs in, writes, lists, backs up, restores and serves two owners on $version',
    async ({ version, directory }) => {
      const postgres = await startPostgres(path.join(directory, 'native/bin'));
      onTestFinished(() => postgres.stop());
      // The package has the version of Postgres, followed by that of the build.
      expect(version).toContain(postgres.version);
      const secretsKey = randomBytes(32).toString('base64url');
      const instance = await startInstance({
        environment: { DATABASE_URL: postgres.databaseUrl, SECRETS_KEY: secretsKey },
      });
      onTestFinished(() => instance.stop());
      await setUpAdministrator(instance);
      const client = await signInAsAdministrator(instance);
      const created = await client.call('/rest/v1/accounts', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(accountRow(client, 'Alpine Rescue')),
      });
      expect(created.status).toBe(201);
      const listed = await client.call('/rest/v1/accounts?select=name&name=ilike.*rescue*');
      expect(await listed.json()).toEqual([{ name: 'Alpine Rescue' }]);
      const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-backup-'));
      onTestFinished(() => fs.rmSync(scratch, { recursive: true }));
      const file = path.join(scratch, 'copy.backup');
      expect(await instance.command('backup', file)).toMatchObject({ code: 0 });
      const restored = await runCommand(['restore', file, '--new-keys'], {
        DATA_DIR: path.join(scratch, 'data'),
        SECRETS_KEY: secretsKey,
      });
      expect(restored).toEqual({ code: 0, output: expect.stringContaining('Restored') });
      expect(instance.log()).not.toMatch(/"level":[56]0/);

      // A second product on the same server, with another owner.
      await onServer(postgres.superuserUrl, 'create role second login createrole');
      await onServer(postgres.superuserUrl, 'create database second owner second');
      const environment = {
        DATABASE_URL: postgres.databaseUrl.replace(/[^/]*@/, 'second@').replace(/[^/]*$/, 'second'),
        SECRETS_KEY: secretsKey,
        DATA_DIR: path.join(scratch, 'second'),
      };
      const rejected = await runCommand(['migrate'], environment);
      expect(rejected).toMatchObject({ code: 1, output: expect.stringContaining('with admin option') });
      const grant =
        /grant anon, .* with admin option/.exec(rejected.output)?.[0].replace('USER', 'second') ?? '';
      await onServer(postgres.superuserUrl, grant);
      expect(await runCommand(['migrate'], environment)).toMatchObject({ code: 0 });
    },
  );
});
