import type { InviteListResponse } from '@lanternrock/contract/invitation-list';
import { guessColumns } from '@lanternrock/contract/column-guess';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Phase } from '../../shared/csv-run/csv-list.ts';
import { runBatches } from '../../shared/csv-run/run-batches.ts';
import { inviteList } from './invite-list.ts';

interface Body {
  readonly emails: readonly string[];
  readonly invitations: readonly { readonly email: string }[];
  readonly queue?: boolean;
}

const { plan, invite } = vi.hoisted(() => ({
  plan: vi.fn<(body: Body) => unknown>(),
  invite: vi.fn<(body: Body) => InviteListResponse>(),
}));
vi.mock('../../api/functions.ts', () => ({
  callFunction: async (name: string, body: Body) => (name === 'invite-list' ? invite : plan)(body),
}));

beforeEach(() => {
  plan.mockReset();
  invite.mockReset();
});

const header = ['E-Mail', 'Full name', 'Note', 'Expiry', 'Phone'];
const emailsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `p${index}@example.org`);

const openJob = (emails: readonly string[]) =>
  inviteList.createJob(
    {
      name: 'list.csv',
      header,
      hasHeader: true,
      records: emails.map((email) => [email, 'Ann Lee', '', '3d', '1']),
      lines: emails.map((_, index) => index + 2),
      reading: { text: null, workbook: null },
    },
    guessColumns(header, inviteList.columnNames, { records: [] }),
    { words: new Map(), others: null },
  );

type Job = ReturnType<typeof openJob>;

const run = async (job: Job, phase: Phase, start: Job['rows'] = job.rows) => {
  let rows = start;
  const result = await runBatches(start, job[phase](), {
    isDue: phase === 'check' ? ({ status }) => status === null : inviteList.isDue,
    signal: new AbortController().signal,
    onProgress: (progress) => ({ rows } = progress),
  }).catch((error: unknown) => error);
  return { result, rows, statuses: rows.map(({ status }) => status) };
};

describe('the check', () => {
  it('plans in calls of limited size, and finds invalid and repeated rows itself', async () => {
    plan.mockImplementation(({ emails }) => ({
      statuses: emails.map(() => 'pending'),
      quota: { left: 1, limit: 2 },
    }));
    const { rows, statuses } = await run(
      openJob([...emailsOf(1000), 'p3@example.org', 'no address']),
      'check',
    );
    const bodies = plan.mock.calls.map(([body]) => body);
    expect(bodies.map(({ emails }) => emails.length)).toEqual([400, 400, 200]);
    const sizes = bodies.map((body) => new TextEncoder().encode(JSON.stringify(body)).length);
    expect(Math.max(...sizes)).toBeLessThan(16_384);
    expect(statuses.slice(-3)).toEqual(['pending', 'repeated', 'invalid']);
    expect(statuses.filter((status) => status === 'pending')).toHaveLength(1000);
    expect(rows.at(-2)?.reason).toBe('Repeats line 5');
  });
});

describe('the sending', () => {
  const send = (statuses: readonly Job['rows'][number]['status'][]) => {
    const job = openJob(emailsOf(statuses.length));
    const rows = job.rows.map((row, index) => ({ ...row, status: statuses[index] ?? null }));
    return run(job, 'send', rows);
  };

  it('sends rows that are due, and repeats the call for those without a result', async () => {
    invite.mockReturnValue({ results: [{ outcome: 'sent' }], stopped: null });
    const { result, statuses } = await send(['new', 'pending', 'reinvite', 'new']);
    expect(invite.mock.calls.map(([{ invitations }]) => invitations.map(({ email }) => email))).toEqual([
      ['p0@example.org', 'p2@example.org', 'p3@example.org'],
      ['p2@example.org', 'p3@example.org'],
      ['p3@example.org'],
    ]);
    expect(invite.mock.lastCall?.[0].invitations).toEqual([
      { email: 'p3@example.org', full_name: 'Ann Lee', expires: '3d' },
    ]);
    expect(result).toBeNull();
    expect(statuses).toEqual(['sent', 'pending', 'sent', 'sent']);
  });

  it('stops with the reason of the service, and keeps the rest due', async () => {
    invite.mockReturnValue({
      results: [{ outcome: 'not_accepted', reason: '550' }],
      stopped: { message: 'The limit is reached.', retry_after: 60 },
    });
    const { result, statuses } = await send(['new', 'new']);
    expect(result).toBe('The limit is reached.');
    expect(statuses).toEqual(['not_accepted', 'new']);
  });

  it('goes on after temporary failures, and lets the service queue the emails after three of them', async () => {
    invite.mockReturnValue({ results: [{ outcome: 'queued', reason: '450' }], stopped: null });
    const { result, statuses } = await send(['new', 'new', 'new', 'new', 'new']);
    expect(invite.mock.calls.map(([{ queue = false }]) => queue)).toEqual([false, false, false, true, true]);
    expect(result).toBeNull();
    expect(statuses).toEqual(['queued', 'queued', 'queued', 'queued', 'queued']);
  });

  it('does not send twice what may have been sent before the connection was lost', async () => {
    const lost = new Error('lost');
    invite.mockImplementation(() => {
      throw lost;
    });
    const { result, statuses } = await send(['again', 'administrator']);
    expect(invite.mock.calls[0]?.[0].invitations).toMatchObject([{ again: true }]);
    expect(result).toBe(lost);
    expect(statuses).toEqual(['reinvite', 'administrator']);
  });
});

const reading = { text: null, workbook: null };
const file = { name: 'list.csv', header, hasHeader: true, records: [], lines: [], reading };

describe('the columns', () => {
  it('are guessed from the header', () => {
    const mapping = guessColumns(header, inviteList.columnNames, { records: [] });
    expect(mapping).toEqual(['email', 'fullName', 'note', 'expires', null]);
    expect(inviteList.findColumnProblem(mapping, file)).toBeNull();
  });

  it.each([
    [['email', null], 'Choose the column with the full name, or those with the first and the last name.'],
    [[null, 'fullName'], 'Choose the column with the email.'],
    [['email', 'email'], 'Several columns are chosen for email. Choose one.'],
  ] as const)('that cannot be used are explained: %j', (mapping, expected) => {
    expect(inviteList.findColumnProblem(mapping, file)).toBe(expected);
  });
});
