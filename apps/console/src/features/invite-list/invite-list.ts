/** Invites administrators from a CSV list: the service plans the rows, then sends the invitations in batches. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import {
  checkInvitees,
  countFailures,
  inviteListBatchBytes,
  inviteListFileLimits,
  maxConsecutiveFailures,
  maxListedInvitations,
  maxPlannedEmails,
  type InviteeRow,
} from '@lanternrock/contract/invitation-list';
import {
  findInviteeColumnProblem,
  type InviteeColumn,
  inviteeColumnLabels,
  inviteeColumnNames,
  toInviteeRow,
} from '@lanternrock/contract/invitee-columns';
import { serverNow } from '../../api/server-clock.ts';
import { callFunction } from '../../api/functions.ts';
import type { CsvList, Sending } from '../../shared/csv-run/csv-list.ts';
import { inviteListText, sentences, templateHeader, type RowStatus } from './invite-list-text.ts';

interface ListRow {
  readonly line: number;
  readonly status: RowStatus | null;
  readonly reason: string;
  readonly input: InviteeRow;
  /** Normalized if the row is valid. */
  readonly email: string;
}

const planning: Sending<ListRow> = {
  limits: { rows: maxPlannedEmails, bytes: inviteListBatchBytes },
  toItem: ({ email }) => email,
  sendBatch: async (batch, signal) => {
    const emails = batch.map(({ email }) => email);
    const { statuses, quota } = await callFunction('plan-invitations', { emails }, { signal });
    if (statuses.length !== batch.length) throw new Error('The service returned no plan');
    return { rows: batch.map((row, index) => ({ ...row, status: statuses[index] ?? null })), quota };
  },
};

const toInvitation = ({
  input,
  email,
  status,
}: ListRow): FunctionInput<'invite-list'>['invitations'][number] => ({
  // Normalized, as the table shows it.
  email,
  full_name: input.fullName,
  ...(input.note ? { note: input.note } : {}),
  ...(input.expires ? { expires: input.expires } : {}),
  ...(status === 'again' ? { again: true } : {}),
});

const createSending = (listId: string): Sending<ListRow> => {
  let consecutiveFailures = 0;
  return {
    limits: { rows: maxListedInvitations, bytes: inviteListBatchBytes },
    toItem: toInvitation,
    sendBatch: async (batch) => {
      const { results, stopped } = await callFunction('invite-list', {
        list_id: listId,
        invitations: batch.map(toInvitation),
        // The mail server failed several times: the service only queues the emails.
        ...(consecutiveFailures >= maxConsecutiveFailures ? { queue: true } : {}),
      });
      for (const { outcome } of results) consecutiveFailures = countFailures(consecutiveFailures, outcome);
      const rows = batch.slice(0, results.length).map((row, index): ListRow => {
        const { outcome: status = null, reason = '' } = results[index] ?? {};
        return { ...row, status, reason };
      });
      return { rows, stopped: stopped?.message ?? null };
    },
    // An email whose response was lost is not sent twice.
    toUnanswered: (row) => (row.status === 'again' ? { ...row, status: 'reinvite' } : row),
  };
};

const createJob: CsvList<InviteeColumn, ListRow>['createJob'] = ({ records, lines }, mapping) => {
  const invitees = records.map((record, index) => toInviteeRow(record, mapping, lines[index] ?? 0));
  const rows = checkInvitees(invitees, serverNow()).map(({ input, line, email, problem }): ListRow => {
    const row = { line, email, input };
    if (problem === null) return { ...row, status: null, reason: '' };
    const reason = problem.kind === 'invalid' ? problem.reason : sentences.repeats(problem.line);
    return { ...row, status: problem.kind, reason };
  });
  const listId = crypto.randomUUID();
  return { rows, check: () => planning, send: () => createSending(listId) };
};

const dueStatuses: ReadonlySet<RowStatus | null> = new Set(['new', 'reinvite', 'again']);
const problemStatuses: ReadonlySet<RowStatus | null> = new Set([
  'invalid',
  'not_accepted',
  'revoked',
  'removed',
  'banned',
]);

const toEmail = ({ email }: ListRow): string => email;
const toName = ({ input }: ListRow): string => input.fullName;

export const inviteList: CsvList<InviteeColumn, ListRow> = {
  limits: inviteListFileLimits,
  columnNames: inviteeColumnNames,
  columnRules: {},
  columnLabels: inviteeColumnLabels,
  template: { name: 'invitations-template.csv', header: templateHeader },
  findColumnProblem: findInviteeColumnProblem,
  createJob,
  isDue: ({ status }) => dueStatuses.has(status),
  isProblem: ({ status }) => problemStatuses.has(status),
  choice: {
    isOffered: ({ status }) => status === 'pending' || status === 'again',
    isChosen: ({ status }) => status === 'again',
    choose: (row, chosen) => ({ ...row, status: chosen ? 'again' : 'pending' }),
    label: sentences.again,
  },
  rowColumns: [
    { key: 'email', header: 'Email', text: toEmail },
    { key: 'name', header: 'Name', text: toName },
  ],
  savedColumns: {
    line: ({ line }) => line,
    email: toEmail,
    name: toName,
    result: ({ status }) => inviteListText.statuses[status ?? ''] ?? '',
    reason: ({ reason }) => reason,
  },
  text: inviteListText,
};
