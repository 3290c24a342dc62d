/**
 * Metadata travels in every access token, and a token that has outgrown the verifier's limit locks
 * its owner out, from shrinking it too.
 */
import { Refusal } from '../errors.ts';

/** Bytes of JSON. */
const largest = 4096;

/**
 * @param merged the whole object as it will be stored
 * @throws Refusal 400 `validation_failed`
 */
export function checkMetadata(merged: Readonly<Record<string, unknown>>): void {
  if (Buffer.byteLength(JSON.stringify(merged)) <= largest) return;
  throw new Refusal(400, 'validation_failed', `Metadata of a user is limited to ${largest} bytes`);
}
