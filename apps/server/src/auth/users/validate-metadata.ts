/**
 * Metadata travels in every access token, and a token that has outgrown the verifier's limit locks
 * its owner out, from shrinking it too.
 */
import { ApiError } from '../../errors.ts';

/** Bytes of JSON. */
const largest = 4096;

/** Escapes of what Postgres' jsonb cannot hold: NUL, and half of a surrogate pair. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * @param merged the whole object as it will be stored
 * @throws ApiError 400 `validation_failed`
 */
export function validateMetadata(merged: Readonly<Record<string, unknown>>): void {
  const text = JSON.stringify(merged);
  if (Buffer.byteLength(text) > largest)
    throw new ApiError(400, 'validation_failed', `Metadata of a user is limited to ${largest} bytes`);
  if (unstorable.test(text))
    throw new ApiError(400, 'validation_failed', 'Metadata of a user cannot contain NUL or half a character');
}
