/** The two API keys: opaque texts that stand for a role, compared byte for byte. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { OperationalError } from '@lanternrock/postgres/errors';

/** Keys that everybody knows from the documentation of local development set-ups. */
const demoKeys = [
  'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
];

/** Prefix, 22 url-safe characters of randomness (128 bits and more), and an 8-character checksum. */
export function generateApiKey(kind: 'publishable' | 'secret'): string {
  const body = `sb_${kind}_${randomBytes(17).toString('base64url').slice(0, 22)}`;
  const checksum = createHash('sha256').update(body).digest('base64url').slice(0, 8);
  return `${body}_${checksum}`;
}

/**
 * Refuses keys that are short, monotonous or publicly known.
 * @throws OperationalError naming the setting.
 */
export function validateApiKey(name: 'ANON_KEY' | 'SERVICE_ROLE_KEY', key: string): void {
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new OperationalError(`${name} must be one word of plain characters.`);
  if (key.length < 32 || new Set(key).size < 10) throw new OperationalError(`${name} is too easy to guess.`);
  if (demoKeys.includes(key) || issuerOf(key) === 'supabase-demo') {
    throw new OperationalError(
      `${name} is a publicly known demonstration key. Leave it unset to get one of your own.`,
    );
  }
}

function issuerOf(key: string): unknown {
  const payload = key.split('.')[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof claims === 'object' && claims !== null && 'iss' in claims ? claims.iss : null;
  } catch {
    return null;
  }
}

/** Equality whose time does not tell how far two texts agree. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
