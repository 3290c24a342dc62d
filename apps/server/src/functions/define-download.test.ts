/** The streamed response of a download, without a database. */
import { accountExportSchema } from '@lanternrock/contract/account-export';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { AppEnv } from '../http/context.ts';
import { DomainError } from '../errors.ts';
import { readBatches, batchRows } from '../keyset-batches.ts';
import { defineDownload } from './define-download.ts';
import type { FunctionServices } from './define-function.ts';

interface Reader {
  /** Numbers of the batches that were read. */
  readonly reads: number[];
  closed: boolean;
}

async function* countedChunks(reader: Reader, failAt?: number): AsyncGenerator<string, void, undefined> {
  try {
    const batches = readBatches<number>(async (last) => {
      const start = last === null ? 0 : last + 1;
      reader.reads.push(start);
      if (start === failAt) throw new DomainError('conflict', 'The batch failed.');
      const length = start >= 3 * batchRows ? 1 : batchRows;
      return Array.from({ length }, (_, index) => start + index);
    });
    for await (const batch of batches) yield `${batch[0]}\n`;
  } finally {
    reader.closed = true;
  }
}

/** Chunks of which only each tenth has text. */
async function* sparseChunks(reader: Reader): AsyncGenerator<string, void, undefined> {
  try {
    for (let number = 0; number < 40; number += 1) {
      reader.reads.push(number);
      yield number % 10 === 0 ? `${number}\n` : '';
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    reader.closed = true;
  }
}

const request = async (
  reader: Reader,
  {
    denial = null,
    failAt,
    chunks = () => countedChunks(reader, failAt),
  }: { denial?: string | null; failAt?: number; chunks?: () => AsyncGenerator<string, void, undefined> } = {},
) => {
  const numbers = defineDownload({
    name: 'export-accounts',
    input: accountExportSchema,
    file: () => ({ name: 'numbers.csv', type: 'text/csv', chunks: chunks() }),
  });
  const services = {
    database: {
      batch: async () => [
        { rows: [], affected: 0 },
        { rows: [[denial]], affected: 0 },
      ],
    },
    auth: { authenticate: async () => ({ role: 'authenticated' }) },
    clock: { estimate: () => new Date() },
  } as unknown as FunctionServices;
  const app = new Hono<AppEnv>();
  app.onError((error, c) => c.text(error.message, 503));
  app.post('/', (c) => numbers.handle(c, services));
  return app.request('/', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
};

it('sends all batches as a file', async () => {
  const reader: Reader = { reads: [], closed: false };
  const response = await request(reader);
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="numbers.csv"');
  expect(await response.text()).toBe('0\n1000\n2000\n3000\n');
  expect(reader).toEqual({ reads: [0, 1000, 2000, 3000], closed: true });
});

it('reads a batch when the client has received the last one, and stops when the client disconnects', async () => {
  const reader: Reader = { reads: [], closed: false };
  const body = (await request(reader)).body?.getReader();
  expect(reader.reads).toEqual([0]);
  await body?.read();
  expect(reader.reads).toEqual([0]);
  await body?.read();
  expect(reader.reads).toEqual([0, 1000]);
  await body?.cancel();
  expect(reader).toEqual({ reads: [0, 1000], closed: true });
});

it('rejects other users before it reads', async () => {
  const reader: Reader = { reads: [], closed: false };
  const response = await request(reader, { denial: 'not_platform_admin' });
  expect([response.status, reader.reads]).toEqual([503, []]);
});

it('reads over empty chunks, until the client leaves', async () => {
  const reader: Reader = { reads: [], closed: false };
  const response = await request(reader, { chunks: () => sparseChunks(reader) });
  expect(await response.text()).toBe('0\n10\n20\n30\n');
  const left: Reader = { reads: [], closed: false };
  const body = (await request(left, { chunks: () => sparseChunks(left) })).body?.getReader();
  await body?.read();
  const next = body?.read();
  await body?.cancel();
  await next;
  expect(left.closed).toBe(true);
  expect(left.reads.length).toBeLessThan(10);
});

it('responds with the error of the first batch', async () => {
  const response = await request({ reads: [], closed: false }, { failAt: 0 });
  expect([response.status, await response.text()]).toEqual([503, 'The batch failed.']);
});

it('aborts the response after the error of a later batch', async () => {
  const reader: Reader = { reads: [], closed: false };
  const response = await request(reader, { failAt: 2000 });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('The batch failed.');
  expect(reader.closed).toBe(true);
});
