import { describe, expect, it } from 'vitest';
import { prefetchIdentity } from './prefetch-policy.ts';

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

describe('reading before the auth client is there', () => {
  it('is for the accounts screen of somebody whose session needs nothing first', () => {
    const identity = { userId: 'u1', token: tokenWith({ aal: 'aal1' }) };
    expect(prefetchIdentity('/admin/accounts', stored(), now)).toEqual(identity);
    expect(prefetchIdentity('/admin/accounts/', stored(), now)).toEqual(identity);
  });

  it('is for a person with a second factor once that was proved', () => {
    const factors = { factors: [{ status: 'verified' }] };
    expect(prefetchIdentity('/admin/accounts', stored({}, factors), now)).toBeNull();
    const proved = { access_token: tokenWith({ aal: 'aal2' }) };
    expect(prefetchIdentity('/admin/accounts', stored(proved, factors), now)).not.toBeNull();
    expect(
      prefetchIdentity('/admin/accounts', stored({ access_token: 'no.%.token' }, factors), now),
    ).toBeNull();
    const unfinished = { factors: [{ status: 'unverified' }] };
    expect(prefetchIdentity('/admin/accounts', stored({}, unfinished), now)).not.toBeNull();
  });

  it.each([
    ['another screen', '/admin/platform-admins', stored()],
    ['nobody', '/admin/accounts', null],
    ['what is no session', '/admin/accounts', '{"access_token":'],
    ['a session without its user', '/admin/accounts', stored({ user: undefined })],
    ['a token that the client renews first', '/admin/accounts', stored({ expires_at: now + 100 })],
    ['a token without an end', '/admin/accounts', stored({ expires_at: null })],
    ['a password not set yet', '/admin/accounts', stored({}, { app_metadata: { setup_required: true } })],
  ])('is not for %s', (_case, path, text) => {
    expect(prefetchIdentity(path, text, now)).toBeNull();
  });
});
