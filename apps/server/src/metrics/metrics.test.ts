import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { noBackupMetrics } from '../backup/last-backup.ts';
import { createMetrics, registerGauges } from './metrics.ts';

it('runs one query while the database does not respond, and reads it again afterwards', async () => {
  let queries = 0;
  let respond = (_count: number): void => {};
  const metrics = createMetrics();
  registerGauges(metrics, {
    database: { connections: () => ({ open: 1, idle: 0, waiting: 0, restarts: 0 }) },
    queuedHashes: () => 0,
    queuedEmails: async () => ({ count: 0, overdueSeconds: 0 }),
    lastBackup: async () => noBackupMetrics,
    unsealedEntries: () => {
      queries += 1;
      return new Promise((resolve) => (respond = resolve));
    },
  });
  const read = async (): Promise<number> => {
    const metric = metrics.registry.getSingleMetric('lanternrock_audit_unsealed');
    return (await metric?.get())?.values[0]?.value ?? 0;
  };
  expect([await read(), await read(), queries]).toEqual([Number.NaN, Number.NaN, 1]);
  respond(5);
  await nextTurn();
  const next = read();
  respond(7);
  expect([await next, queries]).toEqual([7, 2]);
});
