/** Writers that continue through a fault and record the acknowledged rows. */
import { expect } from 'vitest';
import type { Instance } from '../../../../e2e/support/instance.ts';
import { accountRow, storedIds, type ApiClient } from './api-client.ts';

export interface WriteLoad {
  /** IDs of rows whose creation returned 201. */
  readonly acknowledged: readonly string[];
  /** Counts of all other responses by status; `none` without a response. */
  readonly rejected: ReadonlyMap<string, number>;
  /** Resolves with the next acknowledged row. */
  next(): Promise<void>;
  /** Returns the acknowledged rows that are not stored. */
  lost(): Promise<string[]>;
  stop(): Promise<void>;
}

export function startWriteLoad(client: ApiClient, writers = 2): WriteLoad {
  const acknowledged: string[] = [];
  const rejected = new Map<string, number>();
  let waiting: (() => void)[] = [];
  const state = { stopped: false };
  const write = async (): Promise<void> => {
    while (!state.stopped) {
      const outcome = await attempt(client, `Account ${acknowledged.length}`);
      if (outcome.id) {
        acknowledged.push(outcome.id);
        for (const resolve of waiting.splice(0)) resolve();
      } else {
        rejected.set(outcome.status, (rejected.get(outcome.status) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const running = Array.from({ length: writers }, write);
  return {
    acknowledged,
    rejected,
    next: () => new Promise((resolve) => (waiting = [...waiting, resolve])),
    lost: async () => {
      const stored = new Set(await storedIds(client));
      return acknowledged.filter((id) => !stored.has(id));
    },
    stop: async () => {
      state.stopped = true;
      await Promise.all(running);
    },
  };
}

async function attempt(client: ApiClient, name: string): Promise<{ id?: string; status: string }> {
  try {
    const response = await client.call('/rest/v1/accounts?select=id', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'return=representation' },
      body: JSON.stringify(accountRow(client, name)),
    });
    const body = (await response.json()) as { id: string }[];
    return response.status === 201 && body[0]
      ? { id: body[0].id, status: '201' }
      : // An internal error is a defect, so its cause is kept for the message of the test.
        { status: response.status === 500 ? `500 ${JSON.stringify(body)}` : String(response.status) };
  } catch {
    return { status: 'none' };
  }
}

/** The statuses that a client may receive during a fault: database unavailable, or no free connection. */
const allowedStatuses = ['503', '504'];

/**
 * Ends the writers after a fault. Measures the time until the next acknowledged row and prints the result. Expects that
 * no acknowledged row is lost, and that all other responses have an allowed status.
 *
 * @param name the name of the fault in the table of docs/operations.md
 */
export async function finishWriteLoad(load: WriteLoad, name: string): Promise<void> {
  const faultEndMs = performance.now();
  await load.next();
  const recoveryMs = performance.now() - faultEndMs;
  await load.stop();
  const lost = await load.lost();
  reportFault(name, load, lost, recoveryMs);
  const unexpected = [...load.rejected.keys()].filter((status) => !allowedStatuses.includes(status));
  expect({ lost, unexpected }).toEqual({ lost: [], unexpected: [] });
}

/** Prints one row of the table in docs/operations.md. */
export function reportFault(
  fault: string,
  load: WriteLoad,
  lost: readonly string[],
  recoveryMs: number,
): void {
  const rejected = [...load.rejected].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  console.log(
    `| ${fault} | ${load.acknowledged.length} | ${lost.length} | ${rejected} | ${Math.round(recoveryMs)} ms |`,
  );
}

export const isAlive = (instance: Instance): boolean => {
  try {
    return process.kill(instance.pid, 0);
  } catch {
    return false;
  }
};
