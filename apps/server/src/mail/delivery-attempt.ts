/** One try of one mail, and its line in the log. */
import type { Logger } from 'pino';
import type { ClaimedDelivery } from './deliveries.ts';
import { succeeded, type DeliveryOutcome } from './email-job.ts';
import type { DeliveryAttempt } from './email-transport.ts';

/** Composes and hands over; never throws. The message id is null when no message could be made. */
export type AttemptDelivery = (
  delivery: ClaimedDelivery,
) => Promise<DeliveryAttempt & { readonly messageId: string | null }>;

/** Neither link nor code nor the recipient's address goes to the log. */
export function logDelivery(
  log: Logger,
  { id, job, tries }: ClaimedDelivery,
  outcome: DeliveryOutcome | 'postponed',
  answer: string | null,
): void {
  const facts = { delivery: id, kind: job.kind, outcome, tries };
  if (outcome !== 'postponed' && succeeded(outcome)) log.info(facts, 'mail');
  else log.warn({ ...facts, answer }, 'mail was not handed over');
}
