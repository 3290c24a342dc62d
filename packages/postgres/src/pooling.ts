/** Detects the mode of a connection pooler between the service and Postgres. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Client, type ClientSettings } from './client.ts';
import type { PoolingMode } from './database.ts';
import { duplicateStatement } from './errors.ts';

export interface Pooling {
  readonly mode: PoolingMode;
  /** True if named prepared statements remain available to later transactions of the client connection. */
  readonly keepsStatements: boolean;
}

/**
 * Maximum wait for a result, in milliseconds. A pooler in session mode with one server connection never responds. A busy machine can
 * take seconds, and a mode that was not recognized stays for the life of the process.
 */
const timeoutMs = 5000;

/**
 * Order in which the two clients send queries. In transaction mode the clients share a server connection, or one
 * client uses two, whether the pooler prefers the last released connection or rotates over two or three.
 */
const queryOrder = [0, 0, 1, 1, 0] as const;

/** Prepares one statement name on two clients and compares the process IDs of the servers that execute it. */
export async function detectPooling(settings: ClientSettings): Promise<Pooling> {
  const clients = [0, 1].map(
    () => new Client({ ...settings, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }),
  );
  const statement = { name: randomUUID(), text: 'select pg_catalog.pg_backend_pid() as pid' };
  const processIds = new Map<pg.Client, number>();
  try {
    for (const client of clients) {
      // The failed query reports the error.
      client.on('error', () => {});
      await client.connect();
    }
    for (const index of queryOrder) {
      const client = clients[index];
      const pid = (await client?.query<{ pid: number }>(statement))?.rows[0]?.pid;
      if (!client || pid === undefined) continue;
      const otherPids = [...processIds].filter(([other]) => other !== client).map(([, otherPid]) => otherPid);
      if ((processIds.get(client) ?? pid) !== pid || otherPids.includes(pid))
        return { mode: 'transaction', keepsStatements: true };
      processIds.set(client, pid);
    }
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === duplicateStatement || code === '26000')
      return { mode: 'transaction', keepsStatements: false };
    // Otherwise there is no server connection for the second client: the first one has it for its session.
  } finally {
    for (const client of clients) void client.end().catch(() => {});
  }
  return { mode: 'session', keepsStatements: true };
}
