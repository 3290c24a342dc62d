/**
 * Self-describing refresh tokens: version, session, counter, HMAC under the key of the session, and a checksum that
 * distinguishes a mistyped token from a forged one. Only the key and the counter of the active token are stored; the
 * active token can be recreated at any time.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DecryptionError, type Encryptor } from '../keys/encryption.ts';

const version = 1;
const bodyLength = 1 + 16 + 6;
const hmacLength = 20;
const checksumLength = 4;
const tokenLength = bodyLength + hmacLength + checksumLength;

export interface ParsedRefreshToken {
  readonly sessionId: string;
  readonly counter: number;
  /**
   * Returns true if the token was created with the key of the session.
   *
   * @param encryptedKey as stored with the session
   */
  isGenuine(encryptor: Encryptor, encryptedKey: Uint8Array): boolean;
}

/** Returns the encrypted key for the tokens of a new session. */
export const createTokenKey = (encryptor: Encryptor, sessionId: string): Uint8Array =>
  encryptor.encrypt(randomBytes(32), encryptionContext(sessionId));

const encryptionContext = (sessionId: string): string => `refresh:${sessionId}`;

export function createRefreshToken(
  encryptor: Encryptor,
  session: { id: string; key: Uint8Array; counter: number },
): string {
  const body = Buffer.alloc(bodyLength);
  body.writeUInt8(version, 0);
  Buffer.from(session.id.replaceAll('-', ''), 'hex').copy(body, 1);
  body.writeUIntBE(session.counter, 17, 6);
  const signed = Buffer.concat([
    body,
    computeHmac(body, encryptor.decrypt(session.key, encryptionContext(session.id))),
  ]);
  return Buffer.concat([signed, computeChecksum(signed)]).toString('base64url');
}

/** @returns null for a malformed token */
export function parseRefreshToken(text: string): ParsedRefreshToken | null {
  if (!/^[\w-]+$/.test(text) || text.length !== Math.ceil((tokenLength * 4) / 3)) return null;
  const bytes = Buffer.from(text, 'base64url');
  const signed = bytes.subarray(0, bodyLength + hmacLength);
  if (bytes.length !== tokenLength || bytes[0] !== version) return null;
  if (!timingSafeEqual(computeChecksum(signed), bytes.subarray(signed.length))) return null;
  const body = signed.subarray(0, bodyLength);
  const hex = body.toString('hex', 1, 17);
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return {
    sessionId,
    counter: body.readUIntBE(17, 6),
    isGenuine: (encryptor, encryptedKey) => {
      try {
        const key = encryptor.decrypt(encryptedKey, encryptionContext(sessionId));
        return timingSafeEqual(computeHmac(body, key), signed.subarray(bodyLength));
      } catch (error) {
        // After a restore without its key the tokens are invalid, and users sign in again.
        if (error instanceof DecryptionError) return false;
        throw error;
      }
    },
  };
}

const computeHmac = (body: Uint8Array, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update(body).digest().subarray(0, hmacLength);

const computeChecksum = (signed: Uint8Array): Buffer =>
  createHash('sha256').update(signed).digest().subarray(0, checksumLength);
