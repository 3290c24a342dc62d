/**
 * The built product as a process of its own is killed in the middle of writes and started again:
 * every row whose creation was answered must be there. Reduced to ten kills; TEST_LONG runs fifty.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProduct, type Product } from '../../../e2e/support/product.ts';
import { administratorOf, createAccount, signInTo, type Caller } from './api.ts';

const kills = process.env['TEST_LONG'] ? 50 : 10;

describe('kill -9 during writes on the embedded database', () => {
  let dataDir: string;
  let product: Product;

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-kill-'));
    product = await startProduct({ dataDir });
    await administratorOf(product);
  }, 60_000);
  afterAll(async () => {
    await product.kill();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  it(
    'REL-01 loses no acknowledged row',
    async () => {
      const acknowledged: string[] = [];
      const restarts: number[] = [];
      for (let round = 0; round < kills; round += 1) {
        const caller = await signInTo(product);
        const writers = [write(caller, acknowledged), write(caller, acknowledged)];
        await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 500));
        await product.kill('SIGKILL');
        await Promise.all(writers);
        const started = performance.now();
        product = await startProduct({ dataDir });
        restarts.push(Math.round(performance.now() - started));
      }
      const stored = new Set(await storedIds(await signInTo(product)));
      const lost = acknowledged.filter((id) => !stored.has(id));
      console.log(
        `kill -9: ${kills} times, ${acknowledged.length} rows acknowledged, ${lost.length} lost, restarts in ms: ${restarts.join(' ')}`,
      );
      expect(acknowledged.length).toBeGreaterThan(kills);
      expect(lost).toEqual([]);
    },
    kills * 20_000,
  );
});

/** Creates accounts until the service is gone. */
async function write(caller: Caller, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      acknowledged.push(await createAccount(caller, `Account ${acknowledged.length}`));
    } catch {
      return;
    }
  }
}

async function storedIds(caller: Caller): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 1000) {
    const response = await caller.call(`/rest/v1/accounts?select=id&order=id&limit=1000&offset=${offset}`);
    const rows = (await response.json()) as { id: string }[];
    ids.push(...rows.map((row) => row.id));
    if (rows.length < 1000) return ids;
  }
}
