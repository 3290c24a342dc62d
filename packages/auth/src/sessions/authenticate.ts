/** Authenticates requests of the Data API and the Functions API. */
import type { AuthSettings } from '../settings.ts';
import type { DatabaseRole, Authenticate, Principal, RejectedToken } from '../auth-types.ts';
import type { Keys } from '../keys/keys.ts';
import { readCredentials } from './credentials.ts';
import { InvalidTokenError, type Claims, type TokenVerifier } from './token-verifier.ts';
import { isUuid } from '@lanternrock/contract/uuid';

export interface AuthenticateOptions {
  readonly config: AuthSettings;
  readonly keys: Keys;
  readonly verifier: TokenVerifier;
}

export function createAuthenticate({ config, keys, verifier }: AuthenticateOptions): Authenticate {
  // The verifier returns the same claims object for a cached token.
  const principals = new WeakMap<Claims, Principal | RejectedToken>();
  const getPrincipal = (claims: Claims): Principal | RejectedToken => {
    const principal = principals.get(claims) ?? fromClaims(claims);
    principals.set(claims, principal);
    return principal;
  };
  return async (headers) => {
    const credentials = readCredentials(headers, keys, config);
    switch (credentials.kind) {
      case 'none':
        return principalForRole('anon');
      case 'key':
        return principalForRole(credentials.role);
      case 'malformed':
        return rejected('signature', 'The Authorization header must contain one bearer token');
      case 'unknown-key':
        return rejected(
          'signature',
          headers.has('apikey') || headers.has('authorization')
            ? 'Invalid API key'
            : 'No API key found in request',
        );
      case 'token':
        try {
          return getPrincipal(await verifier.verify(credentials.token));
        } catch (error) {
          if (!(error instanceof InvalidTokenError)) throw error;
          return rejected(error.reason === 'signature' ? 'signature' : 'claims', error.message);
        }
    }
  };
}

/** Returns the principal of an API key, or of a request without credentials. */
export const principalForRole = (role: DatabaseRole): Principal => ({
  role,
  claims: JSON.stringify({ role }),
  userId: null,
  sessionId: null,
  aal: null,
  expiresAt: null,
});

function fromClaims(claims: Claims): Principal | RejectedToken {
  const role = claims['role'] ?? 'anon';
  if (role !== 'anon' && role !== 'authenticated' && role !== 'service_role') {
    return rejected('signature', 'The role of the JWT does not exist');
  }
  for (const name of ['sub', 'session_id']) {
    const value = claims[name] ?? null;
    if (value !== null && !(typeof value === 'string' && isUuid(value)))
      return rejected('claims', `The JWT '${name}' claim must be a UUID`);
  }
  return {
    role,
    claims: JSON.stringify({ ...claims, role }),
    userId: (claims['sub'] as string | undefined) ?? null,
    sessionId: (claims['session_id'] as string | undefined) ?? null,
    aal: typeof claims['aal'] === 'string' ? claims['aal'] : null,
    expiresAt: typeof claims['exp'] === 'number' ? claims['exp'] : null,
  };
}

const rejected = (reason: RejectedToken['rejected'], message: string): RejectedToken => ({
  rejected: reason,
  message,
});
