/** Keeps the link of a queued invitation valid until its email is sent. */
import { createHash } from 'node:crypto';
import type { Transaction } from '@lanternrock/postgres';
import { sqlOfKind, type InvitationKind } from './invitation-tables.ts';

interface RenewRequest {
  readonly kind: InvitationKind;
  readonly invitationId: string;
  readonly link: string;
  readonly now: Date;
  /** INVITATION_TTL. */
  readonly ttlSeconds: number;
}

/**
 * Starts the validity of the link again if more than half of it passed before the email was sent: its recipient does not
 * have the link yet. An end that the inviter chose as a date stays, and no link outlasts the membership that it gives.
 *
 * @returns the new expiry, null if it stays; undefined if the invitation is not open, or its membership has ended
 */
export async function renewInvitation(
  tx: Transaction,
  { kind, invitationId, link, now, ttlSeconds }: RenewRequest,
): Promise<Date | null | undefined> {
  const tokenHash = parseTokenHash(link);
  const [open] = await tx.query<{ is_old: boolean }>(
    sqlOfKind(
      kind,
    )`select coalesce(i.term_until is null and ${now}::timestamptz - t.created_at > (t.expires_at - t.created_at) / 2, false)
          as is_old
        from private.invitations i
          left join private.invitation_tokens t on t.invitation_id = i.id and t.token_hash = ${tokenHash}
        where i.id = ${invitationId} and i.status = 'pending'
          and (membership_ends_at <= ${now}) is not true`,
  );
  if (!open?.is_old) return open && null;
  const [renewed] = await tx.query<{ expires_at: Date }>(
    sqlOfKind(kind)`update private.invitations
        set expires_at = least(membership_ends_at,
          greatest(expires_at, private.invitation_expiry(term_seconds, null, ${ttlSeconds}, ${now})))
        where id = ${invitationId} and status = 'pending' returning expires_at`,
  );
  if (!renewed) return undefined;
  await tx.query(
    sqlOfKind(
      kind,
    )`update private.invitation_tokens set created_at = ${now}, expires_at = ${renewed.expires_at}
        where token_hash = ${tokenHash}`,
  );
  return renewed.expires_at;
}

const parseTokenHash = (link: string): Buffer =>
  createHash('sha256')
    .update(new URL(link).searchParams.get('token_hash') ?? '')
    .digest();
