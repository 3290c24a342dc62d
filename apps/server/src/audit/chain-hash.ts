/**
 * The hash chain: SHA-256 over the hash of the position before and the canonical JSON (RFC 8785) of the text of the entry.
 * The text and not its parsed value, because parsing rounds numbers.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A position of the chain and its hash in hexadecimal. */
export interface ChainPoint {
  readonly position: number;
  readonly hash: string;
}

/** An entry with its place in the chain; `entry` is its text, null if the database no longer has it. */
export interface ChainLink extends ChainPoint {
  readonly entry: string | null;
}

/** The point before the first entry. */
export const chainStart: ChainPoint = { position: 0, hash: '0'.repeat(64) };

/** @throws Error for a value that JSON cannot express exactly, such as a lone surrogate */
export function toCanonicalJson(value: object | string): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('The value has no canonical JSON');
  return text;
}

/** Returns the point after `previous` that contains the entry. */
export const nextPoint = (previous: ChainPoint, entry: string): ChainPoint => ({
  position: previous.position + 1,
  hash: createHash('sha256')
    .update(Buffer.from(previous.hash, 'hex'))
    .update(toCanonicalJson(entry))
    .digest('hex'),
});

/** Returns why the link does not follow `previous`, without the position in a file; null if it fits. */
export function findChainProblem(previous: ChainPoint, { position, hash, entry }: ChainLink): string | null {
  const expected = previous.position + 1;
  if (position !== expected)
    return `entry ${expected} is missing or moved: entry ${position} is in its place.`;
  if (entry === null) return `entry ${expected} is missing.`;
  return nextPoint(previous, entry).hash === hash
    ? null
    : `entry ${expected} was changed: its hash does not match.`;
}
