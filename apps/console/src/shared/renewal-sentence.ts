/** How often a session in use is renewed. The service records renewals, and not each use. */
import { formatTerm } from './format-term.ts';

const minuteSeconds = 60;

/** @param seconds lifetime of an access token: the client renews the session shortly before it expires */
export const renewalSentence = (seconds: number): string => {
  const minutes = Math.max(Math.round(seconds / minuteSeconds), 1);
  const interval = minutes === 1 ? 'minute' : minutes < 120 ? `${minutes} minutes` : formatTerm(seconds);
  return `A session renews itself about every ${interval} while it is in use.`;
};
