/**
 * Limits user metadata. It is part of every access token, and a token above the verifier's limit would lock its owner
 * out, even from reducing it.
 */
import { AuthError } from '../auth-error.ts';

const maxBytes = 4096;

/** Escapes that Postgres' jsonb cannot store: NUL and unpaired surrogates. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Postgres stores a number without an exponent, so that five characters become 309 digits. */
const storedNumber = (value: number): string => {
  const text = String(value);
  return text.padEnd(text.length + Number(/e[+-](\d+)$/.exec(text)?.[1] ?? 0), '0');
};

/**
 * @param merged the complete object to store
 * @throws AuthError 400 `validation_failed`
 */
export function validateMetadata(merged: Readonly<Record<string, unknown>>): void {
  const text = JSON.stringify(merged, (_key, value: unknown) =>
    typeof value === 'number' ? storedNumber(value) : value,
  );
  if (Buffer.byteLength(text) > maxBytes)
    throw new AuthError(400, 'validation_failed', `Metadata of a user is limited to ${maxBytes} bytes`);
  if (unstorable.test(text))
    throw new AuthError(
      400,
      'validation_failed',
      'Metadata of a user cannot contain NUL or unpaired surrogates',
    );
}
