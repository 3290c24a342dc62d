/** Failing file operations of the embedded database, at random points: the service recovers without a person. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  faultyFilesModule,
  fileFaultKinds,
  setFileFault,
  type FileFault,
} from '@lanternrock/testing/file-faults';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { setUpAdministrator, signInAsAdministrator, type ApiClient } from './api-client.ts';
import { finishWriteLoad, startWriteLoad } from './write-load.ts';

const metricsToken = 'token of the metrics of this test';

/** Kinds of faults, each at points that a commit reaches soon. */
const fault: fc.Arbitrary<FileFault> = fc.record({
  kind: fc.constantFrom(...fileFaultKinds),
  skip: fc.nat({ max: 12 }),
  pathPrefix: fc.constantFrom('', 'pg_wal'),
});

describe('failing file operations', () => {
  let instance: Instance;
  let client: ApiClient;
  beforeAll(async () => {
    instance = await startInstance({
      environment: {
        NODE_OPTIONS: `--import ${faultyFilesModule}`,
        RATE_LIMITS: 'off',
        STATEMENT_TIMEOUT: '2000',
        METRICS_TOKEN: metricsToken,
      },
    });
    await setUpAdministrator(instance);
    client = await signInAsAdministrator(instance);
  });
  afterAll(async () => {
    setFileFault(instance.dataDir, null);
    await instance.stop();
  });

  const readRestarts = async (): Promise<number> => {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const text = await (await fetch(`${instance.url}/metrics`, { headers })).text();
    return Number(/^lanternrock_database_restarts (\d+)$/m.exec(text)?.[1]);
  };

  it(
    'reject writes with 503, restart the engine, lose nothing, and end without a person',
    { tags: ['REL-05'], timeout: 3_600_000 },
    async () => {
      const faults = fc.sample(fault, { numRuns: runs({ short: 4, long: 40 }), seed });
      for (const { kind, skip, pathPrefix } of faults) {
        const load = startWriteLoad(client);
        await load.next();
        const before = await readRestarts();
        setFileFault(instance.dataDir, { kind, skip, pathPrefix });
        await expect.poll(() => load.rejected.size, { timeout: 60_000 }).toBeGreaterThan(0);
        expect((await fetch(`${instance.url}/health`)).status).toBe(200);
        setFileFault(instance.dataDir, null);
        // 504: the request waited too long for the restart.
        await finishWriteLoad(load, `${kind} after ${skip} operations in ${pathPrefix || 'all files'}`);
        if (kind !== 'no-space' && kind !== 'short-write')
          expect(await readRestarts()).toBeGreaterThan(before);
      }
    },
  );

  it('that continue do not keep the service from stopping', { tags: ['REL-05'] }, async () => {
    setFileFault(instance.dataDir, { kind: 'read-only', skip: 0, pathPrefix: '' });
    const load = startWriteLoad(client);
    await expect.poll(() => load.rejected.size).toBeGreaterThan(0);
    await load.stop();
    await instance.kill('SIGTERM');
    expect(instance.log()).toContain('stopping');
  });
});
