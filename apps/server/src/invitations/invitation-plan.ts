/** Plans the invitations of a list, row by row, without changing data. */
import {
  checkInvitees,
  type CheckedInvitee,
  type InviteeRow,
  type InviteeStatus,
} from '@lanternrock/contract/invitation-list';
import { type Transaction, sql } from '@lanternrock/postgres';
import { lockEmail } from '../administrators/email-action.ts';

type RowPlan =
  | { readonly kind: 'invitee'; readonly status: InviteeStatus }
  | NonNullable<CheckedInvitee['problem']>;

export interface PlannedRow extends Omit<CheckedInvitee, 'problem'> {
  readonly plan: RowPlan;
}

/** A status that needs no invitation, or forbids it. */
export type EndedStatus = Exclude<InviteeStatus, 'new' | 'reinvite'>;

export const needsInvitation = (status: InviteeStatus): status is Exclude<InviteeStatus, EndedStatus> =>
  status === 'new' || status === 'reinvite';

/** Maximum number of email addresses per statement. */
const batchSize = 1000;

/** Returns the plan of each row, in the order of the input. */
export async function planInvitations(
  tx: Transaction,
  rows: readonly InviteeRow[],
  now: Date,
): Promise<readonly PlannedRow[]> {
  const checked = checkInvitees(rows, now);
  const statuses = await readInviteeStatuses(
    tx,
    checked.flatMap(({ problem, email }) => (problem ? [] : [email])),
    now,
  );
  return checked.map(({ problem, ...row }) => ({
    ...row,
    plan: problem ?? { kind: 'invitee', status: statuses.get(row.email) ?? 'new' },
  }));
}

/** @param emails normalized */
export async function readInviteeStatuses(
  tx: Transaction,
  emails: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, InviteeStatus>> {
  const statuses = new Map<string, InviteeStatus>();
  for (let from = 0; from < emails.length; from += batchSize) {
    for (const { email, status } of await readStatuses(tx, emails.slice(from, from + batchSize), now))
      statuses.set(email, status);
  }
  return statuses;
}

async function readStatuses(
  tx: Transaction,
  emails: readonly string[],
  now: Date,
): Promise<{ email: string; status: InviteeStatus }[]> {
  return tx.query(
    sql`select input.email,
          case
            when exists (select from private.active_administrators a where a.id = u.id) then 'administrator'
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

/** A concurrent change made the invitation of an address superfluous, or forbade it. */
export class InvitationNotNeededError extends Error {
  readonly status: EndedStatus;

  constructor(status: EndedStatus) {
    super(`The status of the invitee is ${status}`);
    this.name = 'InvitationNotNeededError';
    this.status = status;
  }
}

/**
 * Checks the status again under the lock of the email address, so that two concurrent lists do not invite a user twice.
 *
 * @param invitee.again also allows an invitation that is pending
 * @throws InvitationNotNeededError
 */
export async function requireNeedsInvitation(
  tx: Transaction,
  { email, again, now }: { readonly email: string; readonly again: boolean; readonly now: Date },
): Promise<void> {
  await lockEmail(tx, email);
  const [row] = await readStatuses(tx, [email], now);
  if (!row || needsInvitation(row.status) || (again && row.status === 'pending')) return;
  throw new InvitationNotNeededError(row.status);
}
