/** Transactions of an external Postgres behind a network that falls silent. */
import { expect, inject, it } from 'vitest';
import { openExternal } from '../src/database/external.ts';
import { sql } from '../src/database/sql.ts';
import { startProxy } from './support/tcp-proxy.ts';

it('a transaction whose work failed does not wait for a network that fell silent', async () => {
  const url = new URL(inject('postgres').ownerUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  const lost: string[] = [];
  const database = await openExternal({
    url: url.href,
    poolSize: 2,
    waitLimit: 5000,
    answerLimit: 300,
    onConnectionError: ({ message }) => void lost.push(message),
  });
  const work = database.transaction(async (tx) => {
    await tx.query(sql`select 1`);
    proxy.stall();
    throw new Error('the work failed');
  });
  await expect(work).rejects.toThrow('the work failed');
  expect(lost.join()).toMatch(/no answer within 300 ms/);
  proxy.flow();
  expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await database.close();
  await proxy.close();
});
