/** Hands mails to the configured mail server over a few kept connections. */
import { createTransport } from 'nodemailer';
import type { Config } from '../config/settings.ts';
import type { DeliveryAttempt, EmailTransport } from './email-transport.ts';
import { smtpOptions } from './smtp-settings.ts';

/** What the mail library puts on its errors. */
interface MailError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** @param limit milliseconds for one mail, whatever the server does meanwhile. */
export function createSmtpTransport(config: Config, limit: number): EmailTransport {
  const pool = createTransport(smtpOptions(config, limit));
  return {
    async deliver(message) {
      // Socket limits restart with every byte; this one does not, and its abort closes the connection.
      const signal = AbortSignal.timeout(limit);
      try {
        const info = await pool.sendMail({ ...message, signal });
        return { outcome: 'handed_over', temporary: false, serverResponse: info.response };
      } catch (error) {
        return failedAttempt(error as MailError, limit);
      }
    },
    close: async () => {
      pool.close();
    },
  };
}

function failedAttempt(error: MailError, limit: number): DeliveryAttempt {
  if (error.code === 'EABORT' || error.code === 'ETIMEDOUT') {
    const seconds = Math.round(limit / 1000);
    return {
      outcome: 'timed_out',
      temporary: true,
      serverResponse: `The mail server did not answer within ${seconds} s.`,
    };
  }
  // 5xx to this very mail is final; 5xx to the sign-in is a setting that somebody can correct.
  const final = (error.responseCode ?? 0) >= 500 && error.code !== 'EAUTH' && error.code !== 'ETLS';
  return { outcome: 'refused', temporary: !final, serverResponse: serverWords(error) };
}

/** The server's own line where there is one; never the credentials, which the library keeps out of it. */
const serverWords = (error: MailError): string =>
  (error.response ?? error.message).replace(/\s+/g, ' ').trim().slice(0, 500);
