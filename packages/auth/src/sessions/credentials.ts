/** Reads the credentials in `Authorization` and `apikey`, without verifying tokens. */
import type { HeaderReader } from '../auth-types.ts';
import type { AuthSettings } from '../settings.ts';
import { constantTimeEqual } from '../keys/api-keys.ts';
import type { Keys } from '../keys/keys.ts';

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly role: 'anon' | 'service_role' }
  | { readonly kind: 'token'; readonly token: string }
  /** The scheme is bearer, without exactly one token: none, several words, or two Authorization headers. */
  | { readonly kind: 'malformed' }
  /** A key with the prefix `sb_` that is not of this instance; with ENFORCE_API_KEY, also a request without a key. */
  | { readonly kind: 'unknown-key' };

/**
 * Compares API keys byte for byte. Any other bearer token without their prefix `sb_` is an access token. `apikey` applies
 * only without a bearer token, because clients send the publishable key with every user's token.
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
  const role = bearer === undefined ? apikeyRole : bearerRole;
  if (role) return { kind: 'key', role };
  // A client with a replaced secret key must not be treated as anonymous either: it would read empty lists.
  if ((bearer ?? apikey)?.startsWith('sb_')) return { kind: 'unknown-key' };
  return bearer === undefined ? { kind: 'none' } : { kind: 'token', token: bearer };
}

function findKeyRole(text: string | undefined, keys: Keys): 'anon' | 'service_role' | null {
  if (text === undefined) return null;
  if (constantTimeEqual(text, keys.serviceRoleKey)) return 'service_role';
  return constantTimeEqual(text, keys.anonKey) ? 'anon' : null;
}
