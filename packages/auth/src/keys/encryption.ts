/** Encryption of stored secrets, and HMACs of short ones. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** First byte of every encrypted value, to identify the format. */
const version = 1;
const ivLength = 12;
const tagLength = 16;

/** An encrypted value was modified, or has another context or key, for example after a restore without its key. */
export class DecryptionError extends Error {
  constructor(options?: ErrorOptions) {
    super('An encrypted value cannot be read with this SECRETS_KEY (or DATA_DIR/keys/secrets.key)', options);
    this.name = 'DecryptionError';
  }
}

export interface Encryptor {
  /** AES-256-GCM; `context` identifies the value and must be the same for decryption. */
  encrypt(plaintext: Uint8Array, context: string): Uint8Array;
  /** @throws DecryptionError */
  decrypt(encrypted: Uint8Array, context: string): Uint8Array;
  /** HMAC-SHA-256 with a separate key per context: for secrets that are too short for a plain hash. */
  hmac(text: string, context: string): Buffer;
}

/** @param secret 32 bytes; the keys in use are derived from it (RFC 5869) */
export function createEncryptor(secret: Uint8Array): Encryptor {
  // The prefix is part of the keys of all stored values.
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `lanternrock ${purpose}`, 32));
  const encryptionKey = derive('seal');
  return {
    encrypt(plaintext, context) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body]);
    },
    decrypt(encrypted, context) {
      const bytes = Buffer.from(encrypted);
      if (bytes[0] !== version || bytes.length < 1 + ivLength + tagLength) throw new DecryptionError();
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(1, 1 + ivLength))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(1 + ivLength, 1 + ivLength + tagLength));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(1 + ivLength + tagLength)), decipher.final()]);
      } catch (error) {
        throw new DecryptionError({ cause: error });
      }
    },
    hmac: (text, context) =>
      createHmac('sha256', derive(`mac ${context}`))
        .update(text)
        .digest(),
  };
}
