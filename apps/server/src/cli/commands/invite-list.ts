/** `invite --csv`: invites the users of a list and prints the result of each row. */
import { randomUUID } from 'node:crypto';
import {
  countFailures,
  isInvitable,
  maxConsecutiveFailures,
  type NotInvitableStatus,
} from '@lanternrock/contract/invitation-list';
import { planInvitations, type PlannedRow } from '../../invitations/invitation-plan.ts';
import { inviteRow } from '../../invitations/invite-row.ts';
import { readEmailQuota } from '../../mail/email-quota.ts';
import { toTerminalText } from '../../log.ts';
import type { Service } from '../../service.ts';
import type { CommandIO } from '../command.ts';
import { setCommandOrigin } from '../audit-origin.ts';
import { type InviteeListOptions, readInviteeList } from '../invitee-list.ts';

interface OutcomeLabel {
  readonly label: string;
  /** Singular form, if it differs. */
  readonly one?: string;
  /** True if the row needs attention or another run. */
  readonly open: boolean;
}

/** Outcomes of a row. */
const outcomes = {
  invited: { label: 'invited', open: false },
  'invited again': { label: 'invited again', open: false },
  pending: { label: 'pending', open: false },
  administrator: { label: 'already administrators', one: 'already an administrator', open: false },
  repeated: { label: 'repeated', open: false },
  invalid: { label: 'invalid', open: true },
  ended: { label: 'revoked, removed or banned', open: true },
  queued: { label: 'queued', open: false },
  'not accepted': { label: 'invited without email', open: true },
  'not sent': { label: 'not sent', open: true },
} as const satisfies Readonly<Record<string, OutcomeLabel>>;

type Outcome = keyof typeof outcomes;

interface RowResult {
  readonly outcome: Outcome;
  readonly message: string;
}

const statusResults: Readonly<Record<NotInvitableStatus, RowResult>> = {
  pending: { outcome: 'pending', message: 'pending, no further email' },
  administrator: { outcome: 'administrator', message: 'already an administrator' },
  revoked: { outcome: 'ended', message: 'not invited: revoked invitation' },
  removed: { outcome: 'ended', message: 'not invited: removed administrator' },
  banned: { outcome: 'ended', message: 'not invited: banned user' },
};

interface Run {
  /** Reason why the remaining rows are not sent; null while there is none. */
  stopped: string | null;
  consecutiveFailures: number;
  /** The administrator that the emails name; null for none. */
  readonly invitedBy: string | null;
  readonly listId: string;
}

interface ListInvitation {
  readonly file: string;
  readonly list: InviteeListOptions;
  readonly dryRun: boolean;
  /** User ID of the inviter; null for none. */
  readonly invitedBy: string | null;
}

/**
 * @returns the exit code: 0 if no row needs attention, otherwise 1
 * @throws UsageError for an invalid file
 */
export async function inviteFromCsv(
  service: Service,
  { file, list, dryRun, invitedBy }: ListInvitation,
  io: CommandIO,
): Promise<number> {
  const { config, database, clock } = service;
  const { note, rows: invitees } = await readInviteeList(io.files, file, list);
  if (note !== null) io.print(note);
  const now = await clock.read(database);
  const rows = await planInvitations(database, invitees, { now, hasMailServer: config.SMTP_URL !== '' });
  const quota = await readEmailQuota(database, {
    limit: config.MAILS_PER_HOUR,
    reserve: 'invitation',
    now,
  });
  const due = rows.filter(isDue).length;
  io.print(
    `${count(rows.length, 'row')}, ${due} to invite. The email quota (MAILS_PER_HOUR=${config.MAILS_PER_HOUR}) allows ${count(quota.left, 'email')} now.`,
  );
  const tally = new Map<Outcome, number>();
  const run: Run = { stopped: null, consecutiveFailures: 0, invitedBy, listId: randomUUID() };
  for (const row of rows) {
    const { outcome, message } = dryRun ? expectedResult(row) : await processRow(service, row, run, io);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    io.print(`line ${String(row.line).padEnd(6)} ${toTerminalText(row.email).padEnd(36)} ${message}`);
    if (io.isClosed()) run.stopped ??= 'The command was interrupted.';
  }
  const parts = Object.entries<OutcomeLabel>(outcomes).flatMap(([outcome, { label, one = label }]) => {
    const total = tally.get(outcome as Outcome) ?? 0;
    return total === 0 ? [] : [`${total} ${total === 1 ? one : label}`];
  });
  io.print(`${dryRun ? 'Dry run, nothing was changed' : 'Done'}: ${parts.join(', ')}.`);
  if (run.stopped) io.printError(`${run.stopped} Run the same command again to continue.`);
  if (!dryRun && !config.SMTP_URL)
    io.print('SMTP_URL is not set: the emails are saved in the local mailbox and are not sent.');
  return [...tally.keys()].some((outcome) => outcomes[outcome].open) ? 1 : 0;
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

const isDue = ({ plan }: PlannedRow): boolean => plan.kind === 'invitee' && isInvitable(plan.status);

/** Returns the result of a row if its email is accepted. */
function expectedResult({ plan }: PlannedRow): RowResult {
  if (plan.kind === 'repeated') return { outcome: 'repeated', message: `repeats line ${plan.line}` };
  if (plan.kind === 'invalid') return { outcome: 'invalid', message: `invalid: ${plan.reason}` };
  if (plan.status === 'new') return { outcome: 'invited', message: 'invited' };
  if (plan.status === 'reinvite') return { outcome: 'invited again', message: 'invited again' };
  return statusResults[plan.status];
}

async function processRow(
  { config, invitations, clock }: Service,
  row: PlannedRow,
  run: Run,
  io: CommandIO,
): Promise<RowResult> {
  const expected = expectedResult(row);
  if (!isDue(row)) return expected;
  if (run.stopped) return { outcome: 'not sent', message: 'not sent (see below)' };
  const result = await inviteRow(invitations, {
    row,
    includePending: false,
    queueOnly: run.consecutiveFailures >= maxConsecutiveFailures,
    invitedBy: run.invitedBy,
    fromCommandLine: true,
    authorize: setCommandOrigin(io),
    list: { kind: 'list_invited', id: run.listId },
    hasMailServer: config.SMTP_URL !== '',
    clock,
  });
  run.consecutiveFailures = countFailures(run.consecutiveFailures, result.kind);
  if (result.kind === 'sent' || result.kind === 'captured') return expected;
  if (result.kind === 'status') return statusResults[result.status];
  if (result.kind === 'invalid') return { outcome: 'invalid', message: `invalid: ${result.reason}` };
  if (result.kind === 'quota') {
    const resumeAt = new Date(clock.estimate().getTime() + result.retryAfterSeconds * 1000).toISOString();
    run.stopped = `The email quota (MAILS_PER_HOUR) is reached. The next email can be sent at ${resumeAt}.`;
    return { outcome: 'not sent', message: 'not sent (see below)' };
  }
  const reason = toTerminalText(result.reason);
  if (result.kind === 'queued') {
    return { outcome: 'queued', message: `invited, email queued${reason === '' ? '' : `: ${reason}`}` };
  }
  return { outcome: 'not accepted', message: `invited, email not sent: ${reason}` };
}
