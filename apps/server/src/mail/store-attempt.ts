/** Stores the result of a delivery attempt: a temporary failure is queued for the worker, everything else is final. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import { finishDelivery, postponeDelivery, type ClaimedDelivery } from './deliveries.ts';
import { succeeded, type DeliveryAttempt, type DeliveryOutcome } from './email-job.ts';

/**
 * Seconds before the second, third, ... attempt; the attempt after the last delay is the last one. Together more than four
 * days, as RFC 5321 section 4.5.4.1 requires.
 */
export const retryDelaysSeconds: readonly number[] = [
  30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400, 86_400,
];

/** The message ID is null if the email could not be composed. */
export type ComposedAttempt = DeliveryAttempt & { readonly messageId: string | null };

/** Time between two writes of an outcome, in milliseconds. */
const storeIntervalMs = 1000;

interface AttemptStore {
  readonly database: Database;
  readonly now: DatabaseClock['read'];
  /** Time of `performance.now()` after which a failed write is not repeated: the end of the lease, or earlier. */
  readonly retryUntil: number;
  /** Returns true when the service stops. */
  readonly isClosed: () => boolean;
}

/**
 * Stores the result. Repeats a failed write, because without a stored result the worker sends an accepted email again, and an
 * email whose caller waited counts as timed out.
 *
 * @returns the time of the next attempt; null if the result is final
 * @throws the error of the last write
 */
export async function storeAttempt(
  { database, now, retryUntil, isClosed }: AttemptStore,
  delivery: ClaimedDelivery,
  attempt: ComposedAttempt,
): Promise<Date | null> {
  for (;;) {
    try {
      return await storeOnce(database, delivery, attempt, await now(database));
    } catch (error) {
      if (isClosed() || performance.now() + storeIntervalMs >= retryUntil) throw error;
      await sleep(storeIntervalMs);
    }
  }
}

async function storeOnce(
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
