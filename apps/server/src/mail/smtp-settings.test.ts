import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperationalError } from '@lanternrock/postgres/errors';
import { readConfig } from '../config/settings.ts';
import { buildSmtpOptions } from './smtp-settings.ts';

const options = (settings: Record<string, string>) => buildSmtpOptions(readConfig(settings), 10_000);

it.each([
  ['smtps://mail.example.org', {}, { host: 'mail.example.org', port: 465, secure: true, requireTLS: false }],
  ['smtp://mail.example.org', {}, { port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
  [
    'smtp://mail.example.org:2525',
    { SMTP_TLS: 'optional' },
    { port: 2525, requireTLS: false, ignoreTLS: false },
  ],
  ['smtp://mail.example.org', { SMTP_TLS: 'off' }, { requireTLS: false, ignoreTLS: true }],
  ['smtp://127.0.0.1:1025', {}, { host: '127.0.0.1', requireTLS: false, tls: { rejectUnauthorized: false } }],
  ['smtp://[::1]:1025', {}, { host: '::1', requireTLS: false }],
  ['smtp://127.0.0.1.evil.example', {}, { requireTLS: true }],
  ['smtps://us%40er:p%3Ass@mail.example.org', {}, { auth: { user: 'us@er', pass: 'p:ss' } }],
])('converts SMTP_URL=%s with %j to options of the transport', (url, more, expected) => {
  expect(options({ SMTP_URL: url, ...more })).toMatchObject(expected);
});

it.each([
  [{ SITE_URL: 'https://console.example.org' }, 'console.example.org'],
  [{ SITE_URL: 'https://straße.example' }, 'xn--strae-oqa.example'],
  [{ SITE_URL: 'https://[2001:db8::1]', MAIL_FROM: 'a@straße.example' }, 'xn--strae-oqa.example'],
  [{ SITE_URL: 'https://console.example.org', SMTP_EHLO_NAME: 'out.example.org' }, 'out.example.org'],
])('introduces itself with %j as %s', (settings, name) => {
  expect(options({ SMTP_URL: 'smtp://mail.example.org', ...settings })).toMatchObject({ name });
});

it.each([
  'console',
  '10.0.0.1',
  '[127.0.0.1]',
  'a b.example',
  'x.example\r\nQUIT',
  'straße.example',
  'a..example',
  '-a.example',
  'a-.example',
])('rejects SMTP_EHLO_NAME=%j', (name) => {
  expect(() => readConfig({ SMTP_EHLO_NAME: name })).toThrow(/SMTP_EHLO_NAME must be a full host name/);
});

it('verifies the certificate of a remote server', { tags: ['OPS-22'] }, () => {
  expect(options({ SMTP_URL: 'smtps://mail.example.org' })).not.toHaveProperty('tls');
});

it('sets all timeouts and disables automatic resending', () => {
  expect(options({ SMTP_URL: 'smtp://mail.example.org' })).toMatchObject({
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 10_000,
    dnsTimeout: 10_000,
    maxRequeues: 0,
  });
});

it.each([
  'mail.example.org',
  'http://mail.example.org',
  'smtp://',
  'smtp://host/path',
  'smtp://host?pool=true',
  'smtp://host#x',
  'smtp://us%zzer:password@host',
])('rejects SMTP_URL=%s', (url) => {
  expect(() => readConfig({ SMTP_URL: url })).toThrow(OperationalError);
});

describe('DKIM_KEY_FILE', () => {
  let directory: string;
  beforeAll(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-test-'));
  });
  afterAll(() => fs.rmSync(directory, { recursive: true }));

  /** Returns the options for a key file with this content; null for a missing file. */
  const optionsWithKey = (content: string | null) => {
    const file = path.join(directory, 'key.pem');
    if (content === null) fs.rmSync(file, { force: true });
    else fs.writeFileSync(file, content);
    return options({
      SMTP_URL: 'smtp://mail.example.org',
      DKIM_DOMAIN: 'example.org',
      DKIM_SELECTOR: 's1',
      DKIM_KEY_FILE: file,
    });
  };

  it.each([null, 'KEY'])('rejects a file without a private key (content %j)', (content) => {
    expect(() => optionsWithKey(content)).toThrow('cannot be read');
  });

  it('signs with the private key in the file', () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    expect(optionsWithKey(privateKey)).toMatchObject({
      dkim: { domainName: 'example.org', keySelector: 's1', privateKey },
    });
  });
});
