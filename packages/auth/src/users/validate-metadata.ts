/**
 * Limits user metadata. It is part of every access token, and a token above the verifier's limit would lock its owner
 * out, even from reducing it.
 */
import { AuthError } from '../auth-error.ts';

const maxBytes = 4096;

/** Escapes that Postgres' jsonb cannot store: NUL and unpaired surrogates. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * @param merged the complete object to store
 * @throws AuthError 400 `validation_failed`
 */
export function validateMetadata(merged: Readonly<Record<string, unknown>>): void {
  const text = JSON.stringify(merged);
  if (Buffer.byteLength(text) > maxBytes)
    throw new AuthError(400, 'validation_failed', `Metadata of a user is limited to ${maxBytes} bytes`);
  if (unstorable.test(text))
    throw new AuthError(
      400,
      'validation_failed',
      'Metadata of a user cannot contain NUL or unpaired surrogates',
    );
}
