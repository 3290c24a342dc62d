/** Stores the result of a delivery attempt: a temporary failure is queued for the worker, everything else is final. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import { finishDelivery, postponeDelivery, type ClaimedDelivery } from './deliveries.ts';
import { succeeded, type DeliveryAttempt, type DeliveryOutcome } from './email-job.ts';

/**
 * Seconds before the second, third, ... attempt. No attempt follows after the last delay. Together more than four days, as
 * RFC 5321 section 4.5.4.1 requires.
 */
export const retryDelaysSeconds: readonly number[] = [
  30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400, 86_400,
];

/** The message ID is null if the email could not be composed. */
export type ComposedAttempt = DeliveryAttempt & { readonly messageId: string | null };

/** Time between two attempts to store an outcome, in milliseconds. */
const storeIntervalMs = 1000;

interface AttemptStore {
  readonly database: Database;
  readonly now: DatabaseClock['read'];
  /** Time of `performance.now()` after which the outcome is no longer stored, because another attempt can follow. */
  readonly leaseEndsAt: number;
  /** Returns true when the service stops. */
  readonly isClosed: () => boolean;
}

/**
 * Stores the result. Retries until the lease ends, because an accepted email without a result is sent again.
 *
 * @returns the time of the next attempt; null if the result is final
 * @throws the error of the last try
 */
export async function storeAttempt(
  { database, now, leaseEndsAt, isClosed }: AttemptStore,
  delivery: ClaimedDelivery,
  attempt: ComposedAttempt,
): Promise<Date | null> {
  for (;;) {
    try {
      return await recordAttempt(database, delivery, attempt, await now(database));
    } catch (error) {
      if (isClosed() || performance.now() + storeIntervalMs >= leaseEndsAt) throw error;
      await sleep(storeIntervalMs);
    }
  }
}

async function recordAttempt(
  tx: Transaction,
  { id, tries }: ClaimedDelivery,
  { outcome, temporary, serverResponse: answer, messageId }: ComposedAttempt,
  now: Date,
): Promise<Date | null> {
  const delay = retryDelaysSeconds[tries - 1];
  if (succeeded(outcome) || !temporary || delay === undefined) {
    await finishDelivery(tx, id, { outcome, answer, messageId, now });
    return null;
  }
  const dueAt = new Date(now.getTime() + delay * 1000);
  await postponeDelivery(tx, id, { dueAt, answer });
  return dueAt;
}

/** Logs the outcome, without the link, the code and the recipient's email address. */
export function logDelivery(
  log: Logger,
  { id, job, tries }: ClaimedDelivery,
  outcome: DeliveryOutcome | 'postponed',
  serverResponse: string | null,
): void {
  const fields = { deliveryId: id, kind: job.kind, outcome, tries };
  if (outcome !== 'postponed' && succeeded(outcome)) log.info(fields, 'email accepted');
  else log.warn({ ...fields, serverResponse }, 'email not accepted');
}
