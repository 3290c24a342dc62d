import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProviders } from './oauth-providers.ts';

describe('the file of OAuth providers', () => {
  let directory: string;
  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-providers-'));
  });
  afterEach(() => fs.rmSync(directory, { recursive: true }));
  const read = (settings: object): readonly string[] => {
    const file = path.join(directory, 'providers.json');
    fs.writeFileSync(file, JSON.stringify({ forge: { client_id: 'c', client_secret: 's', ...settings } }));
    return readProviders(file).enabled;
  };
  const endpoints = {
    authorization_endpoint: 'http://127.0.0.1:8080/authorize',
    token_endpoint: 'http://[::1]:8080/token',
    userinfo_endpoint: 'https://forge.example/user',
  };

  it.each([
    { issuer: 'https://login.example' },
    { issuer: 'http://localhost:8080/realms/hut' },
    endpoints,
    { ...endpoints, emails_endpoint: 'https://forge.example/emails' },
  ])('accepts https, and http on this host: %j', (settings) => {
    expect(read(settings)).toEqual(['forge']);
  });

  it.each([
    { issuer: 'http://login.example' },
    { issuer: 'http://192.168.1.7/realms/hut' },
    { ...endpoints, token_endpoint: 'http://forge.example/token' },
    { ...endpoints, userinfo_endpoint: 'http://forge.example/user' },
    { ...endpoints, emails_endpoint: 'http://forge.example/emails' },
    { ...endpoints, authorization_endpoint: 'http://localhost.example/authorize' },
  ])('rejects http to another host, which would receive secrets unencrypted: %j', (settings) => {
    expect(() => read(settings)).toThrow(/must use https, except on this host/);
  });

  it('names a text that is no URL', () => {
    expect(() => read({ issuer: 'login' })).toThrow(/must be a URL/);
  });
});
