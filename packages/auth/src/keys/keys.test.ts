import { randomBytes } from 'node:crypto';
import * as jose from 'jose';
import { describe, expect, it } from 'vitest';
import { validateApiKey, generateApiKey, constantTimeEqual } from './api-keys.ts';
import { createEncryptor, DecryptionError } from './encryption.ts';
import { generateSigningKey, openSigningKeys, parseJwkSet, addRotatedKey } from './signing-keys.ts';

describe('encryption', () => {
  const encryptor = createEncryptor(randomBytes(32));

  it('decrypts to the plaintext and encrypts with a different ciphertext each time', () => {
    const plaintext = Buffer.from('a secret');
    const [first, second] = [encryptor.encrypt(plaintext, 'a'), encryptor.encrypt(plaintext, 'a')];
    expect(Buffer.from(encryptor.decrypt(first, 'a')).toString()).toBe('a secret');
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(false);
    expect(Buffer.from(first).toString('latin1')).not.toContain('secret');
  });

  it('rejects another context, another key, and any changed bit', () => {
    const encrypted = Buffer.from(encryptor.encrypt(Buffer.from('a secret'), 'a'));
    expect(() => encryptor.decrypt(encrypted, 'b')).toThrow(DecryptionError);
    expect(() => createEncryptor(randomBytes(32)).decrypt(encrypted, 'a')).toThrow(DecryptionError);
    for (let index = 0; index < encrypted.length; index += 1) {
      const changed = Buffer.from(encrypted);
      changed.writeUInt8((changed[index] ?? 0) ^ 1, index);
      expect(() => encryptor.decrypt(changed, 'a')).toThrow(DecryptionError);
    }
    expect(() => encryptor.decrypt(Buffer.alloc(5), 'a')).toThrow(DecryptionError);
  });

  it('computes a different HMAC per context', () => {
    expect(encryptor.hmac('123456', 'a')).toEqual(encryptor.hmac('123456', 'a'));
    expect(encryptor.hmac('123456', 'a')).not.toEqual(encryptor.hmac('123456', 'b'));
  });
});

describe('API keys', () => {
  it('have the format that clients recognize and are unique', () => {
    const keys = Array.from({ length: 1000 }, () => generateApiKey('publishable'));
    for (const key of keys) expect(key).toMatch(/^sb_publishable_[\w-]{22}_[\w-]{8}$/);
    expect(new Set(keys).size).toBe(1000);
    expect(generateApiKey('secret')).toMatch(/^sb_secret_[\w-]{22}_[\w-]{8}$/);
    validateApiKey('ANON_KEY', generateApiKey('publishable'));
  });

  const demo = `e30.${Buffer.from(JSON.stringify({ iss: 'supabase-demo', role: 'anon' })).toString('base64url')}.signaturesignature`;
  it.each([
    ['sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz', 'publicly known'],
    ['sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH', 'publicly known'],
    [demo, 'publicly known'],
    ['short', 'too weak'],
    ['a'.repeat(64), 'too weak'],
    [`${generateApiKey('secret')} `, 'printable ASCII'],
  ])('rejects %s', { tags: ['OPS-02'] }, (key, reason) => {
    expect(() => validateApiKey('SERVICE_ROLE_KEY', key)).toThrow(reason);
  });

  it('are compared byte for byte', () => {
    expect([
      constantTimeEqual('abc', 'abc'),
      constantTimeEqual('abc', 'abd'),
      constantTimeEqual('abc', 'abcd'),
      constantTimeEqual('', ''),
    ]).toEqual([true, false, false, true]);
  });
});

describe('signing keys', () => {
  const strong = Buffer.from(Array.from({ length: 40 }, (_, index) => index * 5)).toString('base64url');

  it('publish only the public part of asymmetric keys', async () => {
    const keys = await openSigningKeys(
      [await generateSigningKey(), { kty: 'oct', k: strong, alg: 'HS256', key_ops: ['verify'] }],
      'test',
    );
    expect(keys.published.keys).toHaveLength(1);
    expect(keys.published.keys[0]).not.toHaveProperty('d');
    expect(keys.verification).toHaveLength(2);
  });

  it.each(['RS256', 'ES256', 'ES512', 'EdDSA'])('sign with %s', async (algorithm) => {
    const { privateKey, publicKey } = await jose.generateKeyPair(algorithm, { extractable: true });
    const keys = await openSigningKeys(
      [{ ...(await jose.exportJWK(privateKey)), alg: algorithm, kid: 'k' }],
      'test',
    );
    const token = await keys.sign({ sub: 'x' });
    expect((await jose.jwtVerify(token, publicKey)).payload).toEqual({ sub: 'x' });
    expect(jose.decodeProtectedHeader(token)).toEqual({ alg: algorithm, typ: 'JWT', kid: 'k' });
  });

  it('sign with one key and verify with all after a rotation', async () => {
    const before = await generateSigningKey();
    const after = await addRotatedKey([before]);
    expect(after.map(({ key_ops }) => key_ops)).toEqual([['sign', 'verify'], ['verify']]);
    const [old, fresh] = [await openSigningKeys([before], 'test'), await openSigningKeys(after, 'test')];
    expect(fresh.verification.map(({ kid }) => kid)).toContain(before.kid);
    expect(fresh.generation).not.toBe(old.generation);
  });

  it.each([
    [
      'no signing key',
      async () => [{ ...(await generateSigningKey()), key_ops: ['verify'] }],
      'exactly one private key',
    ],
    [
      'two signing keys',
      async () => [await generateSigningKey(), await generateSigningKey()],
      'exactly one private key',
    ],
    [
      'only a public key',
      async () => [{ ...(await generateSigningKey()), d: undefined, key_ops: undefined }],
      'exactly one private key',
    ],
    ['a short secret', async () => [{ kty: 'oct', k: 'c2hvcnQ' }], 'short'],
    [
      'the demo secret',
      async () => [
        {
          kty: 'oct',
          k: Buffer.from('super-secret-jwt-token-with-at-least-32-characters-long').toString('base64url'),
        },
      ],
      'publicly known',
    ],
    ['an unknown algorithm', async () => [{ ...(await generateSigningKey()), alg: 'none' }], 'not one of'],
    ['a broken key', async () => [{ ...(await generateSigningKey()), x: 'AA' }], 'cannot be used'],
  ])('rejects %s', { tags: ['OPS-02'] }, async (_name, createKeys, reason) => {
    const jwks = (await createKeys()).map((jwk) =>
      Object.fromEntries(Object.entries(jwk).filter(([, value]) => value !== undefined)),
    );
    await expect(openSigningKeys(jwks as unknown as jose.JWK[], 'SIGNING_KEYS')).rejects.toThrow(reason);
  });

  it('are parsed from a key, an array or a set', () => {
    for (const text of ['{"kty":"oct"}', '[{"kty":"oct"}]', '{"keys":[{"kty":"oct"}]}']) {
      expect(parseJwkSet(text, 'x')).toEqual([{ kty: 'oct' }]);
    }
    expect(() => parseJwkSet('{', 'SIGNING_KEYS')).toThrow('SIGNING_KEYS is not JSON');
    expect(() => parseJwkSet('[1]', 'SIGNING_KEYS')).toThrow('must contain JSON web keys');
  });
});
