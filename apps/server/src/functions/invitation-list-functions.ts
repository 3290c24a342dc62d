/** Functions for lists of invitees: the plan of a list, and sending it in several calls. */
import {
  checkInvitees,
  countFailures,
  inviteListSchema,
  maxConsecutiveFailures,
  planInvitationsSchema,
  type CheckedInvitee,
  type InviteListResult,
} from '@lanternrock/contract/invitation-list';
import { normalizeEmail } from '@lanternrock/contract/email';
import { readInviteeStatuses } from '../invitations/invitee-status.ts';
import { inviteRow, type RowOutcome } from '../invitations/invite-row.ts';
import { readEmailQuota } from '../mail/email-quota.ts';
import { defineFunction } from './define-function.ts';
import { toStopReason } from './error-response.ts';
import { functionLimits } from './function-limits.ts';

export const planInvitations = defineFunction({
  name: 'plan-invitations',
  input: planInvitationsSchema,
  noStore: true,
  work: async ({ input, transaction, config, now }) =>
    transaction(async (tx) => {
      const at = await now(tx);
      const emails = input.emails.map(normalizeEmail);
      const options = { now: at, hasMailServer: config.SMTP_URL !== '' };
      const statuses = await readInviteeStatuses(tx, [...new Set(emails)], options);
      const { left } = await readEmailQuota(tx, {
        limit: config.MAILS_PER_HOUR,
        reserve: 'invitation',
        now: at,
      });
      return {
        statuses: emails.map((email) => statuses.get(email) ?? 'new'),
        quota: { left, limit: config.MAILS_PER_HOUR },
      };
    }),
});

/** A call starts no further email after this time, in milliseconds: one email can take ten seconds. */
const sendingTimeMs = 5000;

export const inviteList = defineFunction({
  name: 'invite-list',
  limit: functionLimits.invitations,
  input: inviteListSchema,
  noStore: true,
  work: async ({ input, principal, client, authorize, invitations, config, database, clock, now }) => {
    const startedAt = performance.now();
    const rows = checkInvitees(
      input.invitations.map(({ full_name: fullName, ...row }, index) => ({
        ...row,
        fullName,
        line: index + 1,
      })),
      await now(database),
    );
    const results: InviteListResult[] = [];
    let consecutiveFailures = input.queue === true ? maxConsecutiveFailures : 0;
    for (const [index, row] of rows.entries()) {
      if (index > 0 && performance.now() - startedAt > sendingTimeMs) break;
      if (row.problem) {
        results.push(toInvalidResult(row.problem));
        continue;
      }
      const includePending = input.invitations[index]?.again === true;
      let outcome: RowOutcome;
      try {
        outcome = await inviteRow(invitations, {
          row,
          includePending,
          queueOnly: consecutiveFailures >= maxConsecutiveFailures,
          invitedBy: principal.userId,
          client,
          authorize,
          list: input.list_id === undefined ? undefined : { kind: 'list_invited', id: input.list_id },
          hasMailServer: config.SMTP_URL !== '',
          clock,
        });
      } catch (error) {
        const stopped = results.length === 0 ? null : toStopReason(error);
        if (!stopped) throw error;
        return { results, stopped };
      }
      if (outcome.kind === 'quota')
        return { results, stopped: { message: outcome.message, retry_after: outcome.retryAfterSeconds } };
      results.push(toResult(outcome));
      consecutiveFailures = countFailures(consecutiveFailures, outcome.kind);
    }
    return { results, stopped: null };
  },
});

const toInvalidResult = (problem: NonNullable<CheckedInvitee['problem']>): InviteListResult => ({
  outcome: 'invalid',
  reason: problem.kind === 'invalid' ? problem.reason : 'The email address is repeated',
});

function toResult(outcome: Exclude<RowOutcome, { kind: 'quota' }>): InviteListResult {
  if (outcome.kind === 'status') return { outcome: outcome.status };
  if (outcome.kind === 'sent' || outcome.kind === 'captured') return { outcome: outcome.kind };
  return { outcome: outcome.kind, reason: outcome.reason };
}
