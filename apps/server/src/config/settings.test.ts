import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { OperationalError } from '@lanternrock/postgres/errors';
import { readConfig, settingMeta, settings } from './settings.ts';

const reference = fileURLToPath(new URL('../../../../docs/configuration.md', import.meta.url));

/** Generates docs/configuration.md from the settings. */
function describeSettings(): string {
  const format = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? 'on' : 'off';
    return Array.isArray(value) ? value.join(',') : String(value);
  };
  const rows = Object.entries(settings.shape).map(([name, schema]) => {
    const { about, compat, secret, values } = settingMeta(schema);
    const file = secret ? ` or \`${name}_FILE\`` : '';
    const fallback = format(schema.parse(undefined));
    const defaults = [fallback, compat === undefined ? '' : format(compat)];
    const columns = defaults.map((value) => (value === '' ? '' : `\`${value}\``)).join(' | ');
    return `| \`${name}\`${file} | ${values} | ${columns} | ${about} |`;
  });
  return [
    '# Configuration',
    '',
    'Settings are environment variables. If values are invalid, the service does not start and prints one line for each. Separate',
    'the items of a list with commas. Numbers are whole numbers. `true` and `false` are accepted for `on` and `off`. An empty variable',
    'counts as unset. The service can read a secret from a file: set the variable with the suffix `_FILE` to its path, for example',
    'with `LoadCredential` of systemd or with secrets of containers. Setting both variables is an error.',
    '`npm run generate -- configuration` generates this page from the schemas of the settings.',
    '',
    '| variable | values | default | with `PROFILE=compat` | description |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

describe('readConfig', () => {
  it('has a default for every setting', () => {
    const config = readConfig({});
    expect(Object.keys(config)).toEqual(expect.arrayContaining(Object.keys(settings.shape)));
    expect(Object.values(config)).not.toContain(undefined);
    expect(config.SITE_URL).toBe('http://localhost:3000');
    expect(config.JWT_ISSUER).toBe('http://localhost:3000/auth/v1');
    expect(config.SIGNUP).toBe(false);
  });

  it('uses permissive defaults with PROFILE=compat, unless a setting overrides them', () => {
    const config = readConfig({ PROFILE: 'compat', RATE_LIMITS: 'on' });
    expect(config.SIGNUP).toBe(true);
    expect(config.RATE_LIMITS).toBe(true);
  });

  it.each([
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, not "-1".'],
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535, not "1e3".'],
    ['ADMIN_EMAIL', 'a@b.co, c@d.co', 'ADMIN_EMAIL must be an email address, not "a@b.co, c@d.co".'],
    ...['https://x.example/{a,b', 'a}', 'https://x.example/[z-a]'].map((text) => [
      'REDIRECT_URLS',
      text,
      `REDIRECT_URLS must be valid patterns (balanced braces, ascending ranges, at most two ** in a path), not "${text}".`,
    ]),
    ...[
      'console',
      'console.example.org:3000',
      'ftp://x.example',
      'https:x.example',
      'https:/x.example',
      'https://',
      'https://x.example/console',
      'https://x.example/console/',
      'https://x.example?',
      'https://x.example/?a=b',
      'https://x.example#',
      'https://x.example/#top',
      'https://x.exa mple',
      'https://x.example https://y.example',
      'https://x.example, https://y.example',
      'https://x.\texample',
      'https://x.example\\console',
      'https://x.example:99999',
      'https://*.x.example',
    ].map((text) => [
      'SITE_URL',
      text,
      `SITE_URL must be a URL such as https://console.example.org, without user, path, query and fragment, not "${text}".`,
    ]),
    ...['https://ann@x.example', 'https://ann:hunter2@x.example', 'https://a:b@c@x.example/'].map((text) => [
      'SITE_URL',
      text,
      `SITE_URL must be a URL such as https://console.example.org, without user, path, query and fragment, not "https://…@x.example${text.slice(text.indexOf('.example') + 8)}".`,
    ]),
    ['BACKUP_KEEP', '0', 'BACKUP_KEEP must be a whole number from 1 to 10000, not "0".'],
    ['JWT_ISSUER', 'https://x .example', 'JWT_ISSUER must contain no spaces, not "https://x .example".'],
    [
      'REDIRECT_URLS',
      'https://x.example/** https://y.example/**',
      'REDIRECT_URLS must be separated by commas and contain no spaces, not "https://x.example/** https://y.example/**".',
    ],
    ...['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.1,10.0.0.0/8/8'].map((text) => [
      'TRUSTED_PROXIES',
      text,
      `TRUSTED_PROXIES must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, not "${text}".`,
    ]),
    ...[
      'https://x.example/',
      'x.example',
      '*',
      'https://*',
      'https://*.x.example',
      'app://*',
      'capacitor://',
      'app://x/y',
      'x.example:443',
    ].map((text) => [
      'CORS_ORIGINS',
      text,
      `CORS_ORIGINS must be origins such as https://app.example.org, without wildcards and without a slash at the end, not "${text}".`,
    ]),
    ...['dns.example', '192.0.2.1,192.0.2.256'].map((text) => [
      'DNS_SERVERS',
      text,
      `DNS_SERVERS must be IP addresses, optionally with a port such as 192.0.2.1:53, separated by commas, not "${text}".`,
    ]),
    ['PROFILE', 'loose', 'PROFILE must be one of strict, compat, not "loose".'],
  ])('rejects %s=%s with a message of one line', (name = '', value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(new OperationalError(message));
  });

  it('accepts schedules with five fields and names, and rejects others', () => {
    for (const schedule of [
      '0 3 * * *',
      '*/15 * * * 1-5',
      '0 2 1,15 * *',
      '@hourly',
      '@daily',
      '@weekly',
      '@monthly',
    ])
      expect(readConfig({ BACKUP_DIR: '/b', BACKUP_SCHEDULE: schedule }).BACKUP_SCHEDULE).toBe(schedule);
    for (const schedule of ['0 3 * *', '0 0 3 * * *', '61 3 * * *', '0 0 30 2 *', 'daily', '@never'])
      expect(() => readConfig({ BACKUP_DIR: '/b', BACKUP_SCHEDULE: schedule })).toThrow(
        new OperationalError(
          `BACKUP_SCHEDULE must be five fields of cron such as 0 3 * * * with a time in the future, not "${schedule}".`,
        ),
      );
    expect(() => readConfig({ BACKUP_DIR: '/b' })).toThrow(
      'BACKUP_DIR and BACKUP_SCHEDULE must be set together.',
    );
  });

  it.each(['x.example/verify', 'https://x.example/ver ify', 'https://ann:x@x.example/', 'https:x'])(
    'rejects CAPTCHA_VERIFY_URL=%s',
    (CAPTCHA_VERIFY_URL) => {
      expect(() => readConfig({ CAPTCHA_VERIFY_URL, CAPTCHA_SECRET: 'hunter2' })).toThrow(
        /^CAPTCHA_VERIFY_URL must be a URL such as https:\/\/example\.org\/verify, without user and fragment, not "(?!.*ann)[^\n]+\.$/,
      );
    },
  );

  it.each([
    ['https://console.example.org//', 'https://console.example.org'],
    ['HTTPS://Console.Example.org:443', 'https://console.example.org'],
    ['https://kölner-huette.example', 'https://xn--klner-huette-4ib.example'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('uses the origin that browsers send: SITE_URL=%s', (text, origin) => {
    expect(readConfig({ SITE_URL: text }).SITE_URL).toBe(origin);
  });

  it.each(['mysql://ann:hunter2@x.example/y', 'ann:hunter2@x.example', 'postgres://ann:hunter2@x:99999/y'])(
    'does not print the password of an invalid URL: %s',
    (text) => {
      const read = (name: string) => readConfig({ [name]: text });
      expect(() => read('DATABASE_URL')).toThrow(
        new OperationalError(
          'DATABASE_URL must look like postgres://user:password@db.example.org:5432/name.',
        ),
      );
      expect(() => read('SMTP_URL')).toThrow(
        new OperationalError(
          'SMTP_URL must look like smtps://user:password@mail.example.org or smtp://host:587.',
        ),
      );
    },
  );

  it.each([
    'postgres://127.0.0.1/x',
    'postgresql://ann:p%40ss@db.example.org:5432/x?sslmode=require',
    'postgres://ann@/x?host=/run/postgresql',
    'POSTGRES://127.0.0.1/x',
    '/run/postgresql x',
  ])('accepts DATABASE_URL=%s', (text) => {
    expect(readConfig({ DATABASE_URL: text }).DATABASE_URL).toBe(text);
  });

  it('adds the variables of libpq for TLS to DATABASE_URL, which has priority', () => {
    const environment = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/etc/ca.pem' };
    expect(readConfig({ ...environment, DATABASE_URL: 'postgres://db/x' }).DATABASE_URL).toBe(
      'postgres://db/x?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem',
    );
    expect(
      readConfig({ PGSSLMODE: 'require', DATABASE_URL: 'postgres://db/x?sslmode=disable' }).DATABASE_URL,
    ).toBe('postgres://db/x?sslmode=disable');
    expect(readConfig(environment).DATABASE_URL).toBe('');
  });

  it('accepts a DATABASE_URL with several hosts, and checks each of them', () => {
    for (const hosts of ['one.example:5432,two.example', 'one.example', '[::1]:5432,[fe80::1]'])
      expect(readConfig({ DATABASE_URL: `postgres://ann:a,b@${hosts}/x` }).DATABASE_URL).toContain(hosts);
    for (const hosts of ['one.example:5432,two example', 'one.example:port,two.example', 'one.example,'])
      expect(() => readConfig({ DATABASE_URL: `postgres://ann@${hosts}/x` })).toThrow(
        'DATABASE_URL must look like postgres://user:password@db.example.org:5432/name',
      );
  });

  it('accepts origins of apps and of browser extensions', () => {
    const origins = ['capacitor://localhost', 'chrome-extension://abcdefgh', 'http://localhost:8100'];
    expect(readConfig({ CORS_ORIGINS: origins.join() }).CORS_ORIGINS).toEqual(origins);
  });

  it('rejects settings that must be set together with others', () => {
    expect(() => readConfig({ DKIM_DOMAIN: 'example.org', CAPTCHA_SECRET: 'hunter2' })).toThrow(
      new OperationalError(
        'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE must be set together.\nCAPTCHA_VERIFY_URL and CAPTCHA_SECRET must be set together.',
      ),
    );
  });

  describe('a secret from a file', () => {
    const file = path.join(os.tmpdir(), `lanternrock-secret-${process.pid}`);
    const secrets = Object.keys(settings.shape).filter(
      (name) => settingMeta(settings.shape[name as keyof typeof settings.shape]).secret,
    );
    afterAll(() => fs.rmSync(file, { force: true }));

    it('is supported for every secret setting', () => {
      const named = Object.keys(settings.shape).filter((name) =>
        /SECRET|TOKEN$|SERVICE_ROLE|SIGNING_KEYS$/.test(name),
      );
      expect(secrets).toEqual(expect.arrayContaining(named));
      expect(secrets).toEqual(expect.arrayContaining(['DATABASE_URL', 'SMTP_URL']));
    });

    it('is read without the line break, and parsed like the variable', () => {
      fs.writeFileSync(file, 'smtp://user:pass@mail.example.org\n');
      expect(readConfig({ SMTP_URL_FILE: file }).SMTP_URL).toBe('smtp://user:pass@mail.example.org');
      fs.writeFileSync(file, 'a token\n');
      for (const name of secrets.filter((one) => !one.endsWith('_URL') && one !== 'CAPTCHA_SECRET'))
        expect(readConfig({ [`${name}_FILE`]: file })).toMatchObject({ [name]: 'a token' });
    });

    it.each([
      [
        'both are set',
        { METRICS_TOKEN: 'x', METRICS_TOKEN_FILE: file },
        'METRICS_TOKEN and METRICS_TOKEN_FILE are both set. Set only one of them.',
      ],
      ['the file is missing', { METRICS_TOKEN_FILE: '/none' }, 'METRICS_TOKEN_FILE /none cannot be read.'],
      ['the file is empty', { METRICS_TOKEN_FILE: '/dev/null' }, 'METRICS_TOKEN_FILE /dev/null is empty.'],
      ['its content is not valid', { SMTP_URL_FILE: file }, 'SMTP_URL must'],
    ])('prevents the start if %s, without printing a secret', (_name, environment, message) => {
      fs.writeFileSync(file, 'a secret');
      const read = (): unknown => readConfig(environment);
      expect(read).toThrow(message);
      expect(read).not.toThrow(/a secret/);
    });
  });

  it('matches docs/configuration.md', () => {
    if (process.env['GENERATE']) fs.writeFileSync(reference, describeSettings());
    expect(fs.readFileSync(reference, 'utf8')).toBe(describeSettings());
  });
});
