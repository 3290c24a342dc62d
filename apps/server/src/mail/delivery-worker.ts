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
  failAbandonedDeliveries,
  limitWaits,
  findNextDueAt,
  type ClaimedDelivery,
  type DeliveryEncryptor,
} from './deliveries.ts';
import { claimDueDeliveries, type ClaimedDeliveries } from './claim-deliveries.ts';
import { logDelivery, retryDelaysSeconds, storeAttempt, type ComposedAttempt } from './record-attempt.ts';

/** Composes and sends an email. Never throws. */
export type AttemptDelivery = (delivery: ClaimedDelivery) => Promise<ComposedAttempt>;

interface DeliveryWorker {
  wake(): void;
  idle(): Promise<void>;
  /** Resolves when nothing is being sent. */
  stopped(): Promise<void>;
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
  /** Returns true when the service stops. */
  readonly isClosed: () => boolean;
}

/** Maximum number of emails that one worker sends concurrently. */
const maxConcurrent = 5;

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { log, isClosed } = options;
  const state = { running: null as Promise<void> | null, again: false };
  const quota = { reached: false };

  const run = async (): Promise<void> => {
    do {
      state.again = false;
      try {
        while (!isClosed() && (await sendSome(options, quota))) continue;
      } catch (error) {
        // The database may be unavailable temporarily; the next poll retries.
        logBackgroundFailure(log, error, 'delivery worker failed');
      }
    } while (state.again && !isClosed());
  };
  const wake = (): void => {
    state.again = true;
    if (isClosed() || state.running) return;
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
    stopped: async () => {
      await state.running;
    },
  };
}

/**
 * Sends one batch. Returns true if more deliveries may be due now.
 *
 * @param quota whether the last batch reached the quota, which is logged once
 */
async function sendSome(options: DeliveryWorkerOptions, quota: { reached: boolean }): Promise<boolean> {
  const { config, database, keys, now, leaseMs } = options;
  const { claimed, unreadable, quotaReached } = await database.transaction(async (tx) => {
    const at = await now(tx);
    await limitWaits(tx, { now: at, leaseMs, retryDelaysSeconds });
    await failAbandonedDeliveries(tx, at);
    const due = await findNextDueAt(tx);
    if (due === null || due > at) return nothing;
    const leaseUntil = new Date(at.getTime() + leaseMs);
    const limit = config.MAILS_PER_HOUR;
    const invitationTtlSeconds = config.INVITATION_TTL;
    return claimDueDeliveries(tx, keys, {
      now: at,
      leaseUntil,
      max: maxConcurrent,
      limit,
      invitationTtlSeconds,
    });
  });
  if (quotaReached && !quota.reached)
    options.log.warn({ limit: config.MAILS_PER_HOUR }, 'email quota reached');
  quota.reached = quotaReached;
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
  const { id, job } = delivery;
  if (job.decoy) return deleteDecoys(database, [id]);
  const at = await now(database);
  const isExpired = job.expiresAt !== undefined && job.expiresAt <= at;
  const answer = delivery.obsolete ?? (isExpired ? 'The link expired before the email was sent.' : null);
  if (answer !== null) {
    // Not `timed_out`: no mail server has this email.
    await finishDelivery(database, id, { outcome: 'refused', answer, messageId: null, now: at });
    return logDelivery(log, delivery, 'refused', answer);
  }
  const leaseEndsAt = performance.now() + options.leaseMs;
  const attempt = await options.attemptDelivery(delivery);
  const { isClosed } = options;
  const retryAt = await storeAttempt({ database, now, leaseEndsAt, isClosed }, delivery, attempt);
  logDelivery(log, delivery, retryAt ? 'postponed' : attempt.outcome, attempt.serverResponse);
}
