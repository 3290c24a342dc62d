/**
 * Outgoing mail. Most mail is written to the delivery table in the transaction of the act it belongs
 * to and sent afterwards by the worker below; an invitation's mail is claimed in that transaction and
 * sent by the caller, who needs the outcome. Nothing is ever sent inside a transaction.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Transaction } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { composeMessage, messageIdFor } from './compose-message.ts';
import {
  expireLeases,
  finishDelivery,
  failAbandonedDeliveries,
  insertDelivery,
  type ClaimedDelivery,
  type DeliveryEncryptor,
} from './deliveries.ts';
import { createDeliveryWorker } from './delivery-worker.ts';
import type { DeliveryOutcome, DeliveryResult, EmailJob } from './email-job.ts';
import { logDelivery, type AttemptDelivery } from './delivery-attempt.ts';
import { sendTimeoutMs, type EmailTransport } from './email-transport.ts';
import { readSender } from './sender.ts';

/** Beyond the send limit, so that a slow report is not mistaken for a dead sender. Milliseconds. */
const leaseTime = sendTimeoutMs + 20_000;

export interface Outbox {
  /** Writes the mail in the caller's transaction; call `wake` after the commit. */
  enqueue(tx: Transaction, job: EmailJob): Promise<void>;
  /** Tells the worker that there is something to do. Returns at once. */
  wake(): void;
  /** Writes a mail that the caller will send itself with `send` after its commit. */
  claim(tx: Transaction, job: EmailJob): Promise<ClaimedDelivery>;
  /** Sends a claimed mail, at most `sendTimeoutMs`, once, and records the outcome. Never throws. */
  send(claimed: ClaimedDelivery): Promise<DeliveryResult>;
  /** `claim` and `send` for callers without a transaction of their own. */
  sendNow(job: EmailJob): Promise<DeliveryResult>;
  /** For the only process on its database, before it sends: settles mails whose sender died with the last one. */
  failAbandoned(): Promise<void>;
  /** Resolves when nothing that is due waits any more. */
  idle(): Promise<void>;
  /** Finishes the mails that are being sent; the rest waits in the table. */
  close(): Promise<void>;
}

export interface OutboxOptions {
  readonly config: Config;
  readonly database: Database;
  readonly keys: DeliveryEncryptor;
  readonly log: Logger;
  readonly now: () => Date;
  /** Told of every try. */
  readonly onAttempt?: (outcome: DeliveryOutcome) => void;
  readonly transport: EmailTransport;
}

/** Writes a mail as its settings are now and hands it over once. */
function createSender({ config, database, log, now, onAttempt, transport }: OutboxOptions): AttemptDelivery {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  const compose: AttemptDelivery = async ({ id, job }) => {
    try {
      const sender = await readSender(database, config);
      const messageId = messageIdFor(id, sender);
      const context = { productName: config.PRODUCT_NAME, timeZone };
      const message = composeMessage({ job, sender, context, messageId, date: now() });
      return { ...(await transport.deliver(message)), messageId };
    } catch (error) {
      log.error({ err: error, delivery: id, kind: job.kind }, 'mail could not be written');
      return {
        outcome: 'refused',
        temporary: true,
        serverResponse: 'The mail could not be written.',
        messageId: null,
      };
    }
  };
  return async (delivery) => {
    const attempt = await compose(delivery);
    onAttempt?.(attempt.outcome);
    return attempt;
  };
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { config, database, keys, log, now, transport } = options;
  if (config.SMTP_URL === '' && config.MIGRATE)
    log.warn('SMTP_URL is not set: mails are kept in the mailbox folder and reach nobody');
  const sendOnce = createSender(options);
  const worker = createDeliveryWorker({ config, database, keys, log, now, sendOnce, leaseTime });

  const claim = async (tx: Transaction, job: EmailJob): Promise<ClaimedDelivery> => {
    const id = randomUUID();
    const at = now();
    await insertDelivery(tx, keys, { id, job, now: at, leaseUntil: new Date(at.getTime() + leaseTime) });
    return { id, job, tries: 1 };
  };
  const send = async (claimed: ClaimedDelivery): Promise<DeliveryResult> => {
    const { outcome, temporary, serverResponse, messageId } = await sendOnce(claimed);
    try {
      await finishDelivery(database, claimed.id, { outcome, answer: serverResponse, messageId, now: now() });
    } catch (error) {
      // The mail has its outcome; without the row's, the table says later that nobody reported.
      log.error({ err: error, delivery: claimed.id }, 'outcome of a mail could not be recorded');
    }
    logDelivery(log, claimed, outcome, serverResponse);
    return { outcome, temporary, deliveryId: claimed.id, answer: serverResponse };
  };
  return {
    enqueue: async (tx, job) =>
      insertDelivery(tx, keys, { id: randomUUID(), job, now: now(), leaseUntil: null }),
    wake: worker.wake,
    claim,
    send,
    sendNow: async (job) => send(await database.transaction((tx) => claim(tx, job))),
    failAbandoned: async () =>
      database.transaction(async (tx) => {
        const at = now();
        await expireLeases(tx, at);
        await failAbandonedDeliveries(tx, at);
      }),
    idle: worker.idle,
    close: async () => {
      await worker.close();
      await transport.close();
    },
  };
}
