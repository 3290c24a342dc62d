/** Finds out whether a pooler stands before Postgres, and what it keeps from one transaction to the next. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { duplicateStatement } from './errors.ts';

/** How a pooler assigns server connections: to a client until it leaves, or for one transaction. */
export type PoolingMode = 'none' | 'session' | 'transaction';

export interface Pooling {
  readonly mode: PoolingMode;
  /** True where a statement that was prepared under a name is there for later transactions of the connection. */
  readonly keepsStatements: boolean;
}

/** Maximum wait for one response, in milliseconds. In session mode a pooler with one server connection never answers. */
const timeoutMs = 2000;

/**
 * Which of two connections asks next. Together they meet the same server connection, or one of them meets two,
 * whether the pooler assigns the latest one that became free or goes round two or three of them.
 */
const turns = [0, 0, 1, 1, 0] as const;

/** Two connections prepare one name, and ask by it which server process answers. */
export async function detectPooling(settings: pg.ClientConfig): Promise<Pooling> {
  const clients = [0, 1].map(
    () => new pg.Client({ ...settings, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }),
  );
  const statement = { name: randomUUID(), text: 'select pg_catalog.pg_backend_pid() as pid' };
  const processes = new Map<pg.Client, number>();
  try {
    for (const client of clients) {
      // An error is reported by the query that it ends.
      client.on('error', () => {});
      await client.connect();
    }
    for (const turn of turns) {
      const client = clients[turn];
      const pid = (await client?.query<{ pid: number }>(statement))?.rows[0]?.pid;
      if (!client || pid === undefined) continue;
      const others = [...processes].filter(([other]) => other !== client).map(([, used]) => used);
      if ((processes.get(client) ?? pid) !== pid || others.includes(pid))
        return { mode: 'transaction', keepsStatements: true };
      processes.set(client, pid);
    }
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === duplicateStatement || code === '26000')
      return { mode: 'transaction', keepsStatements: false };
    // No server connection for the second client: the first one has it to itself.
  } finally {
    for (const client of clients) void client.end().catch(() => {});
  }
  return { mode: 'session', keepsStatements: true };
}
