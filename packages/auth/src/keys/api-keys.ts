/** The two API keys: opaque strings, each of which authenticates a role. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { OperationalError } from '@lanternrock/postgres/errors';

/** Publicly documented keys of the Supabase CLI. */
const demoKeys = [
  'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
];

/** Returns a prefix, 22 URL-safe random characters (at least 128 bits) and an 8-character checksum. */
export function generateApiKey(kind: 'publishable' | 'secret'): string {
  const body = `sb_${kind}_${randomBytes(17).toString('base64url').slice(0, 22)}`;
  const checksum = createHash('sha256').update(body).digest('base64url').slice(0, 8);
  return `${body}_${checksum}`;
}

/**
 * Rejects keys that are short, repetitive or publicly known.
 *
 * @throws OperationalError with the name of the setting
 */
export function validateApiKey(name: 'ANON_KEY' | 'SERVICE_ROLE_KEY', key: string): void {
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new OperationalError(`${name} must be printable ASCII without spaces.`);
  if (key.length < 32 || new Set(key).size < 10) throw new OperationalError(`${name} is too weak.`);
  if (demoKeys.includes(key) || readIssuer(key) === 'supabase-demo') {
    throw new OperationalError(
      `${name} is a publicly known demonstration key. Leave it unset to generate one.`,
    );
  }
}

function readIssuer(key: string): unknown {
  const payload = key.split('.')[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof claims === 'object' && claims !== null && 'iss' in claims ? claims.iss : null;
  } catch {
    return null;
  }
}

/** Compares in constant time, so that the timing does not reveal a common prefix. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
