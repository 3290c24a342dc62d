/** The Ed25519 key that signs heads and checkpoints of the audit chain. It is stored like the other keys. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { Keys } from '@lanternrock/auth/keys';
import { OperationalError } from '@lanternrock/postgres/errors';
import { toCanonicalJson } from './chain-hash.ts';

export interface AuditKey {
  /** The public key: 32 bytes as base64url. */
  readonly publicKey: string;
  /** Returns the signature of the canonical JSON, as base64url. */
  sign(value: object): string;
}

/** Name of the stored private key, a JWK. */
export const auditKeyName = 'audit-key.json';

/** @throws OperationalError if the stored key cannot be used */
export async function openAuditKey(keys: Pick<Keys, 'getOrCreateSecret'>): Promise<AuditKey> {
  const text = await keys.getOrCreateSecret(auditKeyName, () =>
    JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  );
  try {
    const privateKey = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
    return {
      publicKey: createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '',
      sign: (value) => sign(null, Buffer.from(toCanonicalJson(value)), privateKey).toString('base64url'),
    };
  } catch (cause) {
    throw new OperationalError(`${auditKeyName}: the key cannot be used.`, { cause });
  }
}

/** Parses a public key: 32 bytes as base64url, or PEM. Returns null for any other text. */
export function tryParsePublicKey(text: string): KeyObject | null {
  try {
    const key = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text.trim() }, format: 'jwk' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** Returns true if one of the keys made the signature. */
export function isSignedBy(keys: readonly KeyObject[], value: object, signature: string): boolean {
  const signed = Buffer.from(toCanonicalJson(value));
  const bytes = Buffer.from(signature, 'base64url');
  // The last character has unused bits: other texts decode to the same bytes.
  if (bytes.toString('base64url') !== signature) return false;
  return keys.some((key) => verify(null, signed, key, bytes));
}
