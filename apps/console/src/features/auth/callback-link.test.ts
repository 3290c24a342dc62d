import fc from 'fast-check';
import { ApiError } from '../../api/errors.ts';
import { describe, expect, it } from 'vitest';
import {
  selectNextPath,
  shouldIgnoreLink,
  findLinkConfirmation,
  parseCallbackLink,
  readTokenSubject,
} from './callback-link.ts';
import { getLinkErrorMessage, toLinkErrorToast, getTokenErrorMessage } from './callback-link-messages.ts';

const base64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const tokenFor = (claims: unknown): string =>
  ['{}', JSON.stringify(claims), 'signature'].map(base64url).join('.');

describe('parseCallbackLink', () => {
  it('reads a token hash with its type', { tags: ['C025'] }, () => {
    expect(parseCallbackLink('?setup=true&token_hash=abc&type=invite', '')).toEqual({
      kind: 'token-hash',
      tokenHash: 'abc',
      type: 'invite',
    });
  });

  it('requires a confirmation for single-use links, but not for invitation and recovery links', () => {
    const requiresConfirmation = (type: string): boolean =>
      findLinkConfirmation(parseCallbackLink(`?token_hash=abc&type=${type}`, '')) !== null;
    expect(['signup', 'magiclink', 'email', 'email_change'].map(requiresConfirmation)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['invite', 'recovery'].map(requiresConfirmation)).toEqual([false, false]);
    expect(findLinkConfirmation(parseCallbackLink('?code=abc', ''))).toBeNull();
    expect(findLinkConfirmation(parseCallbackLink('?error=access_denied', ''))).toBeNull();
  });

  it('reads a pair of tokens from the fragment', { tags: ['C025'] }, () => {
    expect(parseCallbackLink('', '#access_token=a&refresh_token=r&type=recovery')).toEqual({
      kind: 'tokens',
      accessToken: 'a',
      refreshToken: 'r',
    });
  });

  it('reads an authorization code', { tags: ['C025'] }, () => {
    expect(parseCallbackLink('?code=c', '')).toEqual({ kind: 'code', code: 'c' });
  });

  it('ignores unknown parameters', () => {
    for (const search of [
      '',
      '?setup=true',
      '?next=//evil.example',
      '?redirect_to=javascript:alert(1)&type=invite',
    ]) {
      expect(parseCallbackLink(search, '')).toEqual({ kind: 'none' });
    }
  });

  it(
    'returns the error of a link that contains one, regardless of other parameters',
    { tags: ['C033'] },
    () => {
      expect(
        parseCallbackLink('?token_hash=abc&type=invite', '#error=access_denied&error_code=otp_expired'),
      ).toEqual({
        kind: 'error',
        code: 'otp_expired',
      });
      expect(parseCallbackLink('?error_description=text', '')).toMatchObject({ kind: 'error' });
    },
  );

  it('rejects a token hash without a known type', { tags: ['C033'] }, () => {
    expect(parseCallbackLink('?token_hash=abc&type=sms', '')).toMatchObject({ kind: 'error' });
    expect(parseCallbackLink('?token_hash=abc', '')).toMatchObject({ kind: 'error' });
  });
});

describe('shouldIgnoreLink', () => {
  const token = tokenFor({ sub: 'ada' });

  it('accepts any link without a session', () => {
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: token, refreshToken: 'r' }, null)).toBe(false);
    expect(shouldIgnoreLink({ kind: 'code', code: 'c' }, null)).toBe(false);
  });

  it('accepts a token hash', () => {
    expect(shouldIgnoreLink({ kind: 'token-hash', tokenHash: 'h', type: 'invite' }, 'bob')).toBe(false);
  });

  it('ignores a fragment or a code if another user is signed in', () => {
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: token, refreshToken: 'r' }, 'bob')).toBe(true);
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: 'unreadable', refreshToken: 'r' }, 'bob')).toBe(
      true,
    );
    expect(shouldIgnoreLink({ kind: 'code', code: 'c' }, 'bob')).toBe(true);
  });

  it('accepts a fragment of the signed-in user', () => {
    expect(shouldIgnoreLink({ kind: 'tokens', accessToken: token, refreshToken: 'r' }, 'ada')).toBe(false);
  });

  it('reads the subject of any text without an error', () => {
    expect(readTokenSubject(tokenFor({ sub: 'ü'.repeat(3) }))).not.toBe('');
    for (const claims of [null, 1, [], {}, { sub: 5 }]) expect(readTokenSubject(tokenFor(claims))).toBe('');
    fc.assert(fc.property(fc.string(), (text) => typeof readTokenSubject(text) === 'string'));
  });
});

describe('selectNextPath', () => {
  // [session, setup=true, hasMarker, no password yet] -> target
  for (const [tag, hasSession, setupFlag, hasMarker, setupRequired, target] of [
    ['C029', true, true, false, false, '/auth/set-password'],
    ['C030', true, false, true, false, '/auth/set-password'],
    ['C004', true, false, false, true, '/auth/set-password'],
    ['C031', true, false, false, false, '/admin/accounts'],
    ['C032', false, false, false, false, '/auth'],
    ['C032', false, true, true, false, '/auth'],
  ] as const) {
    const input = { hasSession, setupFlag, hasMarker, setupRequired };
    it(`is ${target} for ${JSON.stringify(input)}`, { tags: [tag] }, () => {
      expect(selectNextPath(input)).toBe(target);
    });
  }
});

describe('messages for a rejected link', () => {
  it('never contain text from the URL', () => {
    fc.assert(
      fc.property(fc.string(), (code) => {
        expect(['This link', 'Your acce']).toContain(getLinkErrorMessage(code).slice(0, 9));
      }),
    );
  });

  it.each([
    ['invite', 'otp_expired', 'Email link has expired', /invitation has expired.*send it again/],
    ['invite', 'otp_expired', 'Email link is invalid or has expired', /already been used.*sign in with it/],
    ['recovery', 'otp_expired', 'Email link has expired', /has expired.*Forgot password/],
    ['recovery', 'otp_expired', 'Email link is invalid or has expired', /already been used.*Forgot password/],
    ['magiclink', 'otp_expired', 'Email link is invalid or has expired', /already been used.*new one\.$/],
    ['invite', 'user_banned', 'User is banned', /blocked.*administrator/],
    ['invite', '', 'The service cannot be reached.', /^The service cannot be reached\.$/],
  ] as const)(
    'state the cause and the next step: %s, %s, %s',
    { tags: ['C033'] },
    (type, code, message, pattern) => {
      expect(getTokenErrorMessage({ tokenHash: 'a'.repeat(43), type }, { code, message })).toMatch(pattern);
    },
  );

  it('report an incomplete link', { tags: ['C033'] }, () => {
    const error = { code: 'otp_expired', message: 'Email link is invalid or has expired' };
    for (const tokenHash of ['a'.repeat(42), `${'a'.repeat(42)}=`, 'a'.repeat(44), 'garbled']) {
      expect(getTokenErrorMessage({ tokenHash, type: 'invite' }, error)).toContain('incomplete');
    }
    for (const tokenHash of [`pkce_${'a'.repeat(43)}`, '0'.repeat(56)]) {
      expect(getTokenErrorMessage({ tokenHash, type: 'invite' }, error)).not.toContain('incomplete');
    }
  });
});

it('distinguishes a rejected link from one whose response was lost', () => {
  const rejected = new ApiError({ kind: 'auth', status: 403, message: 'No.' });
  const lost = new ApiError({ kind: 'network', message: 'No response.' });
  for (const error of [rejected, new Error('No.', { cause: rejected })])
    expect(toLinkErrorToast(error)).toEqual({ title: 'The link could not be used', description: 'No.' });
  for (const error of [lost, new Error('No response.', { cause: lost })])
    expect(toLinkErrorToast(error)).toEqual({
      title: 'The link may have been used',
      description: 'No response. If the link no longer works, request a new one.',
    });
});
