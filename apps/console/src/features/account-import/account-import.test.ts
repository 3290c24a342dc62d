import type { ImportOutcome, ImportResult, ImportRow } from '@lanternrock/contract/account-import';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CsvRow, Phase } from '../../shared/csv-run/csv-list.ts';
import { runBatches } from '../../shared/csv-run/run-batches.ts';
import { accountImport } from './account-import.ts';

type Send = (rows: readonly ImportRow[]) => readonly ImportResult[];

const { send } = vi.hoisted(() => ({ send: vi.fn<Send>() }));
vi.mock('../../api/functions.ts', () => ({
  callFunction: async (_name: string, { rows }: { rows: readonly ImportRow[] }) => ({ results: send(rows) }),
}));

const respond =
  (outcome: ImportOutcome): Send =>
  (rows) =>
    rows.map(({ line }) => ({ line, outcome, ...(outcome === 'created' ? {} : { id: `id ${line}` }) }));
const creates = respond('created');
const fails: Send = () => {
  throw new Error('lost');
};

beforeEach(() => {
  send.mockReset().mockImplementation(creates);
});

const recordsOf = (count: number, address = ''): string[][] =>
  Array.from({ length: count }, (_, index) => [`Account ${index}`, 'enterprise', address]);

const openJob = (records: readonly (readonly string[])[]) =>
  accountImport.createJob(
    {
      name: 'accounts.csv',
      header: ['name', 'type', 'address'],
      records,
      lines: records.map((_, index) => index + 2),
    },
    ['name', 'account_type', 'address'],
  );

type Job = ReturnType<typeof openJob>;

const run = async (job: Job, phase: Phase, start: Job['rows'] = job.rows): Promise<Job['rows']> => {
  let rows = start;
  await runBatches(start, job[phase](), {
    isDue: phase === 'check' ? ({ status }) => status === null : accountImport.isDue,
    signal: new AbortController().signal,
    onProgress: (progress) => ({ rows } = progress),
  }).catch(() => {});
  return rows;
};

const sentLines = (): number[][] => send.mock.calls.map(([rows]) => rows.map(({ line }) => line));
const statusesOf = (rows: readonly CsvRow[]) => rows.map(({ status }) => status);

describe('an import', () => {
  it('sends batches of at most 500 rows and 1 MB, in the order of the file', async () => {
    await run(openJob(recordsOf(1200)), 'check');
    expect(sentLines().map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(sentLines().flat()).toEqual(recordsOf(1200).map((_, index) => index + 2));
    send.mockClear();
    await run(openJob(recordsOf(100, 'ä'.repeat(16_000))), 'check');
    const sizes = send.mock.calls.map(([rows]) => new TextEncoder().encode(JSON.stringify(rows)).length);
    expect(Math.max(...sizes)).toBeLessThan(1_010_000);
    expect(sizes.length).toBe(4);
  });

  it('rejects broken rows itself, and rows of different batches that name the same account', async () => {
    const records = [...recordsOf(600), ['Short'], ...recordsOf(1)];
    const rows = await run(openJob(records), 'check');
    expect(rows.filter(accountImport.isDue)).toHaveLength(600);
    expect(rows.slice(-2)).toMatchObject([
      { status: 'rejected', reason: 'The row has 1 cell, but the header has 3' },
      { status: 'rejected', reason: 'Line 603 names the same account as line 2' },
    ]);
  });

  it('finds repeated rows also in a check that is continued', async () => {
    const job = openJob([...recordsOf(500), ...recordsOf(1)]);
    send.mockImplementationOnce(creates).mockImplementationOnce(fails);
    const rows = await run(job, 'check', await run(job, 'check'));
    expect(rows.at(-1)?.reason).toBe('Line 502 names the same account as line 2');
  });

  it('continues after the last confirmed batch, and knows rows whose response was lost', async () => {
    const job = openJob(recordsOf(1200));
    const checked = await run(job, 'check');
    send.mockClear();
    send.mockImplementationOnce(creates).mockImplementationOnce(fails);
    send.mockImplementationOnce(respond('unchanged'));
    const stopped = await run(job, 'send', checked);
    expect(stopped.filter(({ status }) => status === 'created')).toHaveLength(500);
    const rows = await run(job, 'send', stopped);
    expect(sentLines().map(([line]) => line)).toEqual([2, 502, 502, 1002]);
    expect(new Set(statusesOf(rows))).toEqual(new Set(['created']));
    expect(rows[500]?.id).toBe('id 502');
  });

  it('does not send rows that need no change', async () => {
    const outcomes = ['created', 'unchanged', 'changed', 'rejected'] as const;
    send.mockImplementationOnce((rows) =>
      rows.map(({ line }, index) => ({ line, outcome: outcomes[index] ?? 'rejected', id: `id ${line}` })),
    );
    const job = openJob(recordsOf(4));
    const checked = await run(job, 'check');
    expect(statusesOf(checked)).toEqual(['create', 'unchanged', 'change', 'rejected']);
    send.mockClear();
    const rows = await run(job, 'send', checked);
    expect(sentLines()).toEqual([[2, 4]]);
    expect(statusesOf(rows)).toEqual(['created', 'unchanged', 'created', 'rejected']);
  });
});
