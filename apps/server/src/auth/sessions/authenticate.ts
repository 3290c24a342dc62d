/** Authenticates requests of the Data API and the Functions API. */
import type { Config } from '../../config/settings.ts';
import { ApiError } from '../../errors.ts';
import type { DatabaseRole, Authenticate, Principal } from '../../principal.ts';
import type { Keys } from '../../keys/keys.ts';
import { readCredentials } from './credentials.ts';
import { InvalidTokenError, type Claims, type TokenVerifier } from './token-verifier.ts';
import { isUuid } from '../uuid.ts';

export interface AuthenticateOptions {
  readonly config: Config;
  readonly keys: Keys;
  readonly verifier: TokenVerifier;
}

export function createAuthenticate({ config, keys, verifier }: AuthenticateOptions): Authenticate {
  // The verifier returns the same claims object for a cached token.
  const principals = new WeakMap<Claims, Principal>();
  const getPrincipal = (claims: Claims): Principal => {
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
        throw unauthorizedError('PGRST301', 'The Authorization header must contain one bearer token');
      case 'unknown-key':
        throw unauthorizedError(
          'PGRST301',
          headers.has('apikey') || headers.has('authorization')
            ? 'Invalid API key'
            : 'No API key found in request',
        );
      case 'token':
        try {
          return getPrincipal(await verifier.verify(credentials.token));
        } catch (error) {
          if (!(error instanceof InvalidTokenError)) throw error;
          throw unauthorizedError(error.reason === 'signature' ? 'PGRST301' : 'PGRST303', error.message);
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

function fromClaims(claims: Claims): Principal {
  const role = claims['role'] ?? 'anon';
  if (role !== 'anon' && role !== 'authenticated' && role !== 'service_role') {
    throw unauthorizedError('PGRST301', 'The role of the JWT does not exist');
  }
  return {
    role,
    claims: JSON.stringify({ ...claims, role }),
    userId: optionalUuid(claims, 'sub'),
    sessionId: optionalUuid(claims, 'session_id'),
    aal: typeof claims['aal'] === 'string' ? claims['aal'] : null,
    expiresAt: typeof claims['exp'] === 'number' ? claims['exp'] : null,
  };
}

function optionalUuid(claims: Claims, name: string): string | null {
  const value = claims[name];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && isUuid(value)) return value;
  throw unauthorizedError('PGRST303', `The JWT '${name}' claim must be a UUID`);
}

function unauthorizedError(code: string, message: string): ApiError {
  return new ApiError(401, code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}
