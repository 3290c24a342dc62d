import fc from 'fast-check';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createEncryptor } from '../keys/encryption.ts';
import { createRefreshToken, createTokenKey, parseRefreshToken } from './refresh-token.ts';

describe('refresh tokens', () => {
  const encryptor = createEncryptor(randomBytes(32));
  it('contain their session and counter, for arbitrary values', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 40 }), (id, counter) => {
        const key = createTokenKey(encryptor, id);
        const parsed = parseRefreshToken(createRefreshToken(encryptor, { id, key, counter }));
        expect(parsed).toMatchObject({ sessionId: id, counter });
        expect(parsed?.isGenuine(encryptor, key)).toBe(true);
        expect(parsed?.isGenuine(encryptor, createTokenKey(encryptor, id))).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it('are rejected as arbitrary text and after any change', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => parseRefreshToken(text) === null),
      { numRuns: 500 },
    );
    const id = randomUUID();
    const token = createRefreshToken(encryptor, { id, key: createTokenKey(encryptor, id), counter: 3 });
    for (let index = 0; index < token.length - 1; index += 1) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
      expect(parseRefreshToken(changed)).toBeNull();
    }
  });
});
