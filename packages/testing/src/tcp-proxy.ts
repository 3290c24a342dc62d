/** A proxy between the service and a server on loopback that simulates network faults. */
import net from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Destroys every connection immediately, without a FIN. */
  reset(): void;
  /** Resets every connection and accepts no other, like a server that has ended. */
  refuse(): void;
  /** Holds all bytes back, in both directions, until `flow`. */
  stall(): void;
  /** Holds back only those of the connections that are open now, as if their server had vanished. */
  stallOpen(): void;
  flow(): void;
  /** Forwards new connections to another port, like an address that moves to another server. */
  moveTo(targetPort: number): void;
  close(): Promise<void>;
}

/** Translates the bytes of one connection in a proxy that speaks the protocol; null resets the connection. */
interface Translation {
  readonly toServer: (bytes: Buffer) => Buffer | null;
  readonly toClient: (bytes: Buffer) => Buffer | null;
}

const passThrough = (bytes: Buffer): Buffer => bytes;
const passAllThrough = (): Translation => ({ toServer: passThrough, toClient: passThrough });

/**
 * Starts the proxy.
 *
 * @param translate called for each new connection
 */
export async function startProxy(firstTarget: number, translate = passAllThrough): Promise<TcpProxy> {
  let targetPort = firstTarget;
  const sockets = new Set<net.Socket>();
  let stalled = false;
  const server = net.createServer((clientSocket) => {
    const serverSocket = net.connect(targetPort, '127.0.0.1');
    const { toServer, toClient } = translate();
    for (const [from, to, translateBytes] of [
      [clientSocket, serverSocket, toServer],
      [serverSocket, clientSocket, toClient],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.once('close', () => sockets.delete(from));
      from.on('data', (bytes: Buffer) => {
        const sent = translateBytes(bytes);
        if (sent) return void to.write(sent);
        for (const socket of [clientSocket, serverSocket]) socket.resetAndDestroy();
      });
      if (stalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stallOpen = (): void => {
    for (const socket of sockets) socket.pause();
  };
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    reset,
    refuse: () => {
      server.close();
      reset();
    },
    stall: () => {
      stalled = true;
      stallOpen();
    },
    stallOpen,
    flow: () => {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    moveTo: (port) => {
      targetPort = port;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
