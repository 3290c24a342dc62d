/**
 * Sends queued emails: claims a few due deliveries, sends them outside any transaction and stores the outcomes. Every
 * replica runs a worker. If a process stops while it sends, another attempt follows when the lease expires.
 */
import type { Logger } from 'pino';
import { logBackgroundFailure } from '../log.ts';
import type { Database } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { Config } from '../config/settings.ts';
import {
  deleteDecoys,
  finishDelivery,
  deleteOldDeliveries,
  failAbandonedDeliveries,
  limitWaits,
  findNextDueAt,
  postponeDelivery,
  type ClaimedDelivery,
  type DeliveryEncryptor,
} from './deliveries.ts';
import { claimDueDeliveries, type ClaimedDeliveries } from './claim-deliveries.ts';
import { succeeded, type DeliveryAttempt, type DeliveryOutcome } from './email-job.ts';

/** Composes and sends an email. Never throws. The message ID is null if the email could not be composed. */
export type AttemptDelivery = (
  delivery: ClaimedDelivery,
) => Promise<DeliveryAttempt & { readonly messageId: string | null }>;

interface DeliveryWorker {
  wake(): void;
  idle(): Promise<void>;
  close(): Promise<void>;
}

interface DeliveryWorkerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly keys: DeliveryEncryptor;
  readonly log: Logger;
  readonly now: DatabaseClock['read'];
  readonly attemptDelivery: AttemptDelivery;
  /** Lease duration, in milliseconds. */
  readonly leaseMs: number;
}

/** Maximum number of emails that one worker sends concurrently. */
const maxConcurrent = 5;
/** Seconds before the second, third, ... attempt. No attempt follows after the last delay. */
export const retryDelaysSeconds: readonly number[] = [30, 120, 600, 1800, 3600, 3600, 3600];

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { log } = options;
  const state = { running: null as Promise<void> | null, again: false, closed: false };

  const run = async (): Promise<void> => {
    do {
      state.again = false;
      try {
        while (!state.closed && (await sendSome(options))) continue;
      } catch (error) {
        // The database may be unavailable temporarily; the next poll retries.
        logBackgroundFailure(log, error, 'delivery worker failed');
      }
    } while (state.again && !state.closed);
  };
  const wake = (): void => {
    state.again = true;
    if (state.closed || state.running) return;
    state.running = run().finally(() => {
      state.running = null;
    });
  };
  return {
    wake,
    idle: async () => {
      wake();
      await state.running;
    },
    close: async () => {
      state.closed = true;
      await state.running;
    },
  };
}

/** Sends one batch. Returns true if more deliveries may be due now. */
async function sendSome(options: DeliveryWorkerOptions): Promise<boolean> {
  const { config, database, keys, now, leaseMs } = options;
  const { claimed, unreadable, quotaReached } = await database.transaction(async (tx) => {
    const at = await now(tx);
    await limitWaits(tx, { now: at, leaseMs, retryDelaysSeconds });
    await failAbandonedDeliveries(tx, at);
    await deleteOldDeliveries(tx, new Date(at.getTime() - config.MAIL_RETENTION * 86_400_000));
    const due = await findNextDueAt(tx);
    if (due === null || due > at) return nothing;
    const leaseUntil = new Date(at.getTime() + leaseMs);
    const limit = config.MAILS_PER_HOUR;
    return claimDueDeliveries(tx, keys, { now: at, leaseUntil, max: maxConcurrent, limit });
  });
  if (quotaReached) options.log.warn({ limit: config.MAILS_PER_HOUR }, 'email quota reached');
  const outcomes = await Promise.allSettled([
    ...claimed.map((delivery) => sendAndRecord(options, delivery)),
    ...unreadable.map((id) => failUnreadable(options, id)),
  ]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.length > 0;
}

const nothing: ClaimedDeliveries = { claimed: [], unreadable: [], quotaReached: false };

/** Fails a delivery that cannot be decrypted, for example after a restore without the keys. */
async function failUnreadable({ database, log, now }: DeliveryWorkerOptions, id: string): Promise<void> {
  const answer = 'The email was encrypted with another key.';
  log.error({ deliveryId: id }, 'email cannot be decrypted');
  await finishDelivery(database, id, {
    outcome: 'refused',
    answer,
    messageId: null,
    now: await now(database),
  });
}

async function sendAndRecord(options: DeliveryWorkerOptions, delivery: ClaimedDelivery): Promise<void> {
  const { database, log, now } = options;
  const { id, job, tries } = delivery;
  if (job.decoy) return deleteDecoys(database, [id]);
  if (job.expiresAt && job.expiresAt <= (await now(database))) {
    const answer = 'The link expired before the email was sent.';
    await finishDelivery(database, id, {
      outcome: 'timed_out',
      answer,
      messageId: null,
      now: await now(database),
    });
    return logDelivery(log, delivery, 'timed_out', answer);
  }
  const { outcome, temporary, serverResponse, messageId } = await options.attemptDelivery(delivery);
  const delay = retryDelaysSeconds[tries - 1];
  if (!succeeded(outcome) && temporary && delay !== undefined) {
    const dueAt = new Date((await now(database)).getTime() + delay * 1000);
    await postponeDelivery(database, id, { dueAt, answer: serverResponse });
    return logDelivery(log, delivery, 'postponed', serverResponse);
  }
  await finishDelivery(database, id, {
    outcome,
    answer: serverResponse,
    messageId,
    now: await now(database),
  });
  return logDelivery(log, delivery, outcome, serverResponse);
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
