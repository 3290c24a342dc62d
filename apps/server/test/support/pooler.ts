/**
 * A TCP proxy that behaves like a connection pooler: it sends its own process IDs and secret keys to clients
 * and translates a CancelRequest for them to the server connection (PostgreSQL manual, "Message Formats").
 */
import { startProxy, type TcpProxy } from '@lanternrock/testing/tcp-proxy';

export interface Pooler extends Pick<TcpProxy, 'port' | 'close'> {
  /** Number of CancelRequests that matched a connection. */
  canceled(): number;
}

const cancelRequestCode = 80_877_102;
/** BackendKeyData: `K`, a length of 12, process ID, secret key. */
const keyHead = Buffer.of(0x4b, 0, 0, 0, 12);
const [query, parse] = [0x51, 0x50];

/**
 * Starts the proxy.
 *
 * @param processId what every client receives instead of the real one; the secret keys differ
 */
export async function startPooler(targetPort: number, processId: number): Promise<Pooler> {
  /** Real process ID and secret key, by the secret key of the client. */
  const realKeys = new Map<number, Buffer>();
  let canceled = 0;

  const withOwnKey = (bytes: Buffer): Buffer => {
    const at = bytes.indexOf(keyHead);
    if (at < 0) return bytes;
    const secret = realKeys.size + 1;
    realKeys.set(secret, Buffer.from(bytes.subarray(at + 5, at + 13)));
    const changed = Buffer.from(bytes);
    changed.writeInt32BE(processId, at + 5);
    changed.writeInt32BE(secret, at + 9);
    return changed;
  };
  const realCancel = (bytes: Buffer): Buffer | null => {
    const key = realKeys.get(bytes.readInt32BE(12));
    if (bytes.readInt32BE(8) !== processId || !key) return null;
    canceled += 1;
    return Buffer.concat([bytes.subarray(0, 8), key]);
  };
  const proxy = await startProxy(targetPort, () => {
    let queried = false;
    return {
      toServer: (bytes) => {
        if (bytes.length === 16 && bytes.readInt32BE(4) === cancelRequestCode) return realCancel(bytes);
        // The keys arrive before the first query.
        queried ||= bytes[0] === query || bytes[0] === parse;
        return bytes;
      },
      toClient: (bytes) => (queried ? bytes : withOwnKey(bytes)),
    };
  });
  return { port: proxy.port, close: proxy.close, canceled: () => canceled };
}
