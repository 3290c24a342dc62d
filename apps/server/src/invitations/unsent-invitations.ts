/**
 * Lists open invitations whose email was not accepted: rejected, timed out, or interrupted when the service stopped.
 */
import { maxUnsentInvitations, type UnsentInvitation } from '@lanternrock/contract/invitations';
import { type Transaction, sql } from '@lanternrock/postgres';
import { replacedAnswerPatterns } from '../mail/deliveries.ts';

/** Uses the last email of each invitation. An invitation without an email, or whose email a link replaced, was shared as a link. */
export async function readUnsent(tx: Transaction, now: Date): Promise<UnsentInvitation[]> {
  return tx.query<UnsentInvitation>(
    sql`select i.id, i.email, i.full_name, newest.status, newest.answer
        from private.invitations i
        cross join lateral (
          select d.status, d.attended, d.lease_until, d.answer from private.deliveries d
          where d.invitation_id = i.id and d.kind = 'invitation'
          order by d.created_at desc, d.id desc limit 1
        ) newest
        where i.status = 'pending' and i.expires_at > ${now}
          and coalesce(newest.answer, '') not like all (${replacedAnswerPatterns}::text[])
          and (newest.status in ('refused', 'timed_out')
               or newest.status = 'waiting' and newest.attended and newest.lease_until <= ${now})
        order by i.invited_at, i.id limit ${maxUnsentInvitations}`,
  );
}
