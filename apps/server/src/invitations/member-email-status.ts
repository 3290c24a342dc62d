/** Reads what happened to the last email of invitations of members, and whether a link can replace it. */
import type { MemberInvitation } from '@lanternrock/contract/member-invitations';
import { type Transaction, sql } from '@lanternrock/postgres';
import { isLinkAllowed, type NewestEmail } from './link-allowed.ts';

type MemberEmailStatus = Pick<MemberInvitation, 'email_status' | 'link_allowed'>;

interface Row {
  readonly id: string;
  readonly status: string;
  readonly has_sign_in_method: boolean;
  readonly email_status: NewestEmail['status'] | null;
  readonly answer: string | null;
  readonly is_sending: boolean;
}

/**
 * @param ids of invitations
 * @returns by the ID
 */
export async function readMemberEmailStatuses(
  tx: Transaction,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, MemberEmailStatus>> {
  const rows = await tx.query<Row>(
    sql`select i.id, i.status, coalesce(auth.has_sign_in_method(i.user_id), false) as has_sign_in_method,
          newest.status as email_status, newest.answer, coalesce(newest.lease_until > ${now}, false) as is_sending
        from private.member_invitations i
          left join lateral (
            select d.status, d.answer, d.lease_until from private.deliveries d
            where d.member_invitation_id = i.id
            order by d.created_at desc, d.id desc limit 1
          ) newest on true
        where i.id = any (${[...ids]}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.id, toStatus(row)]));
}

function toStatus(row: Row): MemberEmailStatus {
  const { status, has_sign_in_method: hasSignInMethod, email_status: emailStatus } = row;
  const newest = emailStatus && { ...row, status: emailStatus };
  return { email_status: emailStatus, link_allowed: isLinkAllowed({ status, hasSignInMethod, newest }) };
}
