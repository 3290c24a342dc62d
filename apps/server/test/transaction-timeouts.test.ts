/** Transactions of an external Postgres behind a network that falls silent. */
import net from 'node:net';
import { expect, inject, it } from 'vitest';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { openExternal } from '@lanternrock/postgres/external';
import { sql } from '@lanternrock/postgres';
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

it('a server that greets and then says nothing is given up', async () => {
  // AuthenticationOk and ReadyForQuery, whatever it is asked.
  const greeting = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const silent = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(greeting));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as net.AddressInfo;
  const opening = openExternal({
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    poolSize: 1,
    waitLimit: 10_000,
    answerLimit: 100,
    onConnectionError: () => {},
  });
  await expect(opening).rejects.toBeInstanceOf(DatabaseUnavailableError);
  silent.close();
});

it('a database behind a network that fell silent can be closed', async () => {
  const url = new URL(inject('postgres').ownerUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  const settings = { poolSize: 3, waitLimit: 5000, answerLimit: 300, onConnectionError: () => {} };
  const database = await openExternal({ url: url.href, ...settings });
  const read = [{ text: 'select 1', values: [] }];
  database.listen?.('channel', () => {});
  for (let count = 0; count < 5; count += 1) await database.batch(read, { withStatementTimeout: () => read });
  proxy.stall();
  await database.close();
  await proxy.close();
});
