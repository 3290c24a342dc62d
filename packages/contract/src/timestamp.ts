import * as z from 'zod/mini';

/** Schema of a time in the body of a function. */
export const timestamp = z.iso.datetime({
  offset: true,
  error: 'Times must be RFC 3339, such as 2026-11-24T08:00:00Z',
});
