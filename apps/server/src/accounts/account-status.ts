/** Sets the status of an account. The database knows the allowed transitions. */
import {
  type AccountStatus,
  accountStatusText,
  suspensionReasonSchema,
} from '@lanternrock/contract/account-status';
import { type Transaction, sql } from '@lanternrock/postgres';
import { QueryError } from '@lanternrock/postgres/errors';
import { accountNotFoundError, DomainError } from '../errors.ts';

export interface StatusChange {
  readonly accountId: string;
  readonly status: AccountStatus;
  /** Required for `suspended`, otherwise ignored. */
  readonly reason: string | undefined;
  /** `updated_at` of the row that the user saw; null replaces any version. */
  readonly updatedAt: string | null;
  /** The status that the user saw; undefined if only the version is known. */
  readonly previousStatus?: string | undefined;
  /** Null for the command line. */
  readonly actorId: string | null;
}

export interface ChangedAccount {
  readonly name: string;
  /** With microseconds. */
  readonly updated_at: string;
  readonly version_matched: boolean;
  /** The reason of a suspension that ended. */
  readonly previous_reason: string | null;
}

/**
 * @throws DomainError `validation_failed` without a valid reason for a suspension
 * @throws DomainError `account_not_found`
 * @throws DomainError `account_changed` if another user has changed the status since, or anything without `previousStatus`
 * @throws DomainError `status_not_allowed`
 */
export async function setAccountStatus(tx: Transaction, change: StatusChange): Promise<ChangedAccount> {
  const { accountId: id, status, updatedAt, previousStatus, actorId } = change;
  const reason = status === 'suspended' ? parseReason(change.reason) : null;
  const [current] = await tx.query<{
    name: string;
    status: string;
    reason: string | null;
    version_matched: boolean;
  }>(
    sql`select a.name, a.status, s.reason, coalesce(a.updated_at = ${updatedAt}::timestamptz, true) as version_matched
        from public.accounts a left join private.account_suspensions s on s.id = a.id
        where a.id = ${id} for update of a`,
  );
  if (!current) throw accountNotFoundError();
  const { name } = current;
  const isConflict =
    previousStatus === undefined ? !current.version_matched : current.status !== previousStatus;
  if (isConflict) {
    const message = `${name} was changed in the meantime and is ${accountStatusText(current.status)}. Check it and try again.`;
    throw new DomainError('account_changed', message);
  }
  if (current.status === status) {
    throw new DomainError('status_not_allowed', `${name} is already ${accountStatusText(status)}.`);
  }
  const updated = await update(tx, id, status).catch((error: unknown) => {
    if (!(error instanceof QueryError) || error.constraint !== 'accounts_status_transition') throw error;
    const message = `${name} is ${accountStatusText(current.status)} and cannot become ${accountStatusText(status)}.`;
    throw new DomainError('status_not_allowed', message, { cause: error });
  });
  if (reason !== null) {
    await tx.query(sql`insert into private.account_suspensions (id, reason, suspended_by)
      values (${id}, ${reason}, ${actorId})
      on conflict (id) do update set reason = excluded.reason, suspended_at = excluded.suspended_at,
        suspended_by = excluded.suspended_by`);
  }
  return {
    name,
    updated_at: updated,
    version_matched: current.version_matched,
    previous_reason: current.reason,
  };
}

function parseReason(text: string | undefined): string {
  const { data, error } = suspensionReasonSchema.safeParse(text ?? '');
  if (error) throw new DomainError('validation_failed', error.issues[0]?.message ?? 'Invalid reason');
  return data;
}

async function update(tx: Transaction, id: string, status: AccountStatus): Promise<string> {
  const [row] = await tx.query<{ updated_at: string }>(
    sql`update public.accounts set status = ${status} where id = ${id} returning to_jsonb(updated_at) #>> '{}' as updated_at`,
  );
  return row?.updated_at ?? '';
}

/**
 * Finds the members who lose their last active account with this one, except administrators. Call it after the status
 * has changed.
 */
export async function findMembersWithoutAccount(tx: Transaction, accountId: string): Promise<string[]> {
  const rows = await tx.query<{ user_id: string }>(
    sql`select m.user_id from private.active_memberships m
        where m.account_id = ${accountId}
          and not exists (select from private.active_administrators a where a.id = m.user_id)
          and not exists (
            select from private.active_memberships other join public.accounts a on a.id = other.account_id
            where other.user_id = m.user_id and a.status = 'active'
          )
        order by m.user_id`,
  );
  return rows.map(({ user_id }) => user_id);
}
