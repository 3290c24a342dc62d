import type { Database } from './database.ts';
import { OperationalError } from './errors.ts';
import { listen, type Subscription } from './listen.ts';
import { openPool } from './pool.ts';
import { sql } from './database.ts';

export interface ExternalOptions {
  /** DATABASE_URL, as libpq reads it. */
  readonly url: string;
  readonly poolSize: number;
  /** Longest wait for a free connection, in milliseconds. */
  readonly waitLimit: number;
  /** Longest wait for one answer, in milliseconds; beyond it the connection counts as lost. */
  readonly answerLimit?: number;
  readonly onConnectionError: (error: Error) => void;
}

/** Oldest Postgres on which the migrations run. */
const oldestVersion = 150_000;

/** Connects to a Postgres that somebody else runs. */
export async function openExternal(options: ExternalOptions): Promise<Database> {
  const { onConnectionError } = options;
  const client = { connectionString: options.url, application_name: 'lanternrock' };
  const listening: Subscription[] = [];
  const database = await openPool({
    engine: 'postgres',
    client,
    size: options.poolSize,
    waitLimit: options.waitLimit,
    onConnectionError,
    ...(options.answerLimit === undefined ? {} : { answerLimit: options.answerLimit }),
  });
  if (database.version < oldestVersion) {
    await database.close();
    throw new OperationalError(
      `DATABASE_URL leads to Postgres ${Math.floor(database.version / 10_000)}; 15 or newer is needed.`,
    );
  }
  return {
    ...database,
    snapshot: (work) =>
      database.maintenance(async (tx) => {
        await tx.query(sql`set transaction isolation level repeatable read read only`);
        return work(tx);
      }),
    // In transaction mode the server connection that listens is another client's a moment later.
    ...(database.pooling !== 'transaction' && {
      listen: (channel: string, onNotification: (payload: string | null) => void) => {
        listening.push(
          listen({ client, channel, onNotification, onConnectionError, endLimit: options.answerLimit }),
        );
      },
    }),
    close: async () => {
      await Promise.all(listening.map((one) => one.stop()));
      await database.close();
    },
  };
}
