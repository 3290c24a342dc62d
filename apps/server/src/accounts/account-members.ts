/** Members of an account: reads and changes, each in the transaction of an administrator. */
import {
  membersPageSize,
  type AccountMember,
  type AccountMembersResponse,
  type MemberChangeResponse,
} from '@lanternrock/contract/account-members';
import { findInvitableUser } from '@lanternrock/auth/users';
import { sql, type Transaction } from '@lanternrock/postgres';
import { accountNotFoundError, DomainError } from '../errors.ts';
import { toMembershipError } from '../to-membership-error.ts';
import { membershipEndedError } from './membership-ends.ts';

interface MemberId {
  readonly accountId: string;
  readonly userId: string;
}

/**
 * Reads the number of active members. The stored number still counts a member in the seconds between the end of the membership
 * and its settlement.
 *
 * @throws DomainError account_not_found
 */
async function readActiveMembers(tx: Transaction, accountId: string): Promise<number> {
  const [account] = await tx.query<{ active_members: number }>(
    sql`select a.active_members - (select count(*) from public.account_members m
            where m.account_id = a.id and m.status = 'active' and m.ends_at <= now())::int as active_members
        from public.accounts a where a.id = ${accountId}`,
  );
  if (!account) throw accountNotFoundError();
  return account.active_members;
}

interface MembersPage {
  readonly accountId: string;
  /** Undefined for all members. */
  readonly userId?: string;
  readonly after?: AccountMembersResponse['next'];
}

/** Reads members with their user, newest first; one more than a page. */
const queryMembers = (
  tx: Transaction,
  { accountId, userId, after = null }: MembersPage,
): Promise<readonly AccountMember[]> =>
  tx.query<AccountMember>(
    sql`select m.id, m.user_id, p.full_name, u.email,
          case when m.status = 'active' and m.ends_at <= now() then 'ended' else m.status end as status,
          to_json(m.created_at) #>> '{}' as created_at, to_json(m.ends_at) #>> '{}' as ends_at,
          coalesce(o.accounts, '[]') as other_accounts, coalesce(o.total, 0)::int as other_accounts_total
        from (
          select * from public.account_members
            where account_id = ${accountId} and (${userId ?? null}::uuid is null or user_id = ${userId ?? null}::uuid)
              and (${after?.id ?? null}::uuid is null
                or (created_at, id) < (${after?.created_at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
            order by created_at desc, id desc limit ${membersPageSize + 1}
        ) m
        join auth.users u on u.id = m.user_id
        left join public.profiles p on p.id = m.user_id
        left join lateral (
          select json_agg(json_build_object('id', f.id, 'name', f.name) order by f.place)
              filter (where f.place <= 5) as accounts, count(*) as total
            from (
              select a.id, a.name, row_number() over (order by a.name, a.id) as place
                from public.account_members other join public.accounts a on a.id = other.account_id
                where other.user_id = m.user_id and other.account_id <> m.account_id
                  and (other.ends_at <= now()) is not true
            ) f
        ) o on true
        order by m.created_at desc, m.id desc`,
  );

/**
 * Reads a page of members, newest first.
 *
 * @throws DomainError account_not_found
 */
export async function readMembers(
  tx: Transaction,
  accountId: string,
  after: AccountMembersResponse['next'],
): Promise<AccountMembersResponse> {
  const activeMembers = await readActiveMembers(tx, accountId);
  const members = await queryMembers(tx, { accountId, after });
  const page = members.slice(0, membersPageSize);
  const last = members.length > page.length ? page.at(-1) : undefined;
  return {
    members: page,
    next: last ? { created_at: last.created_at, id: last.id } : null,
    active_members: activeMembers,
  };
}

/** Returns the response after a change of the membership with the ID `changed`; undefined if nothing changed. */
export async function changeResponse(
  tx: Transaction,
  member: MemberId,
  changed: string | undefined,
): Promise<MemberChangeResponse> {
  const [entry] = await tx.query<{ id: string }>(
    sql`select id::text from private.audit_log
        where at = now() and table_name = 'public.account_members' and row_id = ${changed ?? null}
        order by audit_log.id desc limit 1`,
  );
  return {
    member: (await queryMembers(tx, member))[0] ?? null,
    active_members: await readActiveMembers(tx, member.accountId),
    change: entry?.id ?? null,
  };
}

interface NewMember {
  readonly accountId: string;
  readonly email: string;
  /** In the future; null for none. */
  readonly endsAt: Date | null;
  readonly now: Date;
}

/**
 * Adds an existing user. The response is the same for an unknown, a blocked and an unconfirmed email address.
 *
 * @throws DomainError account_not_found, no_user, already_member
 * @throws DomainError membership_outlasts_role, if the role of the administrator ends earlier
 */
export async function addMember(
  tx: Transaction,
  { accountId, email, endsAt, now }: NewMember,
): Promise<MemberChangeResponse> {
  await readActiveMembers(tx, accountId);
  const user = await findInvitableUser(tx, email, now);
  if (!user || user.isBlocked || !user.canSignIn) {
    const advice = 'Check the address, or invite the person as a member.';
    throw new DomainError('no_user', `No user with the email address ${email} can sign in. ${advice}`);
  }
  const [added] = await tx
    .query<{ id: string }>(
      sql`insert into public.account_members (account_id, user_id, ends_at)
          values (${accountId}, ${user.id}, ${endsAt})
          on conflict (account_id, user_id) do nothing returning id`,
    )
    .catch((error: unknown) => {
      throw toMembershipError(error);
    });
  if (!added) throw new DomainError('already_member', `${email} is already a member of this account.`);
  return changeResponse(tx, { accountId, userId: user.id }, added.id);
}

const noMember = (): DomainError =>
  new DomainError('no_member', 'This user is no longer a member of the account.');

interface MemberUpdate extends MemberId {
  /** Undefined keeps the status. An ended membership with a new end date is active again. */
  readonly status?: string | undefined;
  /** In the future; null removes the end date, undefined keeps it. */
  readonly endsAt?: Date | null | undefined;
}

/**
 * Changes the status or the end date of a membership, or both. The database rejects a change of one's own end date.
 *
 * @throws DomainError no_member, own_membership, membership_outlasts_role
 * @throws DomainError membership_ended, for a reactivation after the end without a new one
 */
export async function setMember(
  tx: Transaction,
  { status, endsAt, ...member }: MemberUpdate,
): Promise<MemberChangeResponse> {
  const { accountId, userId } = member;
  const setsEnd = endsAt !== undefined;
  const [current] = await tx.query<{ has_ended: boolean }>(
    sql`select coalesce(ends_at <= now(), false) as has_ended from public.account_members
        where account_id = ${accountId} and user_id = ${userId} for no key update`,
  );
  if (!current) throw noMember();
  if (status === 'active' && !setsEnd && current.has_ended) throw membershipEndedError();
  const [changed] = await tx
    .query<{ id: string }>(
      sql`update public.account_members
          set status = coalesce(${status ?? null}, status),
            ends_at = case when ${setsEnd}::boolean then ${endsAt ?? null}::timestamptz else ends_at end
          where account_id = ${accountId} and user_id = ${userId}
            and (status <> coalesce(${status ?? null}, status)
              or ${setsEnd}::boolean and ends_at is distinct from ${endsAt ?? null}::timestamptz)
          returning id`,
    )
    .catch((error: unknown) => {
      throw toMembershipError(error);
    });
  return changeResponse(tx, member, changed?.id);
}

/** @throws DomainError no_member, own_membership */
export async function removeMember(tx: Transaction, member: MemberId): Promise<MemberChangeResponse> {
  const [removed] = await tx
    .query<{ id: string }>(
      sql`delete from public.account_members
          where account_id = ${member.accountId} and user_id = ${member.userId} returning id`,
    )
    .catch((error: unknown) => {
      throw toMembershipError(error);
    });
  if (!removed) throw noMember();
  return changeResponse(tx, member, removed.id);
}
