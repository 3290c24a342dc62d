/** Replaces messages of the Auth API that name tokens and rows, and do not say how to continue. */
import { accessEndedMessage, sessionEndedMessage } from '@lanternrock/contract/session-errors';

const endedCodes = /^(bad_jwt|refresh_token_\w+|session_(expired|not_found))$/;

/** Returns true if the session of the request has ended. With 404, the code names another session. */
export const isSessionEnd = ({ code, status }: { code: string; status: number }): boolean =>
  endedCodes.test(code) && status !== 404;

/** Returns the message for an error code of the Auth API, or undefined for one whose message is for users. */
export const findAuthMessage = (code: string, status: number): string | undefined => {
  if (isSessionEnd({ code, status })) return sessionEndedMessage;
  if (code === 'session_not_found') return 'This session has ended already.';
  if (code === 'user_banned' || (code === 'user_not_found' && status === 403)) return accessEndedMessage;
  return code === 'over_request_rate_limit' ? 'Too many attempts. Wait a moment, then try again.' : undefined;
};
