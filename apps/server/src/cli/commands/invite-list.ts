/** `invite --csv`: invites everybody of a list who is missing, and says for each row what became of it. */
import path from 'node:path';
import { ApiError } from '../../errors.ts';
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

interface OutcomeWords {
  readonly label: string;
  /** For a single row, where it differs. */
  readonly one?: string;
  /** The row needs somebody's attention or another run. */
  readonly open: boolean;
}

/** What became of a row. */
const outcomes = {
  invited: { label: 'invited', open: false },
  'invited again': { label: 'invited again', open: false },
  pending: { label: 'pending', open: false },
  administrator: { label: 'already administrators', one: 'already an administrator', open: false },
  repeated: { label: 'repeated', open: false },
  invalid: { label: 'invalid', open: true },
  ended: { label: 'revoked, removed or banned', open: true },
  refused: { label: 'invited without mail', open: true },
  'not tried': { label: 'not tried', open: true },
} as const satisfies Readonly<Record<string, OutcomeWords>>;

type Outcome = keyof typeof outcomes;

interface RowResult {
  readonly outcome: Outcome;
  readonly words: string;
}

const standingResults: Readonly<Record<Exclude<InviteeStatus, 'missing' | 'again'>, RowResult>> = {
  pending: { outcome: 'pending', words: 'pending, not mailed again' },
  administrator: { outcome: 'administrator', words: 'already an administrator' },
  revoked: { outcome: 'ended', words: 'not invited: the invitation was revoked' },
  removed: { outcome: 'ended', words: 'not invited: was removed as an administrator' },
  banned: { outcome: 'ended', words: 'not invited: is banned' },
};

/** A mail server that fails so often in a row is not asked for the rest of the list. */
const patience = 3;

/** Why the rest of the list is not tried, once there is a reason. */
interface Run {
  stopped: string | null;
  failures: number;
}

/** @returns 0 when every row is settled, 1 when some are not. @throws UsageError for a bad file. */
export async function inviteFromCsv(
  service: Service,
  { file, dryRun }: { readonly file: string; readonly dryRun: boolean },
  output: Output,
): Promise<number> {
  const { config, database } = service;
  const people = await readInviteeFile(path.resolve(output.cwd, file));
  const rows = await planInvitations(database, people, new Date());
  const budget = await readEmailQuota(database, config.MAILS_PER_HOUR, new Date());
  const due = rows.filter(isDue).length;
  output.print(
    `${count(rows.length, 'row')}, ${due} to invite. The mail limit (MAILS_PER_HOUR ${config.MAILS_PER_HOUR}) allows ${count(budget.left, 'mail')} now.`,
  );
  const tally = new Map<Outcome, number>();
  const run: Run = { stopped: null, failures: 0 };
  for (const row of rows) {
    const { outcome, words } = dryRun ? foreseen(row) : await settle(service, row, run, output);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    output.print(`line ${String(row.line).padEnd(6)} ${toTerminalText(row.email).padEnd(36)} ${words}`);
    if (output.isClosed()) run.stopped ??= 'The command was interrupted.';
  }
  const parts = Object.entries<OutcomeWords>(outcomes).flatMap(([outcome, { label, one = label }]) => {
    const rowsOfIt = tally.get(outcome as Outcome) ?? 0;
    return rowsOfIt === 0 ? [] : [`${rowsOfIt} ${rowsOfIt === 1 ? one : label}`];
  });
  output.print(`${dryRun ? 'Nothing was changed. It would be' : 'Done'}: ${parts.join(', ')}.`);
  if (run.stopped) output.printError(`${run.stopped} The same command goes on where this one stopped.`);
  if (!dryRun && !config.SMTP_URL)
    output.print('No mail server is set (SMTP_URL): the mails are in the mailbox.');
  return [...tally.keys()].some((outcome) => outcomes[outcome].open) ? 1 : 0;
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

const isDue = ({ plan }: PlannedRow): boolean => plan.kind === 'person' && needsInvitation(plan.standing);

function foreseen({ plan }: PlannedRow): RowResult {
  if (plan.kind === 'repeated') return { outcome: 'repeated', words: `repeats line ${plan.line}` };
  if (plan.kind === 'invalid') return { outcome: 'invalid', words: `invalid: ${plan.reason}` };
  if (plan.standing === 'missing') return { outcome: 'invited', words: 'invited' };
  if (plan.standing === 'again') return { outcome: 'invited again', words: 'invited again' };
  return standingResults[plan.standing];
}

async function settle(
  { invitations }: Service,
  row: PlannedRow,
  run: Run,
  output: Output,
): Promise<RowResult> {
  const expected = foreseen(row);
  if (!isDue(row)) return expected;
  if (run.stopped) return { outcome: 'not tried', words: 'not mailed, see below' };
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
      run.failures = 0;
      return expected;
    }
    const answer = toTerminalText(delivery.answer ?? 'the mail server did not answer');
    run.failures = delivery.temporary ? run.failures + 1 : 0;
    if (run.failures === patience)
      run.stopped = `The mail server failed ${patience} times in a row: ${answer}.`;
    return { outcome: 'refused', words: `invited, but the mail was not sent: ${answer}` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusedRow(error, run);
  }
}

/** Somebody was faster, or the mail limit is reached. */
function refusedRow(refusal: ApiError, run: Run): RowResult {
  if (refusal.code in standingResults) return standingResults[refusal.code as keyof typeof standingResults];
  if (refusal.code === 'resend_cooldown') return standingResults.pending;
  if (refusal.code === 'already_administrator') return standingResults.administrator;
  if (refusal.code !== 'over_email_send_rate_limit') throw refusal;
  const seconds = Number(refusal.headers['Retry-After']);
  const from = new Date(Date.now() + seconds * 1000).toISOString();
  run.stopped = `The mail limit is reached (MAILS_PER_HOUR); from ${from} on mails go again.`;
  return { outcome: 'not tried', words: 'not mailed, see below' };
}
