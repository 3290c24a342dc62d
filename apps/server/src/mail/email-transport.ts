/** What every way for a mail to go offers, and how long it may take. */
import type { SendMailOptions } from 'nodemailer';
import type { DeliveryOutcome } from './email-job.ts';

/** What one try came to. */
export interface DeliveryAttempt {
  readonly outcome: DeliveryOutcome;
  /** True when the same mail may succeed later: connection trouble, sign-in trouble, 4xx. */
  readonly temporary: boolean;
  /** The other side's words. */
  readonly serverResponse: string | null;
}

export interface EmailTransport {
  /** Never throws; ends within `sendTimeoutMs`. */
  deliver(message: SendMailOptions): Promise<DeliveryAttempt>;
  close(): Promise<void>;
}

/** Longest time for one mail, in milliseconds: an administrator waits for the answer. */
export const sendTimeoutMs = 10_000;
