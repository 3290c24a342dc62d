/** Lists the open invitations of members of an account. */
import {
  maxMemberInvitations,
  type MemberInvitation,
  type MemberInvitationsResponse,
} from '@lanternrock/contract/member-invitations';
import { type Transaction, sql } from '@lanternrock/postgres';
import { accountNotFoundError } from '../errors.ts';
import { readMemberEmailStatuses } from './member-email-status.ts';

interface Row extends Pick<MemberInvitation, 'id' | 'email' | 'full_name' | 'invited_by'> {
  readonly invited_at: Date;
  readonly expires_at: Date;
  readonly ends_at: Date | null;
}

/**
 * Reads the pending and the expired invitations, newest first.
 *
 * @throws DomainError account_not_found
 */
export async function readMemberInvitations(
  tx: Transaction,
  { accountId, now }: { readonly accountId: string; readonly now: Date },
): Promise<MemberInvitationsResponse> {
  const accounts = await tx.query(sql`select from public.accounts where id = ${accountId}`);
  if (accounts.length === 0) throw accountNotFoundError();
  const rows = await tx.query<Row>(
    sql`select i.id, i.email, i.full_name, i.invited_at, i.expires_at, i.membership_ends_at as ends_at,
          private.display_name(p.full_name, b.email) as invited_by
        from private.member_invitations i
          left join auth.users b on b.id = i.invited_by
          left join public.profiles p on p.id = i.invited_by
        where i.account_id = ${accountId} and i.status = 'pending'
          -- A person who has become a member in another way.
          and not exists (select from public.account_members m where m.account_id = i.account_id and m.user_id = i.user_id)
        order by i.invited_at desc, i.id desc limit ${maxMemberInvitations + 1}`,
  );
  const shown = rows.slice(0, maxMemberInvitations);
  const emails = await readMemberEmailStatuses(
    tx,
    shown.map(({ id }) => id),
    now,
  );
  return {
    invitations: shown.map(({ invited_at: invited, expires_at: expires, ends_at: end, ...row }) => ({
      ...row,
      status: expires <= now ? 'expired' : 'pending',
      invited_at: invited.toISOString(),
      expires_at: expires.toISOString(),
      ends_at: end?.toISOString() ?? null,
      ...(emails.get(row.id) ?? { email_status: null, link_allowed: false }),
    })),
    more: rows.length > maxMemberInvitations,
  };
}
