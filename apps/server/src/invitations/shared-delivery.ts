/** Concurrent calls that invite the same email address share one email and its outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { sendTimeoutMs, type DeliveryOutcome, type DeliveryResult } from '../mail/email-job.ts';
import { retryDelaysSeconds } from '../mail/record-attempt.ts';
import type { PendingInvitation } from './invitation-record.ts';

interface SharedDelivery {
  readonly invitation: PendingInvitation;
  /** ID of the shared delivery. */
  readonly shared: string;
}

/**
 * Finds the last email of the invitation if it was being sent when the request arrived, also by the worker. Call under the
 * lock of the email address, so that no other call starts to send.
 */
export async function findSharedDelivery(
  tx: Transaction,
  invitationId: string,
  { arrivedAt, now }: { arrivedAt: Date; now: Date },
): Promise<SharedDelivery | null> {
  // A first attempt that failed after the request arrived: its retry is due one delay later.
  const failedAfter = new Date(arrivedAt.getTime() + (retryDelaysSeconds[0] ?? 0) * 1000);
  const [row] = await tx.query<{
    delivery_id: string;
    user_id: string;
    email: string;
    full_name: string;
    expires_at: Date;
    note: string | null;
    overlaps: boolean;
  }>(
    sql`select d.id as delivery_id, i.user_id, i.email, i.full_name, i.expires_at, i.note,
          case when d.status = 'waiting' then d.lease_until > ${now} or d.tries = 1 and d.due_at > ${failedAfter}
            else d.attended and d.finished_at > ${arrivedAt} end as overlaps
        from private.deliveries d join private.invitations i on i.id = d.invitation_id
        where d.invitation_id = ${invitationId} and d.kind = 'invitation'
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
    note: row.note,
    isNew: false,
  };
  return { invitation, shared: row.delivery_id };
}

const pollIntervalMs = 100;

interface OutcomeRow {
  status: DeliveryOutcome | 'waiting';
  answer: string | null;
  due_at: Date;
  is_sending: boolean;
}

/**
 * Waits for the outcome of an email that another call sends, possibly in another replica.
 *
 * @returns the outcome `waiting` if the email is still being sent after `sendTimeoutMs`
 */
export async function waitForOutcome(database: Database, deliveryId: string): Promise<DeliveryResult> {
  for (let waitedMs = 0; waitedMs <= sendTimeoutMs; waitedMs += pollIntervalMs) {
    const [row] = await database.query<OutcomeRow>(
      sql`select status, answer, due_at, lease_until is not null as is_sending
          from private.deliveries where id = ${deliveryId}`,
    );
    if (row && row.status !== 'waiting') return { outcome: row.status, retryAt: null, answer: row.answer };
    if (row && !row.is_sending) return { outcome: 'refused', retryAt: row.due_at, answer: row.answer };
    await sleep(pollIntervalMs);
  }
  return { outcome: 'waiting', retryAt: null, answer: null };
}
