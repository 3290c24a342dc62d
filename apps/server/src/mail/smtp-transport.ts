/** Sends emails to the configured mail server over a connection pool. */
import { createTransport } from 'nodemailer';
import type { Config } from '../config/settings.ts';
import type { DeliveryAttempt, EmailTransport } from './email-job.ts';
import { buildSmtpOptions } from './smtp-settings.ts';

/** An error of the mail library. */
interface MailError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** @param timeoutMs maximum time for one email, in milliseconds */
export function createSmtpTransport(config: Config, timeoutMs: number): EmailTransport {
  const pool = createTransport(buildSmtpOptions(config, timeoutMs));
  return {
    async deliver(message) {
      // Socket timeouts restart with every byte. This timeout does not, and it closes the connection.
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const info = await pool.sendMail({ ...message, signal });
        return { outcome: 'handed_over', temporary: false, serverResponse: info.response };
      } catch (error) {
        return failedAttempt(error as MailError, timeoutMs);
      }
    },
    close: async () => {
      pool.close();
    },
  };
}

function failedAttempt(error: MailError, timeoutMs: number): DeliveryAttempt {
  if (error.code === 'EABORT' || error.code === 'ETIMEDOUT') {
    const seconds = Math.round(timeoutMs / 1000);
    return {
      outcome: 'timed_out',
      temporary: true,
      serverResponse: `The mail server did not respond within ${seconds} s.`,
    };
  }
  // A 5xx response to the email is final. A 5xx response to the credentials is not: the operator can correct them.
  const final = (error.responseCode ?? 0) >= 500 && error.code !== 'EAUTH' && error.code !== 'ETLS';
  return { outcome: 'refused', temporary: !final, serverResponse: describeError(error) };
}

/** Returns the response of the server or the error message. The library includes no credentials in either. */
const describeError = (error: MailError): string =>
  (error.response ?? error.message).replace(/\s+/g, ' ').trim().slice(0, 500);
