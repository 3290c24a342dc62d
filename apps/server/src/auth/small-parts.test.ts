import fc from 'fast-check';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { QueryError } from '@lanternrock/postgres/errors';
import { readConfig } from '../config/settings.ts';
import { createEncryptor } from '../keys/encryption.ts';
import { toApiError } from './error-response.ts';
import { parseGoDuration } from './admin/go-duration.ts';
import { createCaptcha } from './captcha.ts';
import { commonPasswords } from './users/common-passwords.ts';
import { tryParseEmail, tryParsePhone } from './users/contact-input.ts';
import { clientNetwork } from '../http/network.ts';
import { validateNewPassword, findWeakness } from './users/password-policy.ts';
import { createRefreshToken, createTokenKey, parseRefreshToken } from './sessions/refresh-token.ts';
import { RequestBody } from './request-body.ts';

const config = readConfig({ PRODUCT_NAME: 'Bergwacht Konsole' });

describe('refresh tokens', () => {
  const sealer = createEncryptor(randomBytes(32));
  it('tell their session and counter, for any of them', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 40 }), (id, counter) => {
        const key = createTokenKey(sealer, id);
        const parsed = parseRefreshToken(createRefreshToken(sealer, { id, key, counter }));
        expect(parsed).toMatchObject({ sessionId: id, counter });
        expect(parsed?.isGenuine(sealer, key)).toBe(true);
        expect(parsed?.isGenuine(sealer, createTokenKey(sealer, id))).toBe(false);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it('are never found in arbitrary text, nor after any change', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => parseRefreshToken(text) === null),
      { numRuns: 500, seed: 7 },
    );
    const id = randomUUID();
    const token = createRefreshToken(sealer, { id, key: createTokenKey(sealer, id), counter: 3 });
    for (let index = 0; index < token.length - 1; index += 1) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
      expect(parseRefreshToken(changed)).toBeNull();
    }
  });
});

describe('failures of the database', () => {
  it.each([
    ['40P01', 503, '1'],
    ['40001', 503, '1'],
    ['22021', 400, undefined],
    ['XX000', 500, undefined],
  ])('%s answers %i', (code, status, wait) => {
    const refusal = toApiError(new QueryError({ code, message: 'of the database, for nobody else' }));
    expect(refusal).toMatchObject({ status, message: expect.not.stringContaining('of the database') });
    expect(refusal.headers['Retry-After']).toBe(wait);
  });
});

describe('AUTH-03 networks', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::FFFF:c633:6407', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

describe('AUTH-54 new passwords', () => {
  it.each([
    'password',
    '12345678',
    'qwertyuiop',
    'Bergwacht Konsole',
    'anne.person',
    'Anne.Person123',
    '!!platform!!',
    'LANTERNROCK',
  ])('%s is weak', (password) => {
    expect(findWeakness(password, config, 'anne.person@example.org')?.reasons).toEqual(['pwned']);
  });

  it.each(['aaaaaaaa aaaa', 'снежная лавина', '🎿🎿🎿🎿🎿🎿🎿🎿', '8305527461', 'correct horse 1'])(
    '%s is fine',
    (password) => {
      expect(findWeakness(password, config, 'anne.person@example.org')).toBeNull();
    },
  );

  it('the most frequent passwords of eight and more characters are all known', () => {
    const frequent = [...commonPasswords].filter((password) => password.length >= 8).slice(0, 3000);
    expect(frequent).toHaveLength(3000);
    for (const password of frequent)
      expect(() => validateNewPassword(password, config, null)).toThrow('weak and easy to guess');
  });

  it('lengths count code points, the upper limit bytes', () => {
    expect(findWeakness('🎿🎿🎿🎿🎿🎿🎿', config, null)?.reasons).toEqual(['length']);
    expect(() => validateNewPassword('🎿'.repeat(18), config, null)).not.toThrow();
    expect(() => validateNewPassword('🎿'.repeat(19), config, null)).toThrow('72');
  });
});

describe('AUTH-52 addresses', () => {
  it.each([
    ['A@X.com', 'a@x.com'],
    [' a@x.com ', 'a@x.com'],
    ['a+b@x.co.uk', 'a+b@x.co.uk'],
  ])('%j is %s', (text, email) => {
    expect(tryParseEmail(text)).toBe(email);
  });
  it.each([
    'a@x.com.',
    'a＠x.com',
    'а@x.com',
    '"a@x"@y.z',
    'a@x.com,b@y.z',
    'a@x.com\r\nBcc:b@y.z',
    'a@x.com\u0000',
    'ß@x.com',
    'a@[127.0.0.1]',
    'a@localhost',
    `${'l'.repeat(65)}@x.com`,
    `a@${'d'.repeat(250)}.com`,
    '',
    '@',
    'a@',
  ])('%j is none', (text) => {
    expect(tryParseEmail(text)).toBeNull();
  });
  it.each([
    ['+49 (151) 123-4567', '491511234567'],
    ['491511234567', '491511234567'],
    ['+0123456789', null],
    ['x', null],
    ['+1', null],
  ])('the number %j is %s', (text, phone) => {
    expect(tryParsePhone(text)).toBe(phone);
  });
});

describe('durations', () => {
  it.each([
    ['24h', 86_400_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['300ms', 300],
    ['0', 0],
    ['', null],
    ['24', null],
    ['-1h', null],
    ['h', null],
    ['1d', null],
    ['99999999999999999h', null],
  ])('%j is %s', (text, value) => {
    expect(parseGoDuration(text)).toBe(value);
  });
});

describe('request bodies', () => {
  it('null is absent, and types are never guessed', () => {
    const body = new RequestBody(
      JSON.parse('{"a":null,"n":1,"t":"x","o":{},"l":[],"__proto__":{"p":1}}') as object,
    );
    expect([
      body.has('a'),
      body.getString('a'),
      body.getString('t'),
      body.getString('missing'),
      body.getObject('o'),
    ]).toEqual([false, '', 'x', '', {}]);
    expect(body.has('p')).toBe(false);
    expect(body.has('toString')).toBe(false);
    expect(() => body.getString('n')).toThrow('n must be a string');
    expect(() => body.getObject('l')).toThrow('l must be an object');
    expect(() => body.getBoolean('t')).toThrow('t must be a boolean');
  });
});

describe('captcha', () => {
  const on = readConfig({ CAPTCHA_VERIFY_URL: 'https://captcha.example/siteverify', CAPTCHA_SECRET: 's' });
  const body = (token: unknown): RequestBody =>
    new RequestBody({ gotrue_meta_security: { captcha_token: token } });
  const answering = (answer: () => Response) => createCaptcha(on, async () => answer());

  it('passes when the provider says so, and only then', async () => {
    await answering(() => Response.json({ success: true })).check(body('token'), '198.51.100.1');
    const failing = [
      () => Response.json({ success: false }),
      () => Response.json({ success: 'true' }),
      () => new Response('x'),
      () => {
        throw new Error('down');
      },
    ];
    for (const answer of failing) {
      await expect(answering(answer).check(body('token'), '')).rejects.toMatchObject({
        status: 400,
        code: 'captcha_failed',
      });
    }
    for (const token of [undefined, '', 5]) {
      await expect(
        answering(() => Response.json({ success: true })).check(body(token), ''),
      ).rejects.toMatchObject({ code: 'captcha_failed' });
    }
  });

  it('asks nobody when it is off', async () => {
    await createCaptcha(config, () => {
      throw new Error('asked');
    }).check(new RequestBody({}), '');
  });
});
