/** Shuts the service down on a signal of the operating system. */
import type { Server } from '../http/server.ts';
import type { Service } from '../service.ts';

/** More than all waits of a shutdown together (requests 10 s, emails 12 s, database 15 s), in milliseconds. */
const maxShutdownMs = 45_000;
/** npm and the terminal both send the signal of one Ctrl+C. */
const sameSignalMs = 1000;

/** SIGHUP means that the terminal was closed. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The first signal shuts down gracefully, a later one kills the process. */
export function shutDownOnSignals(server: Server, service: Service): void {
  let startedAt: number | null = null;
  /** Not `process.exit`, which would wait for a thread that waits for a disk that does not respond. */
  const kill = (message: string): void => {
    service.log.fatal(message);
    process.kill(process.pid, 'SIGKILL');
  };
  const shutDown = async (): Promise<void> => {
    setTimeout(kill, maxShutdownMs, 'shutdown timed out; killing the process').unref();
    service.startDraining();
    await server.drain();
    await service.close();
    process.exit(0);
  };
  const receive = (signal: NodeJS.Signals): void => {
    if (startedAt === null) {
      startedAt = performance.now();
      service.log.info({ signal }, 'stopping');
      void shutDown();
    } else if (performance.now() - startedAt > sameSignalMs) {
      kill('second signal; killing the process');
    }
  };
  for (const signal of signals) process.on(signal, receive);
}
