/**
 * An SMTP server on loopback whose behavior a test sets: accepts, rejects, does not respond, or disconnects.
 */
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export type MailServerBehavior =
  | { readonly kind: 'accept' }
  /** Accepts each message some time after it has arrived. */
  | { readonly kind: 'accept later'; readonly delayMs: number }
  /** Rejects the connection with this code instead of a greeting. */
  | { readonly kind: 'reject connection'; readonly code: number }
  /** Rejects MAIL FROM with this code. */
  | { readonly kind: 'reject sender'; readonly code: number }
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
  /** Sender of the SMTP envelope. */
  readonly from: string;
  /** Recipients of the SMTP envelope. */
  readonly to: readonly string[];
  readonly raw: string;
  /** True if the connection was encrypted when the message arrived. */
  readonly encrypted: boolean;
}

export interface MailServer {
  readonly url: string;
  /** Messages that arrived completely, regardless of the response. */
  readonly messages: ReceivedMessage[];
  behavior: MailServerBehavior;
  /** The name in the last EHLO. */
  clientName: string;
  /** Resolves as soon as this number of messages has arrived. The last one may still wait for its response. */
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
  const events = new EventEmitter();
  const messages: ReceivedMessage[] = [];
  const disconnectAll = (): void => {
    for (const connection of server.connections) disconnect(connection);
  };
  let current = behavior;
  const mailServer = {
    url: '',
    messages,
    get behavior(): MailServerBehavior {
      return current;
    },
    set behavior(next) {
      current = next;
      // A pooled connection has had its greeting.
      if (next.kind === 'reject connection') disconnectAll();
    },
    clientName: '',
    async arrived(count: number): Promise<void> {
      while (messages.length < count) await once(events, 'message');
    },
    async held(): Promise<void> {
      await once(events, 'held');
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        disconnectAll();
      }),
  };
  const receive = async (
    stream: Readable,
    session: SMTPServerSession,
    callback: (error?: Error) => void,
  ): Promise<void> => {
    messages.push(toMessage(session, await text(stream)));
    if (current.kind === 'accept') callback();
    if (current.kind === 'accept later') setTimeout(callback, current.delayMs);
    if (current.kind === 'reject message') callback(smtpError(current.code));
    if (current.kind === 'disconnect') disconnectAll();
    events.emit('message');
  };
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(password === undefined ? ['AUTH'] : []), ...(encryption ? [] : ['STARTTLS'])],
    disableReverseLookup: true,
    logger: false,
    onAuth: (auth, _session, callback) => {
      if (auth.password === password) callback(null, { user: auth.username });
      else callback(new Error('Invalid username or password'));
    },
    onConnect: (_session, callback) => {
      if (current.kind === 'reject connection') callback(smtpError(current.code));
      else callback();
    },
    onMailFrom: (_address, session, callback) => {
      if (typeof session.hostNameAppearsAs === 'string') mailServer.clientName = session.hostNameAppearsAs;
      if (current.kind === 'reject sender') callback(smtpError(current.code));
      else callback();
    },
    onRcptTo: (_address, _session, callback) => {
      if (current.kind === 'hold recipient') events.emit('held');
      else if (current.kind === 'reject recipient') callback(smtpError(current.code));
      else callback();
    },
    // A sender that gives up in the middle of a message ends the stream with an error.
    onData: (...data) => void receive(...data).catch(() => {}),
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  mailServer.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return mailServer;
}

const smtpError = (responseCode: number): Error => Object.assign(new Error('not today'), { responseCode });

function toMessage({ envelope, secure }: SMTPServerSession, raw: string): ReceivedMessage {
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map((recipient) => recipient.address),
    raw,
    encrypted: secure,
  };
}

/** Closes a connection without a response. The library has no method for it. */
function disconnect(connection: unknown): void {
  (connection as { _socket?: { destroy(): void } })._socket?.destroy();
}
