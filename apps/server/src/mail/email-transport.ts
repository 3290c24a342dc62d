/** The interface of email transports. */
import type { SendMailOptions } from 'nodemailer';
import type { DeliveryOutcome } from './email-job.ts';

/** Result of one delivery attempt. */
export interface DeliveryAttempt {
  readonly outcome: DeliveryOutcome;
  /** True if a retry may succeed: after connection errors, rejected credentials and 4xx responses. */
  readonly temporary: boolean;
  /** Response of the mail server or the connection error. */
  readonly serverResponse: string | null;
}

export interface EmailTransport {
  /** Sends one email within `sendTimeoutMs`. Never throws. */
  deliver(message: SendMailOptions): Promise<DeliveryAttempt>;
  close(): Promise<void>;
}

/** Maximum time for one email, in milliseconds. Short, because an administrator waits for the response. */
export const sendTimeoutMs = 10_000;
