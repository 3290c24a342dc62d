import { describe, expect, it } from 'vitest';
import { compileRedirectPattern } from './redirect-pattern.ts';

const fits = (glob: string, address: string): boolean => compileRedirectPattern(glob)(address);

describe('redirect URL patterns', () => {
  it.each([
    ['https://*.example.com/**', 'https://a.example.com/'],
    ['https://*.example.com/**', 'https://a.example.com/b/c?d=e.f'],
    ['https://**.example.com/x', 'https://a.b.example.com/x'],
    ['https://app?.example.com/**', 'https://app1.example.com/x'],
    ['https://d[!a-c]*.example.com/', 'https://dd.example.com/'],
    ['https://{one,two}.example.com/', 'https://two.example.com/'],
    ['http{s,}://a.example/', 'http://a.example/'],
    ['http://localhost:*/**', 'http://localhost:5173/x'],
    ['http://[::1]:*/x', 'http://[::1]:5000/x'],
    ['https://**', 'https://a.example:8443/b?c'],
    ['https://a.example/*', 'https://a.example/b?c=d'],
    ['myapp://back/**', 'myapp://back/'],
    ['**', 'https://a.example/b'],
  ])('%s takes %s', (glob, address) => {
    expect(fits(glob, address)).toBe(true);
  });

  it.each([
    ['https://*.example.com/**', 'https://evil?.example.com/'],
    ['https://*.example.com/**', 'https://evil#.example.com/'],
    ['https://*.example.com/**', 'https://evil/.example.com/'],
    ['https://*.example.com/**', String.raw`https://evil\.example.com/`],
    ['https://*.example.com/**', 'https://evil:80@a.example.com/'],
    ['https://*.example.com/**', 'https://a@b.example.com/'],
    ['https://*.example.com/**', 'https://[::1].example.com/'],
    ['https://*.example.com/**', 'https://evil.test?.example.com/'],
    ['https://*.example.com/**', 'https://a.example.com:444/'],
    ['https://*.example.com/**', 'https://a.example.com.evil.test/'],
    ['https://**.example.com/**', 'https://evil?.example.com/'],
    ['https://**.example.com/**', 'https://evil.test/x.example.com/'],
    ['https://**.example.com/**', 'https://evil.test#x.example.com/'],
    ['https://**.example.com', 'https://evil.test?x.example.com'],
    ['https://evil?.example.com/', 'https://evil/.example.com/'],
    ['https://evil?.example.com/', 'https://evil?.example.com/'],
    ['https://evil[!a].example.com/', 'https://evil?.example.com/'],
    ['https://evil[!a].example.com/', 'https://evil#.example.com/'],
    ['https://a.example?/x', 'https://a.example:/x'],
    ['https://a.example*/x', 'https://a.example:81/x'],
    ['http://[::1]:?/x', 'http://[::1]:/x'],
    ['*://a.example/', 'x://y://a.example/'],
    ['https://a.example', 'https://a.example/b'],
  ])('%s does not take %s', { tags: ['AUTH-43'] }, (glob, address) => {
    expect(fits(glob, address)).toBe(false);
  });

  it('rejects more than two ** in a path', () => {
    expect(fits('https://**.a.example/**/b/**', 'https://x.a.example/1/b/2')).toBe(true);
    expect(() => compileRedirectPattern('https://a.example/**/b/**/c/**')).toThrow(SyntaxError);
  });
});
