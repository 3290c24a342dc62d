/** Messages for users whose session or access has ended. */

/** Message of the response 401 for a session that has ended. The console also shows it for a 401 of the Data API. */
export const sessionEndedMessage = 'Your session has ended. Sign in again.';

/** Message for a user who is banned or deleted. */
export const accessEndedMessage = 'Your access was removed or blocked. Ask an administrator to restore it.';
