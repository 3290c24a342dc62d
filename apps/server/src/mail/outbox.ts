/**
 * The transactional outbox. An email is stored in the transaction of the action that causes it, and the worker sends
 * it after the commit. A caller that needs the outcome, as for a test email, claims the email in that transaction instead and
 * makes the first attempt. No email is sent inside a transaction.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Transaction } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { Config } from '../config/settings.ts';
import { composeMessage, formatMessageId } from './compose-message.ts';
import {
  deleteOldDeliveries,
  expireLeases,
  failAbandonedDeliveries,
  insertDelivery,
  type ClaimedDelivery,
  type DeliveryEncryptor,
} from './deliveries.ts';
import { createDeliveryWorker, type AttemptDelivery } from './delivery-worker.ts';
import {
  sendTimeoutMs,
  type DeliveryOutcome,
  type DeliveryResult,
  type EmailJob,
  type EmailTransport,
} from './email-job.ts';
import { logDelivery, storeAttempt } from './store-attempt.ts';
import { readEmailSender } from './sender.ts';

/** In milliseconds. Longer than the send timeout, so that a slow commit does not count as a stopped process. */
const leaseMs = sendTimeoutMs + 20_000;

export interface Outbox {
  /** Stores the email in the caller's transaction. Call `wake` after the commit. */
  enqueue(tx: Transaction, job: EmailJob): Promise<void>;
  /** Wakes the worker. Returns immediately. */
  wake(): void;
  /** Stores an email that the caller sends with `send` after the commit. */
  claim(tx: Transaction, job: EmailJob): Promise<ClaimedDelivery>;
  /**
   * Makes one attempt to send a claimed email, within `sendTimeoutMs`, and stores the outcome. After a temporary failure,
   * the worker makes the next attempts. Never throws.
   */
  send(claimed: ClaimedDelivery): Promise<DeliveryResult>;
  /**
   * Releases the emails that the previous process was sending. The worker sends them again, except those whose caller
   * waited: they count as timed out. Call before the first email is sent, and only if this process is the only one on its
   * database.
   */
  releaseAbandoned(): Promise<void>;
  /** Resolves when no due email is left in the queue. */
  idle(): Promise<void>;
  /** Deletes records that are older than MAIL_RETENTION. */
  purge(): Promise<void>;
  /** Waits for the emails that are being sent. Queued emails stay in the table. */
  close(): Promise<void>;
}

interface OutboxOptions {
  readonly config: Config;
  readonly database: Database;
  readonly keys: DeliveryEncryptor;
  readonly log: Logger;
  readonly now: DatabaseClock['read'];
  /** Called after every attempt. */
  readonly onAttempt?: (outcome: DeliveryOutcome) => void;
  readonly transport: EmailTransport;
}

/** Returns a function that composes an email with the current settings and makes one attempt to send it. */
function createAttemptDelivery({
  config,
  database,
  log,
  now,
  onAttempt,
  transport,
}: OutboxOptions): AttemptDelivery {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  const composeAndDeliver: AttemptDelivery = async ({ id, job }) => {
    try {
      const sender = await readEmailSender(database, config, job.kind);
      const messageId = formatMessageId(id, sender);
      const context = { productName: config.PRODUCT_NAME, siteUrl: config.SITE_URL, timeZone };
      const message = composeMessage({ job, sender, context, messageId, date: await now(database) });
      return { ...(await transport.deliver(message)), messageId };
    } catch (error) {
      log.error({ err: error, deliveryId: id, kind: job.kind }, 'email could not be composed');
      return {
        outcome: 'refused',
        temporary: true,
        serverResponse: 'The email could not be composed.',
        messageId: null,
      };
    }
  };
  return async (delivery) => {
    const attempt = await composeAndDeliver(delivery);
    onAttempt?.(attempt.outcome);
    return attempt;
  };
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { config, database, keys, log, now, transport } = options;
  if (config.SMTP_URL === '' && config.MIGRATE)
    log.warn('SMTP_URL is not set: emails are saved in the local mailbox and are not sent');
  const attemptDelivery = createAttemptDelivery(options);
  let closed = false;
  const isClosed = (): boolean => closed;
  const worker = createDeliveryWorker({ ...options, attemptDelivery, leaseMs, isClosed });

  return {
    enqueue: async (tx, job) =>
      insertDelivery(tx, keys, { id: randomUUID(), job, now: await now(tx), leaseUntil: null }),
    wake: worker.wake,
    claim: async (tx, job) => {
      const id = randomUUID();
      const at = await now(tx);
      await insertDelivery(tx, keys, { id, job, now: at, leaseUntil: new Date(at.getTime() + leaseMs) });
      return { id, job, tries: 1 };
    },
    send: async (claimed) => {
      // The caller waits, so the outcome has no more time than the email.
      const retryUntil = performance.now() + sendTimeoutMs;
      const attempt = await attemptDelivery(claimed);
      const { outcome, serverResponse: answer } = attempt;
      let retryAt: Date | null = null;
      try {
        retryAt = await storeAttempt({ database, now, retryUntil, isClosed }, claimed, attempt);
      } catch (error) {
        // The caller still gets the outcome. The row is marked as timed out when its lease expires.
        log.error({ err: error, deliveryId: claimed.id }, 'email outcome could not be stored');
      }
      logDelivery(log, claimed, retryAt ? 'postponed' : outcome, answer);
      return { outcome, retryAt, answer };
    },
    releaseAbandoned: async () =>
      database.transaction(async (tx) => {
        const at = await now(tx);
        await expireLeases(tx, at);
        await failAbandonedDeliveries(tx, at);
      }),
    idle: worker.idle,
    purge: async () => {
      const at = await now(database);
      await deleteOldDeliveries(database, new Date(at.getTime() - config.MAIL_RETENTION * 86_400_000));
    },
    close: async () => {
      closed = true;
      await worker.stopped();
      await transport.close();
    },
  };
}
