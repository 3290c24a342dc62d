/**
 * An SMTP server on loopback whose behavior a test sets: accepts, rejects, does not respond, or disconnects.
 */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export type MailServerBehavior =
  | { readonly kind: 'accept' }
  /** Rejects RCPT TO with this code. */
  | { readonly kind: 'reject recipient'; readonly code: number }
  /** Never responds to RCPT TO, so that the message stays with its sender. */
  | { readonly kind: 'hold recipient' }
  /** Rejects the message after DATA with this code. */
  | { readonly kind: 'reject message'; readonly code: number }
  /** Receives the message and never responds. */
  | { readonly kind: 'no response' }
  /** Receives the message and closes the connection without a response. */
  | { readonly kind: 'disconnect' };

interface ReceivedMessage {
  /** SMTP envelope. */
  readonly from: string;
  /** True if the connection was encrypted when the message arrived. */
  readonly encrypted: boolean;
  readonly to: readonly string[];
  readonly raw: string;
}

export interface MailServer {
  readonly url: string;
  /** Messages that arrived completely, regardless of the response. */
  readonly messages: ReceivedMessage[];
  behavior: MailServerBehavior;
  /** Resolves while a message waits for its response. */
  arrived(count: number): Promise<void>;
  /** Resolves as soon as a sender waits for the response to RCPT TO. */
  held(): Promise<void>;
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** When set, the server accepts messages only after a sign-in with this password. */
  readonly password?: string;
  /** Offers STARTTLS with a self-signed certificate. */
  readonly encryption?: boolean;
  /** Port to listen on (default: a free one), for a server that restarts on the same port. */
  readonly port?: number;
}

export async function startMailServer(
  behavior: MailServerBehavior = { kind: 'accept' },
  { password, encryption = false, port = 0 }: MailServerOptions = {},
): Promise<MailServer> {
  const messages: ReceivedMessage[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const holding: (() => void)[] = [];
  const smtpError = (responseCode: number): Error => Object.assign(new Error('not today'), { responseCode });
  const self: MailServer = {
    url: '',
    messages,
    behavior,
    arrived: (count) =>
      new Promise((resolve) => {
        if (messages.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    held: () => new Promise((resolve) => holding.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of server.connections) hangUp(connection);
      }),
  };
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(password === undefined ? ['AUTH'] : []), ...(encryption ? [] : ['STARTTLS'])],
    onAuth: (auth, _session, callback) => {
      if (auth.password === password) callback(null, { user: auth.username });
      else callback(new Error('Invalid username or password'));
    },
    disableReverseLookup: true,
    logger: false,
    onRcptTo: (_address, _session, callback) => {
      if (self.behavior.kind === 'hold recipient') for (const resolve of holding.splice(0)) resolve();
      else callback(self.behavior.kind === 'reject recipient' ? smtpError(self.behavior.code) : null);
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        messages.push(toMessage(session, chunks));
        for (const { count, resolve } of waiting) if (messages.length >= count) resolve();
        const { behavior } = self;
        if (behavior.kind === 'accept') callback(null);
        if (behavior.kind === 'reject message') callback(smtpError(behavior.code));
        if (behavior.kind === 'disconnect') for (const connection of server.connections) hangUp(connection);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const listener = server.server.address() as AddressInfo;
  return Object.assign(self, { url: `smtp://127.0.0.1:${listener.port}` });
}

function toMessage(session: SMTPServerSession, chunks: readonly Buffer[]): ReceivedMessage {
  const { mailFrom, rcptTo } = session.envelope;
  return {
    encrypted: session.secure,
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map((recipient) => recipient.address),
    raw: Buffer.concat(chunks).toString('utf8'),
  };
}

function hangUp(connection: unknown): void {
  (connection as { _socket?: { destroy(): void } })._socket?.destroy();
}
