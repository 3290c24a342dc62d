import type { ImportResult, ImportRow } from '@lanternrock/contract/account-import';
import { describe, expect, it, vi } from 'vitest';
import { countOutcomes, createDryRun, createImport } from './import-run.ts';

const signal = new AbortController().signal;

const rowsOf = (count: number, cells: Partial<ImportRow> = {}): ImportRow[] =>
  Array.from({ length: count }, (_, index) => ({
    line: index + 2,
    name: `Account ${index}`,
    account_type: 'enterprise',
    ...cells,
  }));

const creates = async (rows: readonly ImportRow[]): Promise<readonly ImportResult[]> =>
  rows.map(({ line }) => ({ line, outcome: 'created' }));

describe('a run', () => {
  it('sends batches of at most 500 rows and 1 MB, in the order of the file', async () => {
    const send = vi.fn(creates);
    const run = createDryRun(rowsOf(1200), send);
    await run.proceed(signal, () => {});
    expect(send.mock.calls.map(([rows]) => rows.length)).toEqual([500, 500, 200]);
    expect(run.results.map(({ line }) => line)).toEqual(rowsOf(1200).map(({ line }) => line));
    const large = vi.fn(creates);
    await createDryRun(rowsOf(100, { address: 'ä'.repeat(16_000) }), large).proceed(signal, () => {});
    const sizes = large.mock.calls.map(([rows]) => new TextEncoder().encode(JSON.stringify(rows)).length);
    expect(Math.max(...sizes)).toBeLessThan(1_010_000);
    expect(sizes.length).toBe(4);
  });

  it('rejects broken rows itself, and rows of different batches that name the same account', async () => {
    const rows = [
      ...rowsOf(600),
      { line: 900, reason: 'The row has 1 cells' },
      { ...rowsOf(1)[0], line: 901 },
    ];
    const run = createDryRun(rows as ImportRow[], creates);
    await run.proceed(signal, () => {});
    expect(countOutcomes(run.results)).toEqual({ created: 600, changed: 0, unchanged: 0, rejected: 2 });
    expect(run.results.slice(-2).map(({ reason }) => reason)).toEqual([
      'The row has 1 cells',
      'Line 901 names the same account as line 2',
    ]);
  });

  it('continues after the last confirmed batch, and knows rows whose response was lost', async () => {
    const plan = createDryRun(rowsOf(1200), creates);
    await plan.proceed(signal, () => {});
    let calls = 0;
    const send = vi.fn(async (rows: readonly ImportRow[]): Promise<readonly ImportResult[]> => {
      calls += 1;
      if (calls === 2) throw new Error('lost');
      return rows.map(({ line }) => ({
        line,
        outcome: calls === 3 ? 'unchanged' : 'created',
        id: String(line),
      }));
    });
    const run = createImport(plan, send);
    await expect(run.proceed(signal, () => {})).rejects.toThrow('lost');
    expect(run.results).toHaveLength(500);
    await run.proceed(signal, () => {});
    expect(send.mock.calls.map(([rows]) => rows[0]?.line)).toEqual([2, 502, 502, 1002]);
    expect(countOutcomes(run.results)).toEqual({ created: 1200, changed: 0, unchanged: 0, rejected: 0 });
  });

  it('does not send rows that need no change', async () => {
    const outcomes = ['created', 'unchanged', 'changed', 'rejected'] as const;
    const plan = createDryRun(rowsOf(4), async (rows) =>
      rows.map(({ line }, index) => ({ line, outcome: outcomes[index] ?? 'rejected', id: `id ${line}` })),
    );
    await plan.proceed(signal, () => {});
    const send = vi.fn(creates);
    const run = createImport(plan, send);
    await run.proceed(signal, () => {});
    expect(send.mock.calls.map(([rows]) => rows.map(({ line }) => line))).toEqual([[2, 4]]);
    expect(run.results.map(({ outcome }) => outcome)).toEqual([
      'created',
      'unchanged',
      'created',
      'rejected',
    ]);
  });

  it('keeps no result of a batch that arrives after it is canceled', async () => {
    const abort = new AbortController();
    const run = createDryRun(rowsOf(3), async (rows) => {
      abort.abort();
      return creates(rows);
    });
    await expect(run.proceed(abort.signal, () => {})).rejects.toThrow('aborted');
    expect(run.results).toEqual([]);
  });
});
