import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeNextPath, signInUrl } from './next-path.ts';

describe('the return path after sign-in', () => {
  it.each([
    ['/admin/accounts', '/admin/accounts'],
    ['/admin/accounts?q=north&type=enterprise', '/admin/accounts?q=north&type=enterprise'],
    ['/admin/accounts?q=a%2Fb', '/admin/accounts?q=a%2Fb'],
    ['/admin/me/security', '/admin/me/security'],
  ])('keeps %s', (next, path) => {
    expect(safeNextPath(next)).toBe(path);
  });

  it.each([
    null,
    '',
    '/',
    '/auth',
    '/admin',
    'admin/accounts',
    '//evil.example',
    '//evil.example/admin/',
    '/\\evil.example',
    '/admin/\\evil.example',
    '/%5cevil.example',
    '/admin/%2f%2fevil.example',
    '/admin/../auth',
    '/admin/../..//evil.example',
    '/admin/\n//evil.example',
    'https://evil.example/admin/accounts',
    'javascript:alert(1)',
    ' /admin/accounts',
  ])('rejects %j', (next) => {
    expect(safeNextPath(next)).toBeNull();
  });

  it('never leaves the origin or /admin for arbitrary input', () => {
    const parts = fc.constantFrom(
      '/admin/',
      '/',
      '\\',
      '..',
      '//',
      'evil.example',
      '%5c',
      '@',
      ':',
      'https:',
      '\t',
      '?',
      '#',
      'a',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const next = safeNextPath(pieces.join(''));
        if (next === null) return;
        const url = new URL(next, 'https://console.example');
        expect(url.origin).toBe('https://console.example');
        expect(url.pathname.startsWith('/admin/')).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is omitted from the sign-in URL for the home path and for invalid paths', () => {
    expect(signInUrl('/admin/accounts')).toBe('/auth');
    expect(signInUrl('//evil.example')).toBe('/auth');
    expect(signInUrl('/admin/logs')).toBe('/auth?next=%2Fadmin%2Flogs');
  });
});
