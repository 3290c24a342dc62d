/** Notifications of an external Postgres, on a connection of their own that comes back after a loss. */
import pg from 'pg';
import { closeWithin } from './connection.ts';

export interface Subscription {
  /** Ends the connection for good. */
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly client: pg.ClientConfig;
  /** A plain lower-case name. */
  readonly channel: string;
  /** The payload; null after a connection came back, when anything may have been missed. */
  readonly onNotification: (payload: string | null) => void;
  readonly onConnectionError: (error: Error) => void;
  /** Longest wait for the end of the connection, in milliseconds. */
  readonly endLimit: number | undefined;
}

/** Between two tries to connect, in milliseconds. */
const pause = 2000;

/** Begins in the background: whoever starts does not wait for it. */
export function listen(options: ListenOptions): Subscription {
  const { client: settings, channel, onNotification, onConnectionError, endLimit } = options;
  let current: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let lost = false;

  const connect = async (): Promise<void> => {
    const client = new pg.Client(settings);
    current = client;
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    client.on('error', onConnectionError);
    client.once('end', () => {
      if (stopped) return;
      lost = true;
      timer = setTimeout(() => void connect(), pause);
      timer.unref();
    });
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (lost) onNotification(null);
    } catch (error) {
      if (!stopped) onConnectionError(error instanceof Error ? error : new Error(String(error)));
      await client.end().catch(() => {});
    }
  };
  const first = connect();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      const end = first.then(() => current?.end()).catch(() => {});
      await closeWithin(endLimit, () => (current ? [current] : []), end);
    },
  };
}
