/** One attempt to deliver an email, and its log entry. */
import type { Logger } from 'pino';
import type { ClaimedDelivery } from './deliveries.ts';
import { succeeded, type DeliveryOutcome } from './email-job.ts';
import type { DeliveryAttempt } from './email-transport.ts';

/** Composes and sends an email. Never throws. The message ID is null if the email could not be composed. */
export type AttemptDelivery = (
  delivery: ClaimedDelivery,
) => Promise<DeliveryAttempt & { readonly messageId: string | null }>;

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
