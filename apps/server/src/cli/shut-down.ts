/** Shuts the service down gracefully on the first signal, and kills the process on a later one or after a timeout. */
import type { Logger } from 'pino';
import type { Server } from '../http/server.ts';
import type { Service } from '../service.ts';

/** More than all waits of a shutdown together (requests 10 s, emails 12 s, database 15 s), in milliseconds. */
const maxShutdownMs = 45_000;
/** npm and the terminal both send the signal of one Ctrl+C. */
const sameSignalMs = 1000;

/** SIGHUP means that the terminal was closed. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Handles the signals: the first one shuts down gracefully, a later one kills the process. During the start, before the
 * service has accepted a request, the first one ends the process immediately: committed rows are durable. This needs a
 * handler, too, because the process with the ID 1 of a container ignores signals without one.
 *
 * @returns a function to call when the service has started
 */
export function handleSignals(log: Logger): (server: Server, service: Service) => void {
  let startedAt: number | null = null;
  let running: { readonly server: Server; readonly service: Service } | null = null;
  /** Not `process.exit`, which would wait for a thread that waits for a disk that does not respond. */
  const kill = (message: string): void => {
    log.fatal(message);
    process.kill(process.pid, 'SIGKILL');
    // The process with the ID 1 of a container cannot kill itself.
    process.exit(1);
  };
  const shutDown = async (): Promise<void> => {
    setTimeout(kill, maxShutdownMs, 'shutdown timed out; killing the process').unref();
    if (running) {
      running.service.startDraining();
      await running.server.drain();
      await running.service.close();
    }
    process.exit(0);
  };
  const receive = (signal: NodeJS.Signals): void => {
    if (startedAt === null) {
      startedAt = performance.now();
      log.info({ signal }, 'stopping');
      void shutDown();
    } else if (performance.now() - startedAt > sameSignalMs) {
      kill('second signal; killing the process');
    }
  };
  for (const signal of signals) process.on(signal, receive);
  return (server, service) => {
    running = { server, service };
  };
}
