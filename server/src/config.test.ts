import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig, settings } from './config.ts';
import { StartFailure } from './errors.ts';

const reference = fileURLToPath(new URL('../../docs/configuration.md', import.meta.url));

/** docs/configuration.md, made from the table of settings. */
function describeSettings(): string {
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? 'on' : 'off';
    return Array.isArray(value) ? value.join(',') : String(value);
  };
  const rows = Object.entries(settings).map(([name, { fallback, about, ...more }]) => {
    const compat = 'compat' in more ? `\`${shown(more.compat)}\`` : '';
    return `| \`${name}\` | ${shown(fallback) === '' ? '' : `\`${shown(fallback)}\``} | ${compat} | ${about} |`;
  });
  return [
    '# Configuration',
    '',
    'Settings are environment variables. A bad value stops the start with one line. Switches are `on` or `off`, lists',
    'are separated by commas. This page is generated from `server/src/config.ts` (`npm run configuration`).',
    '',
    '| variable | default | with `PROFILE=compat` | what it does |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

describe('readConfig', () => {
  it('has a default for every setting', () => {
    const config = readConfig({});
    expect(config.SITE_URL).toBe('http://localhost:3000');
    expect(config.JWT_ISSUER).toBe('http://localhost:3000/auth/v1');
    expect(config.SIGNUP).toBe(false);
  });

  it('takes permissive defaults with PROFILE=compat, and single settings over them', () => {
    const config = readConfig({ PROFILE: 'compat', RATE_LIMITS: 'on' });
    expect(config.SIGNUP).toBe(true);
    expect(config.RATE_LIMITS).toBe(true);
  });

  it.each([
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, not "-1".'],
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535, not "1e3".'],
    [
      'SITE_URL',
      'console',
      'SITE_URL must be an address such as https://console.example.org, not "console".',
    ],
    ['ADMIN_EMAIL', 'a@b.co, c@d.co', 'ADMIN_EMAIL must be one plain e-mail address, not "a@b.co, c@d.co".'],
    ...['https://x.example/{a,b', 'a}', 'https://x.example/[z-a]'].map((text) => [
      'REDIRECT_URLS',
      text,
      `REDIRECT_URLS must be patterns whose braces match and whose ranges run forwards, not "${text}".`,
    ]),
    ['PROFILE', 'loose', 'PROFILE must be one of strict, compat, not "loose".'],
  ])('refuses %s=%s with a clear line', (name = '', value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(new StartFailure(message));
  });

  it('is described by docs/configuration.md', () => {
    if (process.env['WRITE_CONFIGURATION']) fs.writeFileSync(reference, describeSettings());
    expect(fs.readFileSync(reference, 'utf8')).toBe(describeSettings());
  });
});
