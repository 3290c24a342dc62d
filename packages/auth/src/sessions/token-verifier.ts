/**
 * Verifies access tokens (RFC 7519). The key determines the algorithm, never the token. Only verified signatures are
 * cached; times are checked on every call.
 */
import * as jose from 'jose';
import { LRUCache } from 'lru-cache';
import type { AuthSettings } from '../settings.ts';
import type { Keys } from '../keys/keys.ts';
import type { VerificationKey } from '../keys/signing-keys.ts';

export type Claims = Readonly<Record<string, unknown>>;

type RejectionReason = 'signature' | 'expired' | 'claims';

/** A rejected token: malformed or forged, expired, or with invalid claims. */
export class InvalidTokenError extends Error {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string) {
    super(message);
    this.name = 'InvalidTokenError';
    this.reason = reason;
  }
}

/**
 * Seconds that `iat` and `nbf` may lie in the future. More than the 30 of PostgREST, because replicas and issuers whose
 * clocks differ by a minute occur, and a token that is valid too early does no harm.
 */
const aheadToleranceSeconds = 90;
/** Seconds for which an expired token is still accepted, as in PostgREST. */
const expiryToleranceSeconds = 30;
/** Longer tokens are rejected without parsing. */
const maxTokenLength = 16_384;
/** The audience of all users. */
export const audience = 'authenticated';

export interface TokenVerifier {
  /** @throws InvalidTokenError */
  verify(token: string): Promise<Claims>;
}

export interface TokenVerifierOptions {
  readonly config: AuthSettings;
  readonly keys: Keys;
  readonly now: () => Date;
}

export function createTokenVerifier({ config, keys, now }: TokenVerifierOptions): TokenVerifier {
  const verified = new LRUCache<string, { readonly generation: string; readonly claims: Claims }>({
    max: 1000,
  });
  return {
    async verify(token) {
      if (token.length > maxTokenLength) throw new InvalidTokenError('signature', 'token is too long');
      const cached = verified.get(token);
      if (cached) {
        await keys.reloadIfOlderThan(maxKeyAgeSeconds);
        if (cached.generation === keys.signing.generation) {
          checkTimes(cached.claims, now(), config);
          return cached.claims;
        }
      }
      await reloadRotatedKeys(keys, token);
      const { generation } = keys.signing;
      const claims = await checkSignature(token, keys.signing.verification);
      checkTimes(claims, now(), config);
      checkAudienceAndIssuer(claims, config);
      verified.set(token, { generation, claims });
      return claims;
    },
  };
}

/** Maximum time for which a key that another replica has removed is still accepted. */
const maxKeyAgeSeconds = 60;
/** Minimum interval between two reloads for an unknown key. */
const unknownKeyIntervalSeconds = 5;

async function reloadRotatedKeys(keys: Keys, token: string): Promise<void> {
  const isKnown = keys.signing.verification.some(({ kid }) => kid !== null && kid === readKid(token));
  await keys.reloadIfOlderThan(isKnown ? maxKeyAgeSeconds : unknownKeyIntervalSeconds);
}

function readKid(token: string): unknown {
  try {
    return jose.decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

async function checkSignature(token: string, keys: readonly VerificationKey[]): Promise<Claims> {
  const parts = token.split('.').length;
  if (parts !== 3) throw new InvalidTokenError('signature', `Expected 3 parts in JWT; got ${parts}`);
  for (const { algorithm, key } of findCandidates(token, keys)) {
    try {
      const { payload } = await jose.compactVerify(token, key, { algorithms: [algorithm] });
      const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
      if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims as Claims;
      throw new InvalidTokenError('signature', 'JWT payload is not an object');
    } catch (error) {
      if (error instanceof InvalidTokenError) throw error;
    }
  }
  throw new InvalidTokenError('signature', 'JWT cryptographic operation failed');
}

/** Returns the candidate keys: the one with the token's `kid`, otherwise those of its algorithm. */
function findCandidates(token: string, keys: readonly VerificationKey[]): VerificationKey[] {
  let header: jose.ProtectedHeaderParameters;
  try {
    header = jose.decodeProtectedHeader(token);
  } catch {
    throw new InvalidTokenError('signature', 'JWT header cannot be read');
  }
  const sameAlgorithm = keys.filter(({ algorithm }) => algorithm === header.alg);
  if (sameAlgorithm.length === 0)
    throw new InvalidTokenError('signature', 'Wrong or unsupported encoding algorithm');
  if (header.kid === undefined) return sameAlgorithm;
  const sameKid = sameAlgorithm.filter(({ kid }) => kid === header.kid);
  // A shared secret of an older setup has no `kid`.
  const chosen =
    sameKid.length > 0
      ? sameKid
      : sameAlgorithm.filter(({ algorithm, kid }) => algorithm === 'HS256' && kid === null);
  if (chosen.length === 0) throw new InvalidTokenError('signature', 'No suitable key or wrong key type');
  return chosen;
}

function checkTimes(claims: Claims, now: Date, config: AuthSettings): void {
  const time = now.getTime() / 1000;
  const read = (name: string): number | null => {
    const value = claims[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new InvalidTokenError('claims', `The JWT '${name}' claim must be a number`);
    }
    return value;
  };
  const exp = read('exp');
  const nbf = read('nbf');
  const iat = read('iat');
  // Tokens without `exp` are accepted in compatibility runs only.
  if (exp === null && config.PROFILE !== 'compat')
    throw new InvalidTokenError('claims', "The JWT 'exp' claim is missing");
  if (exp !== null && exp < time - expiryToleranceSeconds)
    throw new InvalidTokenError('expired', 'JWT expired');
  if (nbf !== null && nbf > time + aheadToleranceSeconds)
    throw new InvalidTokenError('claims', 'JWT not yet valid');
  if (iat !== null && iat > time + aheadToleranceSeconds)
    throw new InvalidTokenError('claims', 'JWT issued at future');
}

/** Rejects tokens for another audience or of another issuer, regardless of the signing key. */
function checkAudienceAndIssuer(claims: Claims, config: AuthSettings): void {
  const { aud, iss, sub } = claims;
  const audiences = Array.isArray(aud) ? aud : aud === undefined || aud === null || aud === '' ? [] : [aud];
  if (audiences.length > 0 && !audiences.includes(audience))
    throw new InvalidTokenError('claims', 'JWT not in audience');
  if (sub !== undefined && iss !== undefined && iss !== config.JWT_ISSUER && config.PROFILE !== 'compat') {
    throw new InvalidTokenError('claims', 'JWT of another issuer');
  }
}
