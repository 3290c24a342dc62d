import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const timeoutMs = 60_000;

/**
 * Waits until a newly started server accepts requests. Call it in the same turn as `spawn`, which reports a missing program
 * as an event.
 *
 * @param probe returns true if the server responds
 * @throws Error if the process cannot be started, exits, or does not accept requests within a minute
 */
export async function waitUntilAccepting(server: ChildProcess, probe: () => Promise<boolean>): Promise<void> {
  let spawnError: Error | null = null;
  server.once('error', (error) => {
    spawnError = error;
  });
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    if (spawnError) throw spawnError;
    const exit = server.exitCode ?? server.signalCode;
    if (exit !== null) throw new Error(`${server.spawnfile} exited with ${exit} before it accepted requests`);
    if (await probe()) return;
    await delay(50);
  }
  throw new Error(`${server.spawnfile} did not accept requests within a minute`);
}
