import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callbackTarget,
  shouldIgnoreLink,
  questionFor,
  parseCallbackLink,
  linkErrorMessage,
  readTokenSubject,
  tokenErrorMessage,
} from './callback-link.ts';

const base64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const tokenFor = (claims: unknown): string =>
  ['{}', JSON.stringify(claims), 'signature'].map(base64url).join('.');

describe('what a mailed link carries', () => {
  it('C025 is a token hash with its type', () => {
    expect(parseCallbackLink('?setup=true&token_hash=abc&type=invite', '')).toEqual({
      kind: 'token-hash',
      tokenHash: 'abc',
      type: 'invite',
    });
  });

  it('asks before it uses a link that works once, and never before an invitation or a recovery', () => {
    const asks = (type: string): boolean =>
      questionFor(parseCallbackLink(`?token_hash=abc&type=${type}`, '')) !== null;
    expect(['signup', 'magiclink', 'email', 'email_change'].map(asks)).toEqual([true, true, true, true]);
    expect(['invite', 'recovery'].map(asks)).toEqual([false, false]);
    expect(questionFor(parseCallbackLink('?code=abc', ''))).toBeNull();
    expect(questionFor(parseCallbackLink('?error=access_denied', ''))).toBeNull();
  });

  it('C025 is a pair of tokens in the fragment', () => {
    expect(parseCallbackLink('', '#access_token=a&refresh_token=r&type=recovery')).toEqual({
      kind: 'tokens',
      accessToken: 'a',
      refreshToken: 'r',
    });
  });

  it('C025 is a code', () => {
    expect(parseCallbackLink('?code=c', '')).toEqual({ kind: 'code', code: 'c' });
  });

  it('is nothing for a bare address and for parameters nobody knows', () => {
    for (const search of [
      '',
      '?setup=true',
      '?next=//evil.example',
      '?redirect_to=javascript:alert(1)&type=invite',
    ]) {
      expect(parseCallbackLink(search, '')).toEqual({ kind: 'none' });
    }
  });

  it('C033 is a refusal when it names an error, whatever else it carries', () => {
    expect(
      parseCallbackLink('?token_hash=abc&type=invite', '#error=access_denied&error_code=otp_expired'),
    ).toEqual({
      kind: 'refused',
      code: 'otp_expired',
    });
    expect(parseCallbackLink('?error_description=text', '')).toMatchObject({ kind: 'refused' });
  });

  it('C033 is a refusal when the token hash has no known type', () => {
    expect(parseCallbackLink('?token_hash=abc&type=sms', '')).toMatchObject({ kind: 'refused' });
    expect(parseCallbackLink('?token_hash=abc', '')).toMatchObject({ kind: 'refused' });
  });
});

describe('whether a link may replace the session that is there', () => {
  const token = tokenFor({ sub: 'ada' });

  it('may, when nobody is signed in', () => {
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: token, refreshToken: 'r' }, null)).toBe(false);
    expect(shouldIgnoreLink({ kind: 'code', code: 'c' }, null)).toBe(false);
  });

  it('may, when it is a token hash of our own mail', () => {
    expect(shouldIgnoreLink({ kind: 'token-hash', tokenHash: 'h', type: 'invite' }, 'bob')).toBe(false);
  });

  it('may not, when a fragment or a code meets the session of somebody else', () => {
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: token, refreshToken: 'r' }, 'bob')).toBe(true);
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: 'unreadable', refreshToken: 'r' }, 'bob')).toBe(
      true,
    );
    expect(shouldIgnoreLink({ kind: 'code', code: 'c' }, 'bob')).toBe(true);
  });

  it('may, when the fragment is of the same person', () => {
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: token, refreshToken: 'r' }, 'ada')).toBe(false);
  });

  it('reads the subject of any text without failing', () => {
    expect(readTokenSubject(tokenFor({ sub: 'ü'.repeat(3) }))).not.toBe('');
    for (const claims of [null, 1, [], {}, { sub: 5 }]) expect(readTokenSubject(tokenFor(claims))).toBe('');
    fc.assert(fc.property(fc.string(), (text) => typeof readTokenSubject(text) === 'string'));
  });
});

describe('where the callback leads', () => {
  // [session, setup=true, marker, no password yet] -> target
  it.each([
    ['C029', true, true, false, false, '/auth/set-password'],
    ['C030', true, false, true, false, '/auth/set-password'],
    ['C004', true, false, false, true, '/auth/set-password'],
    ['C031', true, false, false, false, '/admin/accounts'],
    ['C032', false, false, false, false, '/auth'],
    ['C032', false, true, true, false, '/auth'],
  ] as const)(
    '%s session %s, flag %s, marker %s, no password yet %s: %s',
    (_row, hasSession, setupFlag, marker, setupRequired, target) => {
      expect(callbackTarget({ hasSession, setupFlag, marker, setupRequired })).toBe(target);
    },
  );
});

describe('the words for a refused link', () => {
  it('never repeat what the address says', () => {
    fc.assert(
      fc.property(fc.string(), (code) => {
        expect(['The link', 'This acc']).toContain(linkErrorMessage(code).slice(0, 8));
      }),
    );
  });

  it.each([
    ['invite', 'otp_expired', 'Email link has expired', /invitation has expired.*send it again/],
    ['invite', 'otp_expired', 'Email link is invalid or has expired', /used already.*sign in with it/],
    ['recovery', 'otp_expired', 'Email link has expired', /has expired.*Forgot password/],
    ['recovery', 'otp_expired', 'Email link is invalid or has expired', /used already.*Forgot password/],
    ['magiclink', 'otp_expired', 'Email link is invalid or has expired', /used already.*new one\.$/],
    ['invite', 'user_banned', 'User is banned', /suspended.*administrator/],
    ['invite', '', 'The service cannot be reached.', /^The service cannot be reached\.$/],
  ] as const)('C033 tell what became of it and what to do next: %s, %s, %s', (type, code, message, words) => {
    expect(tokenErrorMessage({ tokenHash: 'a'.repeat(43), type }, { code, message })).toMatch(words);
  });

  it('C033 tell that a link is not whole', () => {
    const error = { code: 'otp_expired', message: 'Email link is invalid or has expired' };
    for (const tokenHash of ['a'.repeat(42), `${'a'.repeat(42)}=`, 'a'.repeat(44), 'garbled']) {
      expect(tokenErrorMessage({ tokenHash, type: 'invite' }, error)).toContain('incomplete');
    }
    for (const tokenHash of [`pkce_${'a'.repeat(43)}`, '0'.repeat(56)]) {
      expect(tokenErrorMessage({ tokenHash, type: 'invite' }, error)).not.toContain('incomplete');
    }
  });
});
