/**
 * Stands before a Postgres as a connection pooler does: it hands out process ids and secrets of its own, and
 * turns a CancelRequest for them into one for the connection behind (PostgreSQL manual, "Message Formats").
 */
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

export interface Pooler extends Pick<TcpProxy, 'port' | 'close'> {
  /** CancelRequests that fitted a connection. */
  cancelled(): number;
}

const cancelCode = 80_877_102;
/** BackendKeyData: `K`, a length of 12, process id, secret. */
const keyHead = Buffer.of(0x4b, 0, 0, 0, 12);
const [query, parse] = [0x51, 0x50];

/** @param processId what every client gets instead of the real one; the secrets differ. */
export async function startPooler(targetPort: number, processId: number): Promise<Pooler> {
  /** Real process id and secret by the secret that was handed out. */
  const realKeys = new Map<number, Buffer>();
  let cancelled = 0;

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
    cancelled += 1;
    return Buffer.concat([bytes.subarray(0, 8), key]);
  };
  const proxy = await startProxy(targetPort, () => {
    let begun = false;
    return {
      toServer: (bytes) => {
        if (bytes.length === 16 && bytes.readInt32BE(4) === cancelCode) return realCancel(bytes);
        // Keys come in the answers before the first query.
        begun ||= bytes[0] === query || bytes[0] === parse;
        return bytes;
      },
      toClient: (bytes) => (begun ? bytes : withOwnKey(bytes)),
    };
  });
  return { port: proxy.port, close: proxy.close, cancelled: () => cancelled };
}
