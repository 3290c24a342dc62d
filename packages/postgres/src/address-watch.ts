/**
 * Recognizes that the address of the database leads to another primary while the earlier one does not answer. A host that
 * froze or lost its power resets no connection, so what waits for it would wait for its whole result timeout.
 */
import type pg from 'pg';
import type { ConnectionPool } from './connection-pool.ts';
import type { ServerList } from './server-list.ts';
import { withResultTimeout } from './wire-connection.ts';

const checkIntervalMs = 1000;
/** Work of this duration leads to checks, in milliseconds. Longer work is maintenance. */
const [minWaitMs, maxWaitMs] = [1000, 60_000];
/** Maximum time to connect, and to wait for the result, in milliseconds. */
const checkTimeoutMs = 2000;

export interface AddressWatchOptions {
  readonly connections: ConnectionPool;
  readonly servers: ServerList;
  /** Called after connections to an earlier primary were terminated. */
  readonly onMoved: () => void;
}

/** Returns the time at which the primary was started, which identifies it; null for a standby. */
export async function readPrimary(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ started: string }>(
    `select extract(epoch from pg_catalog.pg_postmaster_start_time())::text as started
      where not pg_catalog.pg_is_in_recovery()`,
  );
  return rows[0]?.started ?? null;
}

/**
 * Checks every second while work waits: opens a connection, and if it leads to another primary than those in the pool,
 * terminates those.
 *
 * @returns a function that ends the checks
 */
export function watchAddress({ connections, servers, onMoved }: AddressWatchOptions): () => void {
  let checking = false;
  const check = async (): Promise<void> => {
    if (checking || !connections.isWaiting(minWaitMs, maxWaitMs)) return;
    checking = true;
    try {
      const primary = await servers.ask(
        checkTimeoutMs,
        (asked) => withResultTimeout(asked, checkTimeoutMs, readPrimary(asked)),
        (found) => found !== null,
      );
      if (primary !== null && connections.terminateOthers(primary)) onMoved();
    } catch {
      // There is no other server yet, or it accepts no further connection.
    } finally {
      checking = false;
    }
  };
  const timer = setInterval(() => void check(), checkIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
