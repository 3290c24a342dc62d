import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { OperationalError } from '@lanternrock/postgres/errors';
import { readConfig } from '../config/settings.ts';
import { smtpOptions } from './smtp-settings.ts';

const options = (settings: Record<string, string>) => smtpOptions(readConfig(settings), 10_000);

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
])('converts %s with %j', (url, more, expected) => {
  expect(options({ SMTP_URL: url, ...more })).toMatchObject(expected);
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
])('rejects SMTP_URL %s', (url) => {
  expect(() => readConfig({ SMTP_URL: url })).toThrow(OperationalError);
});

it('rejects a DKIM key file that contains no private key', () => {
  const url = { SMTP_URL: 'smtp://mail.example.org' };
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-test-')), 'key.pem');
  const all = { ...url, DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 's1', DKIM_KEY_FILE: file };
  expect(() => options(all)).toThrow('cannot be read');
  fs.writeFileSync(file, 'KEY');
  expect(() => options(all)).toThrow('cannot be read');
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  fs.writeFileSync(file, privateKey);
  expect(options(all)).toMatchObject({
    dkim: { domainName: 'example.org', keySelector: 's1', privateKey },
  });
  fs.rmSync(path.dirname(file), { recursive: true });
});
