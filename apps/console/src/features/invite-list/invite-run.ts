/** Plans a list with the service, and sends it in calls that fit into the time of a function. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import {
  checkInvitees,
  maxConsecutiveFailures,
  maxListedInvitations,
  maxPlannedEmails,
  type InvitationPlanResponse,
  type InviteeRow,
  type InviteeStatus,
  type InviteListResponse,
} from '@lanternrock/contract/invitation-list';
import { inviteListText } from './invite-list-text.ts';
import type { ListRow, RowStatus } from './list-row.ts';

export interface ListPlan {
  readonly rows: readonly ListRow[];
  readonly quota: InvitationPlanResponse['quota'] | null;
}

/** Size of a request body in bytes: the limit of the service, with room for the rest of the body. */
const maxBatchBytes = 14_000;

/** Takes items from the start until their number or their size as JSON reaches the limit; at least one. */
export const takeBatch = <Item>(items: readonly Item[], maxItems: number): readonly Item[] => {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += encoder.encode(JSON.stringify(item)).length + 1;
    return index > 0 && (index >= maxItems || bytes > maxBatchBytes);
  });
  return end < 0 ? items : items.slice(0, end);
};

interface PlanOptions {
  readonly call: (emails: readonly string[], signal: AbortSignal) => Promise<InvitationPlanResponse>;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** @throws the error of `call`; AbortError */
export const planList = async (
  invitees: readonly InviteeRow[],
  now: Date,
  { call, signal, onProgress }: PlanOptions,
): Promise<ListPlan> => {
  const checked = checkInvitees(invitees, now);
  const emails = checked.flatMap(({ problem, email }) => (problem === null ? [email] : []));
  const statuses: InviteeStatus[] = [];
  let quota: ListPlan['quota'] = null;
  while (statuses.length < emails.length) {
    onProgress(statuses.length, emails.length);
    const batch = takeBatch(
      emails.slice(statuses.length, statuses.length + maxPlannedEmails),
      maxPlannedEmails,
    );
    const response = await call(batch, signal);
    signal.throwIfAborted();
    if (response.statuses.length !== batch.length) throw new Error('The service returned no plan');
    statuses.push(...response.statuses);
    ({ quota } = response);
  }
  let planned = 0;
  const rows = checked.map(({ problem, email }, index): ListRow => {
    const input = invitees[index] ?? { line: 0, email, fullName: '' };
    if (problem === null) return { input, email, status: statuses[planned++] ?? 'new', reason: '' };
    const reason = problem.kind === 'invalid' ? problem.reason : inviteListText.table.repeats(problem.line);
    return { input, email, status: problem.kind, reason };
  });
  return { rows, quota };
};

/** Marks the pending rows to be sent again, or not. */
export const chooseAgain = (rows: readonly ListRow[], again: boolean): readonly ListRow[] => {
  const [from, to] = again ? (['pending', 'again'] as const) : (['again', 'pending'] as const);
  return rows.map((row) => (row.status === from ? { ...row, status: to } : row));
};

export const isDue = ({ status }: ListRow): boolean =>
  status === 'new' || status === 'reinvite' || status === 'again';

const problems: ReadonlySet<RowStatus> = new Set(['invalid', 'not_accepted', 'revoked', 'removed', 'banned']);
export const isProblem = ({ status }: ListRow): boolean => problems.has(status);

export const countStatuses = (rows: readonly ListRow[]): ReadonlyMap<RowStatus, number> => {
  const tally = new Map<RowStatus, number>();
  for (const { status } of rows) tally.set(status, (tally.get(status) ?? 0) + 1);
  return tally;
};

/** Body of one invitation of `invite-list`. */
type Invitation = FunctionInput<'invite-list'>['invitations'][number];

interface SendOptions {
  /** `queueOnly`: the mail server failed several times, so the service only queues the emails. */
  readonly call: (invitations: readonly Invitation[], queueOnly: boolean) => Promise<InviteListResponse>;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: readonly ListRow[]) => void;
}

const toInvitation = ({ input, email, status }: ListRow): Invitation => ({
  // The address that the table shows.
  email,
  full_name: input.fullName,
  ...(input.note ? { note: input.note } : {}),
  ...(input.expires ? { expires: input.expires } : {}),
  ...(status === 'again' ? { again: true } : {}),
});

/**
 * Sends all rows that are due. After an error the rows of the unanswered call are due without `again`, so that an email
 * whose response was lost is not sent twice.
 *
 * @returns the reason why the service stopped, or null
 * @throws the error of `call`
 */
export const sendList = async (
  start: readonly ListRow[],
  { call, signal, onProgress }: SendOptions,
): Promise<string | null> => {
  const rows = [...start];
  const due = rows.flatMap((row, index) => (isDue(row) ? [index] : []));
  let next = 0;
  let failures = 0;
  while (next < due.length && !signal.aborted) {
    const waiting = due.slice(next, next + maxListedInvitations).flatMap((index) => rows[index] ?? []);
    const batch = takeBatch(waiting.map(toInvitation), maxListedInvitations);
    let response: InviteListResponse;
    try {
      response = await call(batch, failures >= maxConsecutiveFailures);
    } catch (error) {
      for (const index of due.slice(next, next + batch.length)) {
        const row = rows[index];
        if (row?.status === 'again') rows[index] = { ...row, status: 'reinvite' };
      }
      onProgress([...rows]);
      throw error;
    }
    for (const [offset, { outcome, reason = '' }] of response.results.entries()) {
      const index = due[next + offset] ?? -1;
      const row = rows[index];
      if (row !== undefined) rows[index] = { ...row, status: outcome, reason };
      if (outcome === 'queued') failures += 1;
      else if (outcome === 'sent') failures = 0;
    }
    next += response.results.length;
    onProgress([...rows]);
    if (response.stopped !== null) return response.stopped.message;
    if (response.results.length === 0) throw new Error('The service returned no result');
  }
  return null;
};
