import type { InviteeRow, InviteListResponse } from '@lanternrock/contract/invitation-list';
import { describe, expect, it } from 'vitest';
import { chooseAgain, countStatuses, planList, sendList, takeBatch } from './invite-run.ts';
import type { ListRow } from './list-row.ts';

const { signal } = new AbortController();
const person = (index: number, more: Partial<InviteeRow> = {}): InviteeRow => ({
  line: index + 2,
  email: `p${index}@example.org`,
  fullName: `Person ${index}`,
  ...more,
});
const people = (count: number): InviteeRow[] => Array.from({ length: count }, (_, index) => person(index));
const row = (index: number, status: ListRow['status']): ListRow => ({
  input: person(index),
  email: `p${index}@example.org`,
  status,
  reason: '',
});

describe('planList', () => {
  it('plans in calls of limited size, and finds invalid and repeated rows itself', async () => {
    const calls: number[] = [];
    const invitees = [...people(1000), person(3, { line: 2000 }), person(5000, { email: 'no address' })];
    const { rows, quota } = await planList(invitees, new Date(), {
      call: async (emails) => {
        calls.push(emails.length);
        expect(new TextEncoder().encode(JSON.stringify({ emails })).length).toBeLessThan(16_384);
        return { statuses: emails.map(() => 'pending' as const), quota: { left: 1, limit: 2 } };
      },
      signal,
      onProgress: () => {},
    });
    expect(calls).toEqual([400, 400, 200]);
    expect(quota).toEqual({ left: 1, limit: 2 });
    expect([...countStatuses(rows)]).toEqual([
      ['pending', 1000],
      ['repeated', 1],
      ['invalid', 1],
    ]);
    expect(rows.at(-2)?.reason).toBe('Repeats line 5');
  });
});

describe('takeBatch', () => {
  it('limits number and size, and takes at least one item', () => {
    expect(takeBatch(['a', 'b', 'c'], 2)).toEqual(['a', 'b']);
    const long = '🚒'.repeat(3000);
    expect(takeBatch([long, 'b'], 20)).toEqual([long, 'b']);
    expect(takeBatch([long, long], 20)).toEqual([long]);
    expect(takeBatch(['x'.repeat(20_000)], 20)).toHaveLength(1);
    expect(takeBatch([], 20)).toEqual([]);
  });
});

describe('sendList', () => {
  const run = async (
    rows: readonly ListRow[],
    call: (
      invitations: readonly Readonly<Record<string, unknown>>[],
      queueOnly: boolean,
    ) => Promise<InviteListResponse>,
    abort = signal,
  ) => {
    let shown = rows;
    const options = { call, signal: abort, onProgress: (next: readonly ListRow[]) => (shown = next) };
    const result = await sendList(rows, options).catch((error: unknown) => error);
    return { result, statuses: shown.map(({ status }) => status) };
  };

  it('sends rows that are due, and repeats the call for those without a result', async () => {
    const sent: unknown[] = [];
    const { result, statuses } = await run(
      [row(0, 'new'), row(1, 'pending'), row(2, 'reinvite'), row(3, 'new')],
      async (invitations) => {
        sent.push(invitations.map(({ email }) => email));
        return { results: [{ outcome: 'sent' }], stopped: null };
      },
    );
    expect(sent).toEqual([
      ['p0@example.org', 'p2@example.org', 'p3@example.org'],
      ['p2@example.org', 'p3@example.org'],
      ['p3@example.org'],
    ]);
    expect(result).toBeNull();
    expect(statuses).toEqual(['sent', 'pending', 'sent', 'sent']);
  });

  it('stops with the reason of the service, and keeps the rest due', async () => {
    const { result, statuses } = await run([row(0, 'new'), row(1, 'new')], async () => ({
      results: [{ outcome: 'not_accepted', reason: '550' }],
      stopped: { message: 'The limit is reached.', retry_after: 60 },
    }));
    expect(result).toBe('The limit is reached.');
    expect(statuses).toEqual(['not_accepted', 'new']);
  });

  it('goes on after temporary failures, and lets the service queue the emails after three of them', async () => {
    const queued: boolean[] = [];
    const { result, statuses } = await run(
      Array.from({ length: 5 }, (_, index) => row(index, 'new')),
      async (_invitations, queueOnly) => {
        queued.push(queueOnly);
        return { results: [{ outcome: 'queued', reason: '450' }], stopped: null };
      },
    );
    expect(queued).toEqual([false, false, false, true, true]);
    expect(result).toBeNull();
    expect(statuses).toEqual(Array.from({ length: 5 }, () => 'queued'));
  });

  it('does not send twice what may have been sent before the connection was lost', async () => {
    const lost = new Error('lost');
    const again = chooseAgain([row(0, 'pending'), row(1, 'administrator')], true);
    const first = await run(again, async (invitations) => {
      expect(invitations).toMatchObject([{ again: true }]);
      throw lost;
    });
    expect(first).toEqual({ result: lost, statuses: ['reinvite', 'administrator'] });
  });

  it('stops after the running call when it is canceled', async () => {
    const abort = new AbortController();
    const { statuses } = await run(
      [row(0, 'new'), row(1, 'new')],
      async () => {
        abort.abort();
        return { results: [{ outcome: 'sent' }], stopped: null };
      },
      abort.signal,
    );
    expect(statuses).toEqual(['sent', 'new']);
  });

  it('reports a response without results', async () => {
    const { result } = await run([row(0, 'new')], async () => ({ results: [], stopped: null }));
    expect(result).toBeInstanceOf(Error);
  });
});
