import { describe, expect, it } from 'vitest';
import { findPrefetchCredentials } from './find-prefetch-credentials.ts';

const now = 1_800_000_000;
const tokenWith = (claims: object): string => `head.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.sign`;

const stored = (changes: object = {}, user: object = {}): string =>
  JSON.stringify({
    access_token: tokenWith({ aal: 'aal1' }),
    refresh_token: 'r',
    expires_at: now + 3600,
    user: { id: 'u1', app_metadata: {}, ...user },
    ...changes,
  });

describe('prefetching before the auth client is loaded', () => {
  it('happens for the accounts screen if the session requires no further step', () => {
    const credentials = { userId: 'u1', token: tokenWith({ aal: 'aal1' }) };
    expect(findPrefetchCredentials('/admin/accounts', stored(), now)).toEqual(credentials);
    expect(findPrefetchCredentials('/admin/accounts/', stored(), now)).toEqual(credentials);
  });

  it('happens for a user with a verified factor at AAL2 only', () => {
    const factors = { factors: [{ status: 'verified' }] };
    expect(findPrefetchCredentials('/admin/accounts', stored({}, factors), now)).toBeNull();
    const elevated = { access_token: tokenWith({ aal: 'aal2' }) };
    expect(findPrefetchCredentials('/admin/accounts', stored(elevated, factors), now)).not.toBeNull();
    expect(
      findPrefetchCredentials('/admin/accounts', stored({ access_token: 'no.%.token' }, factors), now),
    ).toBeNull();
    const unverified = { factors: [{ status: 'unverified' }] };
    expect(findPrefetchCredentials('/admin/accounts', stored({}, unverified), now)).not.toBeNull();
  });

  it.each([
    ['another screen', '/admin/platform-admins', stored()],
    ['no session', '/admin/accounts', null],
    ['invalid stored text', '/admin/accounts', '{"access_token":'],
    ['a session without a user', '/admin/accounts', stored({ user: undefined })],
    ['a token that the client refreshes first', '/admin/accounts', stored({ expires_at: now + 100 })],
    ['a session without a refresh token', '/admin/accounts', stored({ refresh_token: undefined })],
    ['a session with an empty refresh token', '/admin/accounts', stored({ refresh_token: null })],
    ['a token without expiry', '/admin/accounts', stored({ expires_at: null })],
    ['a user without a password', '/admin/accounts', stored({}, { app_metadata: { setup_required: true } })],
  ])('does not happen for %s', (_case, path, text) => {
    expect(findPrefetchCredentials(path, text, now)).toBeNull();
  });
});
