import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceName, isMobileDevice } from './device-name.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('deviceName', () => {
  it.each([
    [`${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
    [`${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`,
      'Chrome on ChromeOS',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    ['curl/8.5.0', 'curl'],
    ['node', 'node'],
    ['Mozilla/5.0', 'Unknown device'],
    ['', 'Unknown device'],
    [null, 'Unknown device'],
  ])('%s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });

  it('returns 1 to 40 characters for any user agent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (userAgent) => {
        const name = deviceName(userAgent);
        expect(name.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(40);
      }),
    );
  });

  it('distinguishes mobile devices from desktop computers', () => {
    expect(isMobileDevice('Mozilla/5.0 (Linux; Android 15; Pixel 9)')).toBe(true);
    expect(isMobileDevice(windows)).toBe(false);
    expect(isMobileDevice(null)).toBe(false);
  });
});
