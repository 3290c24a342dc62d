/** The error of the auth client when the browser has no room for a session. */
import { ApiError } from './errors.ts';

/** The client stores a new session, and does not convert the error of the browser. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

export const storageFullError = (cause: unknown): ApiError =>
  new ApiError({
    kind: 'auth',
    message: `The storage of this site is full. Delete the site data of ${location.host} in the settings of your browser, then try again.`,
    cause,
  });
