/** Receives notifications of an external Postgres on a dedicated connection and reconnects after a loss. */
import pg from 'pg';
import { Client, type ClientSettings } from './client.ts';
import { closeWithin, withResultTimeout } from './wire-connection.ts';
import { randomLifetimeMs } from './connection-pool.ts';
import { applySessionSettings } from './session-settings.ts';

export interface Subscription {
  /** Replaces the connection, because its address can lead to another server now. */
  reconnect(): void;
  /** Closes the connection and does not reconnect. */
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly client: ClientSettings;
  /** A plain lower-case name. */
  readonly channel: string;
  /** Receives the payload, or null after a reconnect, when notifications may have been missed. */
  readonly onNotification: (payload: string | null) => void;
  readonly onConnectionError: (error: Error) => void;
  /** Maximum wait until the connection is closed, in milliseconds; undefined waits without a limit. */
  readonly closeTimeoutMs: number | undefined;
}

/** Milliseconds between two attempts to connect. */
const reconnectDelayMs = 2000;
/** Maximum wait for a connection and for each of its results, in milliseconds. */
const resultTimeoutMs = 10_000;
/** Maximum wait until a replaced connection is closed, in milliseconds. */
const replaceTimeoutMs = 1000;

/** Subscribes in the background: the startup of the service does not wait for the connection. */
export function listen(options: ListenOptions): Subscription {
  const { client: settings, channel, onNotification, onConnectionError, closeTimeoutMs } = options;
  let current: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let lost = false;
  /** Message of the last failure, which is not reported again until a connection succeeds. */
  let reported: string | null = null;
  const report = (error: unknown): void => {
    const failure = error instanceof Error ? error : new Error(String(error));
    if (stopped || failure.message === reported) return;
    reported = failure.message;
    onConnectionError(failure);
  };
  // A server that has vanished does not answer.
  const end = async (client: pg.Client): Promise<void> =>
    closeWithin(replaceTimeoutMs, () => [client], client.end()).catch(() => {});
  const endCurrent = (): void => void (current && end(current));

  const connect = async (): Promise<void> => {
    const client = new Client({ ...settings, connectionTimeoutMillis: resultTimeoutMs });
    current = client;
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    client.on('error', report);
    client.once('end', () => {
      clearTimeout(timer);
      if (stopped) return;
      lost = true;
      timer = setTimeout(() => void connect(), reconnectDelayMs);
      timer.unref();
    });
    try {
      await client.connect();
      await withResultTimeout(client, resultTimeoutMs, applySessionSettings(client, 'session'));
      const listening = client.query(`listen ${pg.escapeIdentifier(channel)}`);
      await withResultTimeout(client, resultTimeoutMs, listening);
      reported = null;
      timer = setTimeout(endCurrent, randomLifetimeMs());
      timer.unref();
      if (lost) onNotification(null);
    } catch (error) {
      report(error);
      await end(client);
    }
  };
  const first = connect();
  return {
    reconnect: endCurrent,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      const closed = first.then(() => current?.end()).catch(() => {});
      await closeWithin(closeTimeoutMs, () => (current ? [current] : []), closed);
    },
  };
}
