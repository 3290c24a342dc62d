/**
 * Stands before a Postgres as a connection pooler does: it hands out process ids and secrets of its own, and
 * turns a CancelRequest for them into one for the connection behind (PostgreSQL manual, "Message Formats").
 */
import net from 'node:net';

export interface Pooler {
  readonly port: number;
  /** CancelRequests that fitted a connection. */
  readonly cancelled: () => number;
  close(): Promise<void>;
}

const cancelCode = 80_877_102;
/** BackendKeyData: `K`, a length of 12, process id, secret. */
const keyHead = Buffer.of(0x4b, 0, 0, 0, 12);

/** @param processId what every client gets instead of the real one; the secrets differ. */
export async function startPooler(targetPort: number, processId: number): Promise<Pooler> {
  const realKeys = new Map<number, Buffer>();
  const sockets = new Set<net.Socket>();
  let counter = 0;
  let cancelled = 0;

  const ownKey = (bytes: Buffer): Buffer => {
    const at = bytes.indexOf(keyHead);
    if (at < 0) return bytes;
    const secret = (counter += 1);
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
  const server = net.createServer((near) => {
    const far = net.connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
    let begun = false;
    far.on('data', (bytes) => void near.write(begun ? bytes : ownKey(bytes)));
    near.on('data', (bytes) => {
      if (bytes.length === 16 && bytes.readInt32BE(4) === cancelCode) {
        const real = realCancel(bytes);
        if (real) far.write(real);
        else near.destroy();
        return;
      }
      far.write(bytes);
      // Keys come in the first answers; the first message after them is a query (`Q` or `P`).
      if (bytes[0] === 0x51 || bytes[0] === 0x50) begun = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    cancelled: () => cancelled,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
