/** How often a session in use is renewed. The service records renewals, and not each use. */
import { formatTerm } from './format-term.ts';
import { useSession } from '../session/use-session.tsx';

const minuteSeconds = 60;

/** @param seconds lifetime of an access token: the client renews the session shortly before it expires */
export const renewalSentence = (seconds: number): string => {
  const minutes = Math.max(Math.round(seconds / minuteSeconds), 1);
  const interval = minutes === 1 ? 'minute' : minutes < 120 ? `${minutes} minutes` : formatTerm(seconds);
  return `A session renews itself about every ${interval} while it is in use.`;
};

/** Returns the sentence for the sessions of this service, or '' if the lifetime of its tokens is unknown. */
export const useRenewalSentence = (): string => {
  const session = useSession();
  const seconds = session.status === 'signed-in' ? session.session.expires_in : undefined;
  return typeof seconds === 'number' && seconds > 0 ? renewalSentence(seconds) : '';
};
