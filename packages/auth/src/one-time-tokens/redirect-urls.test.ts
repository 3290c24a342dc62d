import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultAuthSettings } from '../settings.ts';
import { parseAllowedRedirect, resolveRedirect, buildEmailLink } from './redirect-urls.ts';

const config = {
  ...defaultAuthSettings,
  SITE_URL: 'https://console.example',
  REDIRECT_URLS: [
    'https://*.apps.example/done',
    'https://docs.example/**',
    'myapp://back/?',
    'https://a.example/x[1-3]',
    'https://b.example/[!a-c]/{one,t?o}',
    'http://[::1]:5000/x',
    'https://c.example/a+b(c)',
    'https://*.wild.example/**',
  ],
};

describe('redirect URLs', () => {
  it.each([
    'https://console.example',
    'https://console.example/auth/callback?setup=true#x',
    'https://one.apps.example/done',
    'https://docs.example/a/b/c',
    'myapp://back/1',
    'https://a.example/x2',
    'https://b.example/d/one',
    'https://b.example/z/two',
    'http://[::1]:5000/x',
    'https://c.example/a+b(c)',
  ])('allows %s', (target) => {
    expect(parseAllowedRedirect(target, config)?.href).toBe(new URL(target).href);
  });

  it.each([
    'https://evil.example',
    `https://docs.example/${'x'.repeat(2048)}`,
    'https://console.example.evil.example',
    'https://console.example@evil.example',
    'https://evil.example/https://console.example',
    '//evil.example',
    '/\\evil.example',
    'https:\\\\evil.example',
    'http://console.example',
    'https://console.example:444',
    'https://2130706433',
    'https://[::1]',
    'https://console.example%00.evil.example',
    'ht\ttps://console.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
    'https://a.b.apps.example/done',
    'https://one.apps.example/done/more',
    'myapp://back/12',
    'https://console。example',
    'https:console.example',
    'https://docs.example.evil.example/x',
    'https://user@console.example',
    'https://console.example\n.evil.example',
    'https://a.example/x4',
    'https://a.example/x[1-3]',
    'https://b.example/b/one',
    'https://b.example///one',
    'https://b.example/d/three',
    'https://b.example/d/one,t?o',
    'http://[::2]:5000/x',
    'https://c.example/aab(c)',
    'https://evil?.wild.example/',
    'https://evil#.wild.example/',
    'https://evil\t.wild.example/',
    'https://evil。wild.example/',
    'https://a.wild.example:8443/',
    'https://a@b.wild.example/',
  ])('rejects %j', { tags: ['AUTH-43'] }, (target) => {
    expect(parseAllowedRedirect(target, config)).toBeNull();
  });

  it('resolves arbitrary input to the site or an allowed URL', () => {
    const piece = fc.constantFrom(
      'https://',
      'http:',
      '//',
      '\\',
      '@',
      'console.example',
      'evil.example',
      '.',
      ':443',
      '/',
      '#',
      '?',
      '%2f',
      '[::1]',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        (requested) => {
          const { hostname, protocol } = resolveRedirect(requested, undefined, config);
          expect([protocol, hostname]).toEqual(['https:', 'console.example']);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('links to the callback page of the console, and to the verify page for other redirect URLs', () => {
    const link = { token: 't', type: 'recovery', pkce: false, setup: true };
    expect(buildEmailLink(config, { ...link, redirect: null })).toBe(
      'https://console.example/auth/callback?setup=true&token_hash=t&type=recovery',
    );
    expect(
      buildEmailLink(config, { ...link, redirect: new URL('https://console.example/auth/callback') }),
    ).toBe('https://console.example/auth/callback?setup=true&token_hash=t&type=recovery');
    expect(buildEmailLink(config, { ...link, redirect: new URL('https://docs.example/a?b=c&d#e') })).toBe(
      'https://console.example/auth/v1/verify?token=t&type=recovery&redirect_to=https%3A%2F%2Fdocs.example%2Fa%3Fb%3Dc%26d%23e',
    );
    expect(buildEmailLink(config, { ...link, pkce: true, redirect: null })).toContain(
      '/auth/v1/verify?token=pkce_t&',
    );
  });
});
