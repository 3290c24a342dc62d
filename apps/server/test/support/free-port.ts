import { randomInt } from 'node:crypto';
import net from 'node:net';

/**
 * A port on loopback that nobody listened on a moment ago. It lies below those that the system hands out by
 * itself, so that no connection takes it before whoever asked listens there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
