/**
 * Sends what waits in the delivery table: claims a few due mails, sends them outside any transaction,
 * records each outcome. Several copies of the service may run one each. A mail that was claimed by a
 * process that died is taken again when its lease ends.
 */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import {
  claimDueDeliveries,
  deleteDecoys,
  finishDelivery,
  deleteOldDeliveries,
  failAbandonedDeliveries,
  limitWaits,
  findNextDueAt,
  postponeDelivery,
  type ClaimedDeliveries,
  type ClaimedDelivery,
  type DeliveryEncryptor,
} from './deliveries.ts';
import { quotaMessage, limitOfWorker, readEmailQuota } from './email-quota.ts';
import { succeeded } from './email-job.ts';
import { logDelivery, type AttemptDelivery } from './delivery-attempt.ts';

export interface DeliveryWorker {
  wake(): void;
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface DeliveryWorkerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly keys: DeliveryEncryptor;
  readonly log: Logger;
  readonly now: () => Date;
  readonly sendOnce: AttemptDelivery;
  /** Milliseconds. */
  readonly leaseTime: number;
}

const atOnce = 5;
/** Looks by itself so often, for mails of copies that died and for missed wake-ups. Milliseconds. */
const lookInterval = 15_000;
/** Seconds before the second, third, ... try; afterwards the mail is given up. */
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
        // The database may be away for a while; the next look finds everything as it was.
        log.warn({ err: error }, 'the mail worker could not work');
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
  const timer = setInterval(wake, lookInterval);
  timer.unref();
  return {
    wake,
    idle: async () => {
      wake();
      await state.running;
    },
    close: async () => {
      state.closed = true;
      clearInterval(timer);
      await state.running;
    },
  };
}

/** @returns true when there may be more to do right now. */
async function sendSome(options: DeliveryWorkerOptions): Promise<boolean> {
  const { config, database, keys, now, leaseTime } = options;
  const { claimed, unreadable } = await database.transaction(async (tx) => {
    const at = now();
    await limitWaits(tx, { now: at, leaseMs: leaseTime, retryDelaysSeconds: retryDelaysSeconds });
    await failAbandonedDeliveries(tx, at);
    await deleteOldDeliveries(tx, new Date(at.getTime() - config.MAIL_RETENTION * 86_400_000));
    const due = await findNextDueAt(tx);
    if (due === null || due > at) return nothing;
    const limit = limitOfWorker(config.MAILS_PER_HOUR);
    const budget = await readEmailQuota(tx, limit, at);
    if (budget.left === 0) {
      options.log.warn(quotaMessage(limit, budget, at), 'mails wait');
      return nothing;
    }
    const leaseUntil = new Date(at.getTime() + leaseTime);
    return claimDueDeliveries(tx, keys, { now: at, leaseUntil, most: Math.min(atOnce, budget.left) });
  });
  const outcomes = await Promise.allSettled([
    ...claimed.map((delivery) => sendAndRecord(options, delivery)),
    ...unreadable.map((id) => giveUpUnreadable(options, id)),
  ]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.length > 0;
}

const nothing: ClaimedDeliveries = { claimed: [], unreadable: [] };

/** After a restore without its keys nobody can read the mail any more. */
async function giveUpUnreadable({ database, log, now }: DeliveryWorkerOptions, id: string): Promise<void> {
  const answer = 'The waiting mail was sealed with another key.';
  log.error({ delivery: id }, answer);
  await finishDelivery(database, id, { outcome: 'refused', answer, messageId: null, now: now() });
}

async function sendAndRecord(options: DeliveryWorkerOptions, delivery: ClaimedDelivery): Promise<void> {
  const { database, log, now } = options;
  const { id, job, tries } = delivery;
  if (job.decoy) return deleteDecoys(database, [id]);
  if (job.expiresAt && job.expiresAt <= now()) {
    const answer = 'The link ended before the mail could be sent.';
    await finishDelivery(database, id, { outcome: 'timed_out', answer, messageId: null, now: now() });
    return logDelivery(log, delivery, 'timed_out', answer);
  }
  const { outcome, temporary, serverResponse, messageId } = await options.sendOnce(delivery);
  const delay = retryDelaysSeconds[tries - 1];
  if (!succeeded(outcome) && temporary && delay !== undefined) {
    const dueAt = new Date(now().getTime() + delay * 1000);
    await postponeDelivery(database, id, { dueAt, answer: serverResponse });
    return logDelivery(log, delivery, 'postponed', serverResponse);
  }
  await finishDelivery(database, id, { outcome, answer: serverResponse, messageId, now: now() });
  return logDelivery(log, delivery, outcome, serverResponse);
}
