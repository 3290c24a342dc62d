/** The status of email addresses with regard to an invitation. */
import {
  isInvitable,
  type InviteeStatus,
  type NotInvitableStatus,
} from '@lanternrock/contract/invitation-list';
import { type Transaction, sql } from '@lanternrock/postgres';

/** Maximum number of email addresses per query. */
const emailsPerQuery = 1000;

interface StatusOptions {
  readonly now: Date;
  /** SMTP_URL is set. Without a mail server, a captured email is not created again. */
  readonly hasMailServer: boolean;
}

/**
 * Reads the statuses of invitees.
 *
 * @param emails normalized
 */
export async function readInviteeStatuses(
  tx: Transaction,
  emails: readonly string[],
  options: StatusOptions,
): Promise<ReadonlyMap<string, InviteeStatus>> {
  const statuses = new Map<string, InviteeStatus>();
  for (let from = 0; from < emails.length; from += emailsPerQuery) {
    const batch = emails.slice(from, from + emailsPerQuery);
    for (const { email, status } of await readStatusBatch(tx, batch, options)) statuses.set(email, status);
  }
  return statuses;
}

async function readStatusBatch(
  tx: Transaction,
  emails: readonly string[],
  { now, hasMailServer }: StatusOptions,
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
          select d.status = 'handed_over' or d.status = 'captured' and not ${hasMailServer}::boolean
              or d.status = 'waiting' and (not d.attended or d.lease_until > ${now}) as accepted_or_queued
          from private.deliveries d where d.invitation_id = i.id and d.kind = 'invitation'
          order by d.created_at desc, d.id desc limit 1
        ) newest on true`,
  );
}

/** A concurrent change made the invitation unnecessary, or forbids it. */
export class NotInvitableError extends Error {
  readonly status: NotInvitableStatus;

  constructor(status: NotInvitableStatus) {
    super(`The status of the invitee is ${status}`);
    this.name = 'NotInvitableError';
    this.status = status;
  }
}

/**
 * Checks the status again. Call under the lock of the email address, so that two concurrent lists do not invite a user
 * twice.
 *
 * @param invitee.includePending also allows an invitation that is pending
 * @throws NotInvitableError
 */
export async function requireInvitable(
  tx: Transaction,
  invitee: StatusOptions & { readonly email: string; readonly includePending: boolean },
): Promise<void> {
  const { email, includePending } = invitee;
  const [row] = await readStatusBatch(tx, [email], invitee);
  if (!row || isInvitable(row.status) || (includePending && row.status === 'pending')) return;
  throw new NotInvitableError(row.status);
}
