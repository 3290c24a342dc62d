/** The client of the driver, which can demand the channel binding of SCRAM as libpq does. */
import pg from 'pg';
import { wireConnection } from './connection.ts';
import { OperationalError, toDatabaseError } from './errors.ts';

export interface ClientSettings extends pg.ClientConfig {
  /** True: the server must prove that the TLS connection ends there (`channel_binding=require`). */
  readonly requiresChannelBinding?: boolean;
}

export class Client extends pg.Client {
  constructor(settings: ClientSettings = {}) {
    super(settings);
    if (settings.requiresChannelBinding) requireChannelBinding(this);
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
        'Use a password in this form on the server, without a pooler that lacks it, or channel_binding=prefer.',
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
