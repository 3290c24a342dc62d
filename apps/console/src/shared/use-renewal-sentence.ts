/** Says how often a session of this service is renewed. */
import { useSession } from '../session/use-session.tsx';
import { renewalSentence } from './renewal-sentence.ts';

/** Returns '' if the lifetime of access tokens is unknown. */
export const useRenewalSentence = (): string => {
  const session = useSession();
  const seconds = session.status === 'signed-in' ? session.session.expires_in : undefined;
  return typeof seconds === 'number' && seconds > 0 ? renewalSentence(seconds) : '';
};
