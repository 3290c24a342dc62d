/** What inviting a list of people would come to, row by row. Reads only. */
import { normalizeEmail } from '@lanternrock/contract/email';
import { invitationSchema } from '@lanternrock/contract/invitations';
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../errors.ts';
import { lockEmail } from './invitation-record.ts';

/**
 * - `missing`, `again`: to be invited, for the first time or because no mail of the open invitation
 *   was handed over, or none is open any more;
 * - `pending`: a mail was handed over or is on its way, and the invitation is open;
 * - `revoked`, `removed`, `banned`: somebody ended it on purpose, and no list undoes that.
 */
export type InviteeStatus =
  | 'missing'
  | 'again'
  | 'pending'
  | 'administrator'
  | 'revoked'
  | 'removed'
  | 'banned';

type RowPlan =
  | { readonly kind: 'person'; readonly standing: InviteeStatus }
  | { readonly kind: 'repeated'; readonly line: number }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface PlannedRow {
  readonly line: number;
  /** In its normal form; of an invalid row as it was given. */
  readonly email: string;
  readonly fullName: string;
  readonly plan: RowPlan;
}

type GivenRow = Omit<PlannedRow, 'plan'>;

export const needsInvitation = (standing: InviteeStatus): boolean =>
  standing === 'missing' || standing === 'again';

/** Addresses that one statement looks up. */
const atOnce = 1000;

/** @param rows as they were given; the plan keeps their order. */
export async function planInvitations(
  tx: Transaction,
  rows: readonly GivenRow[],
  now: Date,
): Promise<readonly PlannedRow[]> {
  const checked = checkRows(rows);
  const emails = checked.flatMap((row) => (row.plan ? [] : [row.email]));
  const standings = new Map<string, InviteeStatus>();
  for (let from = 0; from < emails.length; from += atOnce) {
    for (const { email, standing } of await readStandings(tx, emails.slice(from, from + atOnce), now))
      standings.set(email, standing);
  }
  return checked.map(({ plan, ...row }) => ({
    ...row,
    plan: plan ?? { kind: 'person', standing: standings.get(row.email) ?? 'missing' },
  }));
}

/** Null stands for a row that the database has to be asked about. */
function checkRows(rows: readonly GivenRow[]): (GivenRow & { plan: RowPlan | null })[] {
  const firstLines = new Map<string, number>();
  return rows.map((row) => {
    const person = invitationSchema.safeParse({ email: row.email, full_name: row.fullName });
    const email = person.success ? person.data.email : normalizeEmail(row.email);
    const line = firstLines.get(email);
    if (line !== undefined) return { ...row, email, plan: { kind: 'repeated', line } };
    if (!person.success) {
      const reason = person.error.issues.map((issue) => issue.message).join('. ');
      return { ...row, plan: { kind: 'invalid', reason } };
    }
    firstLines.set(email, row.line);
    return { line: row.line, email, fullName: person.data.full_name, plan: null };
  });
}

async function readStandings(
  tx: Transaction,
  emails: readonly string[],
  now: Date,
): Promise<{ email: string; standing: InviteeStatus }[]> {
  return tx.query(
    sql`select given.email,
          case
            when u.id is not null and u.deleted_at is null and not coalesce(u.banned_until > ${now}, false)
              and exists (select from public.user_roles r where r.user_id = u.id and r.role = 'platform_admin')
              then 'administrator'
            when i.status in ('revoked', 'removed') then i.status
            when u.deleted_at is null and u.banned_until > ${now} then 'banned'
            when i.id is null then 'missing'
            when i.status = 'pending' and i.expires_at > ${now} and newest.under_way then 'pending'
            else 'again'
          end as standing
        from unnest(${[...emails]}::text[]) as given (email)
        left join private.invitations i on i.email = given.email
        left join auth.users u on u.email = given.email
        left join lateral (
          select d.status in ('handed_over', 'captured')
              or d.status = 'waiting' and (not d.attended or d.lease_until > ${now}) as under_way
          from private.deliveries d where d.invitation_id = i.id and d.kind = 'invitation'
          order by d.created_at desc, d.id desc limit 1
        ) newest on true`,
  );
}

/**
 * Looks again under the address's lock, so that two lists at once mail nobody twice.
 * @throws ApiError 409 with the standing as its code
 */
export async function requireNeedsInvitation(tx: Transaction, email: string, now: Date): Promise<void> {
  await lockEmail(tx, email);
  const [row] = await readStandings(tx, [email], now);
  if (row && !needsInvitation(row.standing))
    throw new ApiError(409, row.standing, `${email} is ${row.standing}.`);
}
