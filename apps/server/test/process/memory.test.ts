/**
 * Peak memory above idle for the largest insert and for a very large response, and growth over many responses. The limits are multiples of
 * the text size. On Postgres the service stores the bytes of the driver, a string and the response bytes. The
 * embedded engine runs in the same process and copies the text while it aggregates and casts.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { startPostgres } from '@lanternrock/testing/postgres-server';
import { setUpAdministrator, signInAsAdministrator, type ApiClient } from './api-client.ts';

const MiB = 2 ** 20;
const rows = 1000;
const address = 'a'.repeat(500);
const uncompressed = { headers: { 'Accept-Encoding': 'identity' } };
/** 1,080 bytes. */
const longAddress = '🚑'.repeat(270);
/** The same column as often as a request may contain it. */
const wide = Array.from({ length: 47 }, (_, index) => `a${index}:address`).join();

// Only procfs reports the peak resident size.
describe.skipIf(!fs.existsSync('/proc/self/clear_refs')).each([
  { engine: 'postgres', maxInsertMiB: 40, maxResponseMiB: 320 },
  { engine: 'embedded', maxInsertMiB: 80, maxResponseMiB: 800 },
] as const)('memory ($engine)', ({ engine, maxInsertMiB, maxResponseMiB }) => {
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  let instance: Instance;
  let client: ApiClient;

  beforeAll(async () => {
    postgres = engine === 'postgres' ? await startPostgres() : undefined;
    instance = await startInstance({
      environment: {
        BODY_LIMIT: String(2 * MiB),
        // The test measures memory. A large response takes seconds on a busy machine.
        STATEMENT_TIMEOUT: '30000',
        ...(postgres && {
          DATABASE_URL: postgres.databaseUrl,
          SECRETS_KEY: randomBytes(32).toString('base64url'),
        }),
      },
    });
    await setUpAdministrator(instance);
    client = await signInAsAdministrator(instance);
    await call('/rest/v1/accounts?select=id');
  });
  afterAll(async () => {
    await instance.stop();
    await postgres?.stop();
  });

  const call = async (path: string, init?: Parameters<ApiClient['call']>[1]): Promise<Response> => {
    const response = await client.call(path, init);
    if (!response.ok) {
      throw new Error(`${path.slice(0, 50)} returned ${response.status}: ${await response.text()}`);
    }
    return response;
  };

  /** Returns a field of proc(5) in MiB. */
  const readStatus = (field: 'VmRSS' | 'VmHWM'): number => {
    const status = fs.readFileSync(`/proc/${instance.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  };

  /** Returns the increase of the peak resident size above the size before, in MiB. */
  async function measurePeakIncrease(work: () => Promise<unknown>): Promise<number> {
    // proc(5): writing 5 resets the peak resident size to the current one.
    fs.writeFileSync(`/proc/${instance.pid}/clear_refs`, '5');
    const before = readStatus('VmRSS');
    await work();
    return Math.round(readStatus('VmHWM') - before);
  }

  it(`an insert of 1 MB takes at most ${maxInsertMiB} MiB`, async () => {
    const accounts = Array.from({ length: rows }, (_, index) => ({
      name: `Account ${index} ${'n'.repeat(150)}`,
      slug: `account-${index}-${'s'.repeat(150)}`,
      account_type: 'enterprise',
      address,
      status: 'active',
      created_by: client.userId,
    }));
    const body = JSON.stringify(accounts);
    expect(body.length).toBeGreaterThan(0.9 * MiB);
    const increaseMiB = await measurePeakIncrease(() =>
      call('/rest/v1/accounts', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      }),
    );
    console.log(`${engine}: ${increaseMiB} MiB for an insert of ${body.length} bytes`);
    expect(increaseMiB).toBeLessThan(maxInsertMiB);
  });

  it('200 responses of 0.7 MB leave at most 70 MiB', async () => {
    const readAll = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1)
        await (await call('/rest/v1/accounts?select=id,name,slug,address', uncompressed)).arrayBuffer();
    };
    await readAll(50);
    const before = readStatus('VmRSS');
    await readAll(200);
    const increaseMiB = Math.round(readStatus('VmRSS') - before);
    console.log(`${engine}: ${increaseMiB} MiB after 200 responses`);
    expect(increaseMiB).toBeLessThan(70);
  });

  it(`a response of 50 MB takes at most ${maxResponseMiB} MiB`, async () => {
    await call('/rest/v1/accounts?id=not.is.null', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ address: longAddress }),
    });
    let size = 0;
    const increaseMiB = await measurePeakIncrease(async () => {
      const response = await call(`/rest/v1/accounts?select=${wide}`, uncompressed);
      for await (const chunk of response.body ?? []) size += (chunk as Uint8Array).length;
    });
    expect(size).toBeGreaterThan(50_000_000);
    console.log(`${engine}: ${increaseMiB} MiB for a response of ${size} bytes`);
    expect(increaseMiB).toBeLessThan(maxResponseMiB);
  });
});
