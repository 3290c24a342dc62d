/**
 * Self-describing refresh tokens: version, session, counter, HMAC under the key of the session, and a checksum that
 * distinguishes a mistyped token from a forged one. Only the key and the counter of the active token are stored; the
 * active token can be recreated at any time.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DecryptionError, type Encryptor } from '../../keys/encryption.ts';

const version = 1;
const bodyLength = 1 + 16 + 6;
const macLength = 20;
const checksumLength = 4;
const tokenLength = bodyLength + macLength + checksumLength;

export interface ParsedRefreshToken {
  readonly sessionId: string;
  readonly counter: number;
  /** Returns true if the token was created with the key of the session. @param sealedKey as stored with the session */
  isGenuine(sealer: Encryptor, sealedKey: Uint8Array): boolean;
}

/** Returns the encrypted key for the tokens of a new session. */
export const createTokenKey = (sealer: Encryptor, sessionId: string): Uint8Array =>
  sealer.encrypt(randomBytes(32), keyContext(sessionId));

const keyContext = (sessionId: string): string => `refresh:${sessionId}`;

export function createRefreshToken(
  sealer: Encryptor,
  session: { id: string; key: Uint8Array; counter: number },
): string {
  const body = Buffer.alloc(bodyLength);
  body.writeUInt8(version, 0);
  Buffer.from(session.id.replaceAll('-', ''), 'hex').copy(body, 1);
  body.writeUIntBE(session.counter, 17, 6);
  const signed = Buffer.concat([body, macOf(body, sealer.decrypt(session.key, keyContext(session.id)))]);
  return Buffer.concat([signed, checksumOf(signed)]).toString('base64url');
}

/** @returns null for a malformed token */
export function parseRefreshToken(text: string): ParsedRefreshToken | null {
  if (!/^[\w-]+$/.test(text) || text.length !== Math.ceil((tokenLength * 4) / 3)) return null;
  const bytes = Buffer.from(text, 'base64url');
  const signed = bytes.subarray(0, bodyLength + macLength);
  if (bytes.length !== tokenLength || bytes[0] !== version) return null;
  if (!timingSafeEqual(checksumOf(signed), bytes.subarray(signed.length))) return null;
  const body = signed.subarray(0, bodyLength);
  const hex = body.toString('hex', 1, 17);
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return {
    sessionId,
    counter: body.readUIntBE(17, 6),
    isGenuine: (sealer, sealedKey) => {
      try {
        const key = sealer.decrypt(sealedKey, keyContext(sessionId));
        return timingSafeEqual(macOf(body, key), signed.subarray(bodyLength));
      } catch (error) {
        // After a restore without its key the tokens are invalid, and users sign in again.
        if (error instanceof DecryptionError) return false;
        throw error;
      }
    },
  };
}

const macOf = (body: Uint8Array, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update(body).digest().subarray(0, macLength);

const checksumOf = (signed: Uint8Array): Buffer =>
  createHash('sha256').update(signed).digest().subarray(0, checksumLength);
