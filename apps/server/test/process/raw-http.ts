/** Raw bytes on a socket, for requests that no client library sends. */
import net from 'node:net';
import type { Instance } from '../../../../e2e/support/instance.ts';

export interface RawResponse {
  /** Status of every received response, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** True if the service closed the connection. */
  readonly closed: boolean;
}

export function connectTo(instance: Instance): net.Socket {
  const { hostname, port } = new URL(instance.url);
  return net.connect(Number(port), hostname);
}

/**
 * Sends the bytes and reads until the service closes the connection, or until nothing arrives for `timeoutMs`
 * milliseconds.
 */
export async function sendRaw(instance: Instance, bytes: string, timeoutMs = 20_000): Promise<RawResponse> {
  const socket = connectTo(instance);
  const chunks: Buffer[] = [];
  const closed = await new Promise<boolean>((resolve) => {
    socket.setTimeout(timeoutMs, () => resolve(false));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => resolve(true)).on('close', () => resolve(true));
    socket.write(bytes, 'latin1');
  });
  socket.destroy();
  const text = Buffer.concat(chunks).toString('latin1');
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
  return { statuses, text, closed };
}
