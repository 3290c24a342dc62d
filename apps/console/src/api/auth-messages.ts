/** Replaces messages of the Auth API that name tokens and rows, and do not say how to continue. */
import { accessEndedMessage, sessionEndedMessage } from '@lanternrock/contract/session-errors';

const endedCodes = new Set([
  'bad_jwt',
  'refresh_token_already_used',
  'refresh_token_not_found',
  'session_expired',
  'session_not_found',
]);

const messages: Readonly<Record<string, string>> = {
  email_not_confirmed:
    'Your email address is not confirmed. Open the link in your invitation email, or ask an administrator to send it again.',
  over_request_rate_limit: 'Too many attempts. Wait a moment, then try again.',
  user_banned: accessEndedMessage,
};

const userDeletedMessage = 'This user no longer exists. Ask an administrator for access.';

/** Returns true if the session of the request has ended. With 404, the code names another session. */
export const isSessionEnd = ({ code, status }: { code: string; status: number }): boolean =>
  endedCodes.has(code) && status !== 404;

/** Returns the message for an error code of the Auth API, or undefined for one whose message is for users. */
export const findAuthMessage = (code: string, status: number): string | undefined => {
  if (isSessionEnd({ code, status })) return sessionEndedMessage;
  if (code === 'session_not_found') return 'This session has ended already.';
  if (code === 'user_not_found' && status === 403) return userDeletedMessage;
  return Object.hasOwn(messages, code) ? messages[code] : undefined;
};
