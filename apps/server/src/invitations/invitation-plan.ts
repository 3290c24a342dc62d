/** Plans the invitations of a list, row by row, without changing data. */
import { normalizeEmail } from '@lanternrock/contract/email';
import { invitationSchema } from '@lanternrock/contract/invitations';
import { type Transaction, sql } from '@lanternrock/postgres';
import { DomainError } from '../errors.ts';
import { lockEmail } from './invitation-record.ts';

/**
 * - `new`: never invited
 * - `reinvite`: the invitation expired, or its last email was not delivered
 * - `pending`: the invitation is open, and its last email was accepted or is queued
 * - `revoked`, `removed`, `banned`: an administrator decided this, and a list does not revert it
 */
export type InviteeStatus =
  | 'new'
  | 'reinvite'
  | 'pending'
  | 'administrator'
  | 'revoked'
  | 'removed'
  | 'banned';

type RowPlan =
  | { readonly kind: 'invitee'; readonly status: InviteeStatus }
  | { readonly kind: 'repeated'; readonly line: number }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface PlannedRow {
  readonly line: number;
  /** Normalized; the input text if the row is invalid. */
  readonly email: string;
  readonly fullName: string;
  readonly plan: RowPlan;
}

type InputRow = Omit<PlannedRow, 'plan'>;

export const needsInvitation = (status: InviteeStatus): boolean => status === 'new' || status === 'reinvite';

/** Maximum number of email addresses per statement. */
const batchSize = 1000;

/** Returns the plan of each row, in the order of the input. */
export async function planInvitations(
  tx: Transaction,
  rows: readonly InputRow[],
  now: Date,
): Promise<readonly PlannedRow[]> {
  const checked = checkRows(rows);
  const emails = checked.flatMap((row) => (row.plan ? [] : [row.email]));
  const statuses = new Map<string, InviteeStatus>();
  for (let from = 0; from < emails.length; from += batchSize) {
    for (const { email, status } of await readStatuses(tx, emails.slice(from, from + batchSize), now))
      statuses.set(email, status);
  }
  return checked.map(({ plan, ...row }) => ({
    ...row,
    plan: plan ?? { kind: 'invitee', status: statuses.get(row.email) ?? 'new' },
  }));
}

/** Plans invalid and repeated rows; the plan is null if it depends on the database. */
function checkRows(rows: readonly InputRow[]): (InputRow & { plan: RowPlan | null })[] {
  const firstLines = new Map<string, number>();
  return rows.map((row) => {
    const input = invitationSchema.safeParse({ email: row.email, full_name: row.fullName });
    const email = input.success ? input.data.email : normalizeEmail(row.email);
    const line = firstLines.get(email);
    if (line !== undefined) return { ...row, email, plan: { kind: 'repeated', line } };
    if (!input.success) {
      const reason = input.error.issues.map((issue) => issue.message).join('. ');
      return { ...row, plan: { kind: 'invalid', reason } };
    }
    firstLines.set(email, row.line);
    return { line: row.line, email, fullName: input.data.full_name, plan: null };
  });
}

async function readStatuses(
  tx: Transaction,
  emails: readonly string[],
  now: Date,
): Promise<{ email: string; status: InviteeStatus }[]> {
  return tx.query(
    sql`select input.email,
          case
            when u.id is not null and u.deleted_at is null and not coalesce(u.banned_until > ${now}, false)
              and exists (select from public.user_roles r where r.user_id = u.id and r.role = 'platform_admin')
              then 'administrator'
            when i.status in ('revoked', 'removed') then i.status
            when u.deleted_at is null and u.banned_until > ${now} then 'banned'
            when i.id is null then 'new'
            when i.status = 'pending' and i.expires_at > ${now} and newest.accepted_or_queued then 'pending'
            else 'reinvite'
          end as status
        from unnest(${[...emails]}::text[]) as input (email)
        left join private.invitations i on i.email = input.email
        left join auth.users u on u.email = input.email
        left join lateral (
          select d.status in ('handed_over', 'captured')
              or d.status = 'waiting' and (not d.attended or d.lease_until > ${now}) as accepted_or_queued
          from private.deliveries d where d.invitation_id = i.id and d.kind = 'invitation'
          order by d.created_at desc, d.id desc limit 1
        ) newest on true`,
  );
}

/**
 * Checks the status again under the lock of the email address, so that two concurrent lists do not invite a user twice.
 *
 * @throws DomainError with the status as its code
 */
export async function requireNeedsInvitation(tx: Transaction, email: string, now: Date): Promise<void> {
  await lockEmail(tx, email);
  const [row] = await readStatuses(tx, [email], now);
  if (row && !needsInvitation(row.status)) throw new DomainError(row.status, `${email} is ${row.status}.`);
}
