/** Calls that invite the same address while its mail is on the way share that mail and its outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { DeliveryOutcome, DeliveryResult } from '../mail/email-job.ts';
import { sendTimeoutMs } from '../mail/email-transport.ts';
import type { PendingInvitation } from './invitation-record.ts';

export interface SharedDelivery {
  readonly invitation: PendingInvitation;
  /** Id of the delivery to share. */
  readonly shared: string;
}

/**
 * The newest mail of the invitation, when it was still on its way as the call arrived. Runs under the
 * address's lock, so a second sender cannot begin meanwhile.
 */
export async function findSharedDelivery(
  tx: Transaction,
  invitationId: string,
  { arrivedAt, now }: { arrivedAt: Date; now: Date },
): Promise<SharedDelivery | null> {
  const [row] = await tx.query<{
    delivery: string;
    user_id: string;
    email: string;
    full_name: string;
    expires_at: Date;
    overlaps: boolean;
  }>(
    sql`select d.id as delivery, i.user_id, i.email, i.full_name, i.expires_at,
          case when d.status = 'waiting' then d.lease_until > ${now} else d.finished_at > ${arrivedAt} end as overlaps
        from private.deliveries d join private.invitations i on i.id = d.invitation_id
        where d.invitation_id = ${invitationId} and d.attended
          and i.status = 'pending' and i.user_id is not null
        order by d.created_at desc limit 1`,
  );
  if (!row?.overlaps) return null;
  const invitation: PendingInvitation = {
    id: invitationId,
    userId: row.user_id,
    email: row.email,
    fullName: row.full_name,
    expiresAt: row.expires_at,
  };
  return { invitation, shared: row.delivery };
}

const pollInterval = 100;

/** The outcome of a mail that another call, perhaps in another copy of the service, sends. */
export async function waitForOutcome(database: Database, deliveryId: string): Promise<DeliveryResult> {
  for (let waited = 0; waited <= sendTimeoutMs; waited += pollInterval) {
    const [row] = await database.query<{ status: DeliveryOutcome | 'waiting'; answer: string | null }>(
      sql`select status, answer from private.deliveries where id = ${deliveryId}`,
    );
    if (row && row.status !== 'waiting')
      return { outcome: row.status, temporary: row.status === 'timed_out', deliveryId, answer: row.answer };
    await sleep(pollInterval);
  }
  return { outcome: 'timed_out', temporary: true, deliveryId, answer: 'The mail is still on its way.' };
}
