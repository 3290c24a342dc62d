import { describe, expect, it } from 'vitest';
import { defaultAuthSettings } from '../settings.ts';
import { commonPasswords } from './common-passwords.ts';
import { findWeakness, validateNewPassword } from './password-policy.ts';

const config = { ...defaultAuthSettings, PRODUCT_NAME: 'Bergwacht Konsole', PASSWORD_WORDS: ['platform'] };

describe('new passwords', { tags: ['AUTH-54'] }, () => {
  it.each([
    'password',
    '12345678',
    'qwertyuiop',
    'Bergwacht Konsole',
    'anne.person',
    'Anne.Person123',
    '!!platform!!',
    'PLATFORM',
  ])('rejects %s', (password) => {
    expect(findWeakness(password, config, 'anne.person@example.org')?.reasons).toEqual(['pwned']);
  });

  it.each(['aaaaaaaa aaaa', 'снежная лавина', '🎿🎿🎿🎿🎿🎿🎿🎿', '8305527461', 'correct horse 1'])(
    'accepts %s',
    (password) => {
      expect(findWeakness(password, config, 'anne.person@example.org')).toBeNull();
    },
  );

  it('rejects the most frequent passwords of at least eight characters', () => {
    const frequent = [...commonPasswords].filter((password) => password.length >= 8).slice(0, 3000);
    expect(frequent).toHaveLength(3000);
    for (const password of frequent)
      expect(() => validateNewPassword(password, config, null)).toThrow('weak and easy to guess');
  });

  it('counts the minimum length in code points and the maximum in bytes', () => {
    expect(findWeakness('🎿🎿🎿🎿🎿🎿🎿', config, null)?.reasons).toEqual(['length']);
    expect(() => validateNewPassword('🎿'.repeat(18), config, null)).not.toThrow();
    expect(() => validateNewPassword('🎿'.repeat(19), config, null)).toThrow('72');
  });

  it('checks the normalized password', () => {
    expect(findWeakness('ｐａｓｓｗｏｒｄ', config, null)?.reasons).toEqual(['pwned']);
    expect(findWeakness('Zürichs'.normalize('NFD'), config, null)?.reasons).toEqual(['length']);
    expect(() => validateNewPassword('１'.repeat(72), config, null)).not.toThrow();
    expect(() => validateNewPassword('\ufdfa'.repeat(20), config, null)).toThrow('72');
  });
});
