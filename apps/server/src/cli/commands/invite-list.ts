/** `invite --csv`: invites the users of a list and prints the result of each row. */
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import {
  planInvitations,
  requireNeedsInvitation,
  needsInvitation,
  type PlannedRow,
  type InviteeStatus,
} from '../../invitations/invitation-plan.ts';
import { succeeded } from '../../mail/email-job.ts';
import { readEmailQuota } from '../../mail/email-quota.ts';
import { toTerminalText } from '../../log.ts';
import type { Service } from '../../service.ts';
import type { Output } from '../command.ts';
import { setAuditOrigin } from '../audit-origin.ts';
import { readInviteeFile } from '../invitee-file.ts';

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
  'not accepted': { label: 'invited without email', open: true },
  'not sent': { label: 'not sent', open: true },
} as const satisfies Readonly<Record<string, OutcomeLabel>>;

type Outcome = keyof typeof outcomes;

interface RowResult {
  readonly outcome: Outcome;
  readonly message: string;
}

const statusResults: Readonly<Record<Exclude<InviteeStatus, 'new' | 'reinvite'>, RowResult>> = {
  pending: { outcome: 'pending', message: 'pending, not sent again' },
  administrator: { outcome: 'administrator', message: 'already an administrator' },
  revoked: { outcome: 'ended', message: 'not invited: revoked invitation' },
  removed: { outcome: 'ended', message: 'not invited: removed administrator' },
  banned: { outcome: 'ended', message: 'not invited: banned user' },
};

/** Number of consecutive failures of the mail server after which the command stops sending. */
const maxConsecutiveFailures = 3;

interface Run {
  /** Reason why the remaining rows are not sent; null while there is none. */
  stopped: string | null;
  consecutiveFailures: number;
}

/**
 * @returns the exit code: 0 if no row needs attention, otherwise 1
 * @throws UsageError for an invalid file
 */
export async function inviteFromCsv(
  service: Service,
  { file, dryRun }: { readonly file: string; readonly dryRun: boolean },
  output: Output,
): Promise<number> {
  const { config, database } = service;
  const invitees = await readInviteeFile(path.resolve(output.cwd, file));
  const rows = await planInvitations(database, invitees, new Date());
  const quota = await readEmailQuota(database, config.MAILS_PER_HOUR, new Date());
  const due = rows.filter(isDue).length;
  output.print(
    `${count(rows.length, 'row')}, ${due} to invite. The email quota (MAILS_PER_HOUR=${config.MAILS_PER_HOUR}) allows ${count(quota.left, 'email')} now.`,
  );
  const tally = new Map<Outcome, number>();
  const run: Run = { stopped: null, consecutiveFailures: 0 };
  for (const row of rows) {
    const { outcome, message } = dryRun ? expectedResult(row) : await processRow(service, row, run, output);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    output.print(`line ${String(row.line).padEnd(6)} ${toTerminalText(row.email).padEnd(36)} ${message}`);
    if (output.isClosed()) run.stopped ??= 'The command was interrupted.';
  }
  const parts = Object.entries<OutcomeLabel>(outcomes).flatMap(([outcome, { label, one = label }]) => {
    const total = tally.get(outcome as Outcome) ?? 0;
    return total === 0 ? [] : [`${total} ${total === 1 ? one : label}`];
  });
  output.print(`${dryRun ? 'Dry run, nothing was changed' : 'Done'}: ${parts.join(', ')}.`);
  if (run.stopped) output.printError(`${run.stopped} Run the same command again to continue.`);
  if (!dryRun && !config.SMTP_URL)
    output.print('SMTP_URL is not set: the emails are saved in the local mailbox.');
  return [...tally.keys()].some((outcome) => outcomes[outcome].open) ? 1 : 0;
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

const isDue = ({ plan }: PlannedRow): boolean => plan.kind === 'invitee' && needsInvitation(plan.status);

/** Returns the result of a row if its email is accepted. */
function expectedResult({ plan }: PlannedRow): RowResult {
  if (plan.kind === 'repeated') return { outcome: 'repeated', message: `repeats line ${plan.line}` };
  if (plan.kind === 'invalid') return { outcome: 'invalid', message: `invalid: ${plan.reason}` };
  if (plan.status === 'new') return { outcome: 'invited', message: 'invited' };
  if (plan.status === 'reinvite') return { outcome: 'invited again', message: 'invited again' };
  return statusResults[plan.status];
}

async function processRow(
  { invitations }: Service,
  row: PlannedRow,
  run: Run,
  output: Output,
): Promise<RowResult> {
  const expected = expectedResult(row);
  if (!isDue(row)) return expected;
  if (run.stopped) return { outcome: 'not sent', message: 'not sent (see below)' };
  const { email, fullName } = row;
  try {
    const { delivery } = await invitations.invite({
      email,
      fullName,
      invitedBy: null,
      authorize: async (tx) => {
        await setAuditOrigin(output)(tx);
        await requireNeedsInvitation(tx, email, new Date());
      },
      arrivedAt: new Date(),
    });
    if (succeeded(delivery.outcome)) {
      run.consecutiveFailures = 0;
      return expected;
    }
    const reason = toTerminalText(delivery.answer ?? 'the mail server did not respond');
    run.consecutiveFailures = delivery.temporary ? run.consecutiveFailures + 1 : 0;
    if (run.consecutiveFailures === maxConsecutiveFailures)
      run.stopped = `The mail server failed ${maxConsecutiveFailures} times in a row: ${reason}.`;
    return { outcome: 'not accepted', message: `invited, email not sent: ${reason}` };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return rejectedResult(error, run);
  }
}

/** Returns the result of a row after a concurrent change, or when the email quota is reached. */
function rejectedResult(error: DomainError, run: Run): RowResult {
  if (error.code in statusResults) return statusResults[error.code as keyof typeof statusResults];
  if (error.code === 'resend_cooldown') return statusResults.pending;
  if (error.code === 'already_administrator') return statusResults.administrator;
  if (error.code !== 'over_email_send_rate_limit') throw error;
  const resumeAt = new Date(Date.now() + (error.retryAfterSeconds ?? 0) * 1000).toISOString();
  run.stopped = `The email quota (MAILS_PER_HOUR) is reached; emails resume at ${resumeAt}.`;
  return { outcome: 'not sent', message: 'not sent (see below)' };
}
