import {
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
  toImportFileName,
  type UndoImportResponse,
} from '@lanternrock/contract/account-import';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CsvRow, Phase, WordChoices } from '../../shared/csv-run/csv-list.ts';
import { runBatches } from '../../shared/csv-run/run-batches.ts';
import { accountImport } from './account-import.ts';

type Send = (rows: readonly ImportRow[]) => readonly ImportResult[];

interface Body {
  readonly rows: readonly ImportRow[];
  readonly import_id?: string;
  readonly default_type?: string;
  readonly after?: string;
}

const { send, undo, bodies } = vi.hoisted(() => ({
  send: vi.fn<Send>(),
  undo: vi.fn<(body: Body) => UndoImportResponse>(),
  bodies: [] as Body[],
}));
vi.mock('../../api/functions.ts', () => ({
  callFunction: async (name: string, body: Body) => {
    bodies.push(body);
    return name === 'undo-import' ? undo(body) : { results: send(body.rows) };
  },
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
  undo.mockReset();
  bodies.length = 0;
});

const recordsOf = (count: number, address = ''): string[][] =>
  Array.from({ length: count }, (_, index) => [`Account ${index}`, 'enterprise', address]);

const noWords: WordChoices = { words: new Map(), others: null };

const openJob = (records: readonly (readonly string[])[], words = noWords) =>
  accountImport.createJob(
    {
      name: 'accounts.csv',
      header: ['name', 'type', 'address'],
      hasHeader: true,
      records,
      lines: records.map((_, index) => index + 2),
      reading: { text: null, workbook: null },
    },
    ['name', 'account_type', 'address'],
    words,
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

it('names the file to the service, without characters that it rejects', async () => {
  await run(openJob(recordsOf(1)), 'send', await run(openJob(recordsOf(1)), 'check'));
  expect(bodies.at(-1)).toMatchObject({ dry_run: false, file_name: 'accounts.csv' });
  expect(toImportFileName(' a\nb\u202ec.csv ')).toBe('a b c.csv');
  expect(toImportFileName('🚒'.repeat(300))).toBe('🚒'.repeat(255));
  expect(toImportFileName('\ud800')).toBeUndefined();
});

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
    const records = [...recordsOf(600), ['Long', 'enterprise', '', 'more'], ...recordsOf(1)];
    const rows = await run(openJob(records), 'check');
    expect(rows.filter(accountImport.isDue)).toHaveLength(600);
    expect(rows.slice(-2)).toMatchObject([
      { status: 'rejected', reason: 'The row has 4 cells, but the header has 3: "more" is in no column' },
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

  it('sends rows without a result again', async () => {
    send.mockImplementation((rows) => creates(rows.slice(0, 400)));
    const rows = await run(openJob(recordsOf(1000)), 'check');
    expect(sentLines().map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(new Set(statusesOf(rows))).toEqual(new Set(['create']));
  });

  it('maps the words of the file to types, and sends the type of rows without one', async () => {
    const words = new Map([
      ['verein', 'organization'],
      ['test', 'none'],
    ]);
    const records = [
      ['A', 'VEREIN'],
      ['B', 'Enterprise'],
      ['C', ''],
      ['D', 'Test'],
      ['E', 'Firma'],
    ];
    const job = openJob(records, { words, others: 'enterprise' });
    const rows = await run(job, 'check');
    expect(send.mock.calls[0]?.[0].map(({ account_type }) => account_type)).toEqual([
      'organization',
      'enterprise',
      undefined,
      undefined,
    ]);
    expect(rows[3]).toMatchObject({
      status: 'excluded',
      reason: 'Not imported: its type is "Test"',
      input: { name: 'D' },
    });
    expect(bodies[0]).toMatchObject({ default_type: 'enterprise', compare_spelling: true, dry_run: true });
  });

  it('asks about rows that look like another account or change one by its name, and sends those that are chosen', async () => {
    const changes = [{ field: 'address', before: null, after: 'Quay 1' }] as const;
    send.mockImplementationOnce((rows) =>
      rows.map(({ line }): ImportResult => {
        if (line === 2)
          return { line, outcome: 'created', similar: { id: 'x', name: 'Account Zero', city: 'Vail' } };
        if (line === 3) return { line, outcome: 'changed', id: 'y', by_name_only: true, changes };
        return { line, outcome: 'created', name_key: 'same' };
      }),
    );
    const job = openJob(recordsOf(4));
    const checked = await run(job, 'check');
    expect(checked.map(({ status, reason }) => [status, reason])).toEqual([
      ['similar', 'Looks like the account "Account Zero" (Vail)'],
      ['by_name_only', 'An account has this name. Address: empty → Quay 1'],
      ['create', ''],
      ['similar', 'Looks like line 4'],
    ]);
    expect(checked.filter(accountImport.isDue)).toHaveLength(1);
    const { choice } = accountImport;
    const chosen = checked.map((row) => (row.line === 3 ? (choice?.choose(row, true) ?? row) : row));
    expect(statusesOf(chosen)).toEqual(['similar', 'change', 'create', 'similar']);
    expect(chosen.map((row) => choice?.choose(row, false) ?? row)[1]?.status).toBe('by_name_only');
    send.mockClear();
    await run(job, 'send', chosen);
    expect(sentLines()).toEqual([[3, 4]]);
  });

  it('is undone with one ID, in as many calls as it takes, and names what is kept', async () => {
    const job = openJob(recordsOf(3));
    send.mockImplementation((rows) =>
      rows.map(({ line }) => ({ line, outcome: 'created', id: `id ${line}` })),
    );
    const sent = await run(job, 'send', await run(job, 'check'));
    undo.mockReturnValueOnce({ deleted: ['id 2'], kept: [], next: 'id 2' });
    undo.mockReturnValueOnce({
      deleted: ['id 4'],
      kept: [{ id: 'id 3', name: 'Account 1', reason: 'changed' }],
      next: null,
    });
    const rows = (await job.undo?.(sent)) ?? [];
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
      ['deleted', ''],
      ['kept', 'Kept: it was changed after the import'],
      ['deleted', ''],
    ]);
    const importId = bodies.find(({ import_id }) => import_id !== undefined)?.import_id;
    expect(undo.mock.calls).toEqual([[{ import_id: importId }], [{ import_id: importId, after: 'id 2' }]]);
  });
});
