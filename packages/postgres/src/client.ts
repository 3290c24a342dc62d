/** The client of the driver, with the TLS and the channel binding of libpq, and the connections outside the pool. */
import net from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { wireConnection } from './wire-connection.ts';
import { OperationalError, toDatabaseError } from './errors.ts';

/** Returns TLS options for a new connection; false for a connection without TLS. */
export type Tls = (() => ConnectionOptions) | false;

export interface ClientSettings extends Omit<pg.ClientConfig, 'ssl'> {
  ssl?: Tls | undefined;
  /** True: the server must prove that the TLS connection ends there (`channel_binding=require`). */
  readonly requiresChannelBinding?: boolean;
}

export class Client extends pg.Client {
  constructor(settings: ClientSettings = {}) {
    super(withTls(settings));
    if (settings.requiresChannelBinding) requireChannelBinding(this);
  }
}

/** Reads the TLS options. If that fails, the attempt to connect fails with its error. */
function withTls({ ssl, ...settings }: ClientSettings): pg.ClientConfig {
  if (!ssl) return { ...settings, ssl: false };
  try {
    return { ...settings, ssl: ssl() };
  } catch (error) {
    const stream = new net.Socket();
    stream.connect = () => stream.destroy(error instanceof Error ? error : new Error(String(error)));
    return { ...settings, ssl: true, stream: () => stream };
  }
}

/**
 * Opens a connection outside the pool, passes it to `work` and closes it.
 *
 * @param timeoutMs maximum time to connect, in milliseconds
 * @throws QueryError
 * @throws DatabaseUnavailableError
 */
export async function withNewConnection<T>(
  settings: ClientSettings,
  timeoutMs: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ ...settings, connectionTimeoutMillis: timeoutMs });
  // Without this handler a lost connection would crash the process. `work` gets the error as well.
  client.on('error', () => {});
  try {
    await client.connect().catch((error: unknown) => {
      throw toDatabaseError(error, 'connecting');
    });
    return await work(client);
  } finally {
    void client.end().catch(() => {});
  }
}

/** Maximum time of a cancel connection, in milliseconds. */
const cancelTimeoutMs = 2000;

/** BackendKeyData of the wire protocol. */
interface BackendKey {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** Returns the process ID from the server or pooler, or null if it sent none. */
export const findProcessId = (client: pg.ClientBase): number | null =>
  (client as unknown as BackendKey).processID;

interface CancelConnection {
  startup(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Cancels the running statement of a connection with a CancelRequest. Process ID and secret key must both match, so an
 * invented process ID of a pooler never cancels a statement of another client. If the request fails, or a pooler does
 * not forward it, the statement runs until its statement timeout.
 */
export async function cancelStatement(
  client: pg.PoolClient,
  settings: ClientSettings,
  onConnectionError: (error: Error) => void,
): Promise<void> {
  const { processID, secretKey } = client as unknown as BackendKey;
  if (processID === null || secretKey === null) return;
  const canceler = new Client({ ...settings, connectionTimeoutMillis: cancelTimeoutMs });
  canceler.on('error', onConnectionError);
  const { connection } = canceler as unknown as { readonly connection: CancelConnection };
  let sent = false;
  // Replaces the startup message, so that host and TLS are those of every other connection.
  connection.startup = () => {
    sent = true;
    connection.cancel(processID, secretKey);
  };
  try {
    await canceler.connect();
  } catch (error) {
    // The server closes the connection in response to the request, which the driver reports as an error.
    if (!sent) onConnectionError(error instanceof Error ? error : new Error(String(error)));
  }
}

interface SaslRequest {
  readonly mechanisms: readonly string[];
}

/** The driver offers channel binding, but accepts a server without. These listeners precede those of the driver. */
function requireChannelBinding(client: pg.Client): void {
  const connection = wireConnection(client);
  let isBound = false;
  const refuse = (): void => {
    const error = new OperationalError(
      'DATABASE_URL: channel_binding=require: the server does not authenticate with SCRAM-SHA-256-PLUS. ' +
        'Store the password in this form on the server and use no pooler without it, or set channel_binding=prefer.',
    );
    // A server that asks for no password reports in the same packet that it is ready.
    connection.removeAllListeners('readyForQuery');
    connection.emit('error', error);
    connection.stream.destroy(error);
  };
  connection
    .on('authenticationCleartextPassword', refuse)
    .on('authenticationMD5Password', refuse)
    .on('authenticationSASL', (request: SaslRequest) => {
      isBound = request.mechanisms.includes('SCRAM-SHA-256-PLUS');
      if (!isBound) refuse();
    })
    .on('authenticationOk', () => {
      if (!isBound) refuse();
    });
}
