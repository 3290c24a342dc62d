/** Signing keys of access tokens as a JWK set: one key signs, the others only verify (RFC 7517, RFC 7518). */
import { createHash } from 'node:crypto';
import * as jose from 'jose';
import { OperationalError } from '@lanternrock/postgres/errors';

const algorithms = ['ES256', 'ES512', 'RS256', 'RS512', 'EdDSA', 'HS256'];

/** The publicly documented secret of the Supabase CLI; rejected. */
const demoSecret = 'super-secret-jwt-token-with-at-least-32-characters-long';

export interface VerificationKey {
  readonly kid: string | null;
  /** The only algorithm of this key; never taken from a token. */
  readonly algorithm: string;
  readonly key: jose.CryptoKey | Uint8Array;
}

export interface SigningKeys {
  /** Signs the claims unchanged; adds only the protected header. */
  sign(claims: jose.JWTPayload): Promise<string>;
  readonly verification: readonly VerificationKey[];
  /** Content of `/.well-known/jwks.json`: public keys only, never symmetric ones. */
  readonly published: { readonly keys: readonly jose.JWK[] };
  /** Changes with the set; cached verifications of another generation are invalid. */
  readonly generation: string;
}

/** Generates an ES256 key pair as a private JWK that signs. */
export async function generateSigningKey(): Promise<jose.JWK> {
  const pair = await jose.generateKeyPair('ES256', { extractable: true });
  const jwk = await jose.exportJWK(pair.privateKey);
  const kid = await jose.calculateJwkThumbprint(jwk);
  return { ...jwk, kid, alg: 'ES256', use: 'sig', key_ops: ['sign', 'verify'] };
}

/** Returns the set after a rotation: a new key signs, the earlier ones verify until they are dropped. */
export async function addRotatedKey(keys: readonly jose.JWK[]): Promise<jose.JWK[]> {
  return [await generateSigningKey(), ...keys.map((key) => ({ ...key, key_ops: ['verify'] }))];
}

/** Parses SIGNING_KEYS or the stored set: a JWK, an array of them, or `{"keys": […]}`. */
export function parseJwkSet(text: string, source: string): jose.JWK[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OperationalError(`${source} is not JSON.`, { cause: error });
  }
  const list = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
      ? value.keys
      : [value];
  if (
    !list.every((entry): entry is jose.JWK => typeof entry === 'object' && entry !== null && 'kty' in entry)
  ) {
    throw new OperationalError(`${source} must contain JSON web keys.`);
  }
  return list;
}

/** @throws OperationalError unless exactly one key signs, and for a weak or invalid key */
export async function openSigningKeys(jwks: readonly jose.JWK[], source: string): Promise<SigningKeys> {
  const [signer, second] = findSigners(jwks);
  if (!signer || second || !isPrivate(signer)) {
    throw new OperationalError(`${source}: exactly one private key must have key_ops "sign".`);
  }
  const verification = await Promise.all(jwks.map((jwk) => importVerificationKey(jwk, source)));
  const signingKey = await jose.importJWK({ ...signer, key_ops: ['sign'] }, getAlgorithm(signer, source));
  const header = {
    alg: getAlgorithm(signer, source),
    typ: 'JWT',
    ...(signer.kid === undefined ? {} : { kid: signer.kid }),
  };
  const published = { keys: jwks.filter((jwk) => jwk.kty !== 'oct').map((jwk) => toPublicKey(jwk, source)) };
  return {
    sign: (claims) => new jose.SignJWT(claims).setProtectedHeader(header).sign(signingKey),
    verification,
    published,
    generation: createHash('sha256').update(JSON.stringify(jwks)).digest('base64url'),
  };
}

const findSigners = (jwks: readonly jose.JWK[]): readonly jose.JWK[] =>
  jwks.filter((jwk) => jwk.key_ops?.includes('sign') ?? (jwks.length === 1 && isPrivate(jwk)));

/**
 * Returns a hash of each key of a set (RFC 7638), first of the one that signs. It is the same for a key that only verifies
 * after a rotation.
 *
 * @throws OperationalError for an invalid key
 */
export function computeThumbprints(jwks: readonly jose.JWK[], source: string): Promise<string[]> {
  const keys = new Set([...findSigners(jwks), ...jwks]);
  return Promise.all([...keys].map((jwk) => jose.calculateJwkThumbprint(jwk))).catch((error: unknown) => {
    throw new OperationalError(`${source}: a key cannot be used.`, { cause: error });
  });
}

const isPrivate = (jwk: jose.JWK): boolean => jwk.kty === 'oct' || jwk.d !== undefined;

function getAlgorithm(jwk: jose.JWK, source: string): string {
  const byCurve: Record<string, string> = { 'P-256': 'ES256', 'P-521': 'ES512', Ed25519: 'EdDSA' };
  const algorithm =
    jwk.alg ?? (jwk.kty === 'oct' ? 'HS256' : jwk.kty === 'RSA' ? 'RS256' : byCurve[jwk.crv ?? '']);
  if (algorithm === undefined || !algorithms.includes(algorithm)) {
    throw new OperationalError(
      `${source}: the algorithm ${algorithm ?? 'of a key'} is not one of ${algorithms.join(', ')}.`,
    );
  }
  return algorithm;
}

async function importVerificationKey(jwk: jose.JWK, source: string): Promise<VerificationKey> {
  const algorithm = getAlgorithm(jwk, source);
  if (jwk.kty === 'oct') rejectWeakSecret(Buffer.from(jwk.k ?? '', 'base64url'), source);
  const key = await jose
    .importJWK(jwk.kty === 'oct' ? { ...jwk, key_ops: ['verify'] } : toPublicKey(jwk, source), algorithm)
    .catch((error: unknown) => {
      throw new OperationalError(`${source}: a key cannot be used.`, { cause: error });
    });
  return { kid: jwk.kid ?? null, algorithm, key };
}

function rejectWeakSecret(secret: Buffer, source: string): void {
  if (secret.length < 32 || new Set(secret).size < 10 || secret.toString() === demoSecret) {
    throw new OperationalError(`${source}: the symmetric key is short, repetitive or publicly known.`);
  }
}

function toPublicKey(jwk: jose.JWK, source: string): jose.JWK {
  const { kty, crv, x, y, n, e, kid } = jwk;
  const members = {
    kty,
    crv,
    x,
    y,
    n,
    e,
    kid,
    alg: getAlgorithm(jwk, source),
    use: 'sig',
    key_ops: ['verify'],
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as jose.JWK;
}
