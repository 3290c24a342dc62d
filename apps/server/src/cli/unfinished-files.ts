/** Removes incomplete files and scratch directories when the process ends. */
import fs from 'node:fs';

const unfinished = new Set<string>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const removeAll = (): void => {
  for (const file of unfinished) fs.rmSync(file, { recursive: true, force: true, maxRetries: 3 });
};

const removeAndEnd = (signal: NodeJS.Signals): void => {
  removeAll();
  // Ends the process as the signal would have done without this handler, also during a blocked read.
  for (const each of signals) process.off(each, removeAndEnd);
  process.kill(process.pid, signal);
};

/**
 * Removes the file or directory if the process exits or receives a signal.
 *
 * @returns a function that ends this
 */
export function removeOnExit(file: string): () => void {
  if (unfinished.size === 0) {
    process.on('exit', removeAll);
    for (const signal of signals) process.on(signal, removeAndEnd);
  }
  unfinished.add(file);
  return () => {
    unfinished.delete(file);
    if (unfinished.size > 0) return;
    process.off('exit', removeAll);
    for (const signal of signals) process.off(signal, removeAndEnd);
  };
}
