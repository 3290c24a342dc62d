/** Reads the credentials in `Authorization` and `apikey`, without verifying tokens. */
import type { HeaderReader } from '../auth-types.ts';
import type { AuthSettings } from '../settings.ts';
import { constantTimeEqual } from '../keys/api-keys.ts';
import type { Keys } from '../keys/keys.ts';

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly role: 'anon' | 'service_role' }
  | { readonly kind: 'token'; readonly token: string }
  /** A bearer token of more than one word, for example from two Authorization headers. */
  | { readonly kind: 'malformed' }
  /** An unknown API key in the new format, or no known key with ENFORCE_API_KEY. */
  | { readonly kind: 'unknown-key' };

/**
 * API keys are compared byte for byte and never parsed. Any other bearer token is an access token. `apikey` applies
 * only without one, because clients send the publishable key with every user's token.
 */
export function readCredentials(headers: HeaderReader, keys: Keys, config: AuthSettings): Credentials {
  const authorization = headers.get('authorization') ?? '';
  const bearer = /^bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  // A client that expects to be signed in must not be treated as anonymous.
  if (bearer === undefined && /(^|,)\s*bearer(?![^\s,])/i.test(authorization)) return { kind: 'malformed' };
  const apikey = headers.get('apikey') ?? undefined;
  const bearerRole = findKeyRole(bearer, keys);
  const apikeyRole = findKeyRole(apikey, keys);
  if (config.ENFORCE_API_KEY && !bearerRole && !apikeyRole) return { kind: 'unknown-key' };
  if (bearerRole) return { kind: 'key', role: bearerRole };
  if (bearer !== undefined && !bearer.startsWith('sb_')) return { kind: 'token', token: bearer };
  if (apikeyRole) return { kind: 'key', role: apikeyRole };
  return bearer === undefined ? { kind: 'none' } : { kind: 'unknown-key' };
}

function findKeyRole(text: string | undefined, keys: Keys): 'anon' | 'service_role' | null {
  if (text === undefined) return null;
  if (constantTimeEqual(text, keys.serviceRoleKey)) return 'service_role';
  return constantTimeEqual(text, keys.anonKey) ? 'anon' : null;
}
