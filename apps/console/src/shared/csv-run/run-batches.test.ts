import { describe, expect, it } from 'vitest';
import type { BatchResult } from './csv-list.ts';
import { runBatches, type BatchProgress } from './run-batches.ts';

interface Row {
  readonly text: string;
  readonly status: string;
}

const due = (...texts: readonly string[]): readonly Row[] => texts.map((text) => ({ text, status: 'due' }));
const toSent = (row: Row): Row => ({ ...row, status: 'sent' });

const run = async (
  start: readonly Row[],
  sendBatch: (batch: readonly Row[], signal: AbortSignal | undefined) => BatchResult<Row>,
  {
    abort = new AbortController(),
    toUnanswered,
  }: { abort?: AbortController; toUnanswered?: (row: Row) => Row } = {},
) => {
  const progress: BatchProgress<Row>[] = [];
  const sending = {
    limits: { rows: 2, bytes: 20 },
    toItem: ({ text }: Row) => text,
    sendBatch: async (...request: Parameters<typeof sendBatch>) => sendBatch(...request),
    ...(toUnanswered && { toUnanswered }),
  };
  const result = await runBatches(start, sending, {
    isDue: ({ status }) => status === 'due',
    signal: abort.signal,
    onProgress: (next) => progress.push(next),
  }).catch((error: unknown) => error);
  const last = progress.at(-1);
  return { result, done: progress.map(({ done }) => done), statuses: last?.rows.map(({ status }) => status) };
};

describe('runBatches', () => {
  it('sends rows that are due in batches of limited number and size, at least one row each', async () => {
    const batches: string[][] = [];
    const long = '🚒'.repeat(9);
    const start = [...due('a', 'b', 'c'), { text: 'x', status: 'sent' }, ...due('d', long, long)];
    const { result, done } = await run(start, (batch) => {
      batches.push(batch.map(({ text }) => text));
      return { rows: batch.map(toSent) };
    });
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], [long], [long]]);
    expect(done).toEqual([0, 2, 5, 6, 7]);
    expect(result).toBeNull();
  });

  it('sends rows without a result again', async () => {
    const { statuses } = await run(due('a', 'b', 'c'), ([row]) => ({ rows: row ? [toSent(row)] : [] }));
    expect(statuses).toEqual(['sent', 'sent', 'sent']);
  });

  it('returns why the service stopped, and keeps the rest due', async () => {
    const send = ([row]: readonly Row[]) => ({
      rows: row ? [toSent(row)] : [],
      stopped: 'The limit is reached.',
    });
    expect(await run(due('a', 'b'), send)).toMatchObject({
      result: 'The limit is reached.',
      statuses: ['sent', 'due'],
    });
  });

  it('rejects a response without results', async () => {
    expect((await run(due('a'), () => ({ rows: [] }))).result).toBeInstanceOf(Error);
  });

  it('keeps the results of the batch during which it is canceled', async () => {
    const abort = new AbortController();
    const send = (batch: readonly Row[]) => {
      abort.abort();
      return { rows: batch.map(toSent) };
    };
    expect((await run(due('a', 'b', 'c'), send, { abort })).statuses).toEqual(['sent', 'sent', 'due']);
  });

  it('keeps earlier results after an error, and marks the rows whose response was lost', async () => {
    const lost = new Error('lost');
    const signals: unknown[] = [];
    const { result, statuses } = await run(
      due('a', 'b', 'c', 'd', 'e'),
      (batch, signal) => {
        signals.push(signal);
        if (batch[0]?.text === 'c') throw lost;
        return { rows: batch.map(toSent) };
      },
      { toUnanswered: (row) => ({ ...row, status: 'lost' }) },
    );
    expect(result).toBe(lost);
    expect(statuses).toEqual(['sent', 'sent', 'lost', 'lost', 'due']);
    // Cancel does not abort a request that must not be repeated.
    expect(signals).toEqual([undefined, undefined]);
  });
});
