import { describe, expect, it } from 'vitest';
import { findWebAuthnObstacle } from './webauthn-support.ts';

describe('the URL of a page', () => {
  it.each([
    ['console.example.org', true, 'https://console.example.org', null],
    ['eu.console.example.org', true, 'https://console.example.org', null],
    ['localhost', true, 'http://localhost:3000', null],
    ['console.example.org', true, '', null],
    ['127.0.0.1', true, 'http://localhost:3000', /at an IP address\. Open http:\/\/localhost:3000 instead/],
    ['[::1]', true, 'http://localhost:3000', /at an IP address\. Open/],
    ['192.168.1.7', false, 'http://192.168.1.7:3000', /at an IP address\. Ask the operator/],
    ['192.168.1.7', false, 'http://localhost:3000', /at an IP address\. Ask the operator/],
    ['hut.example.org', false, 'http://localhost:3000', /need https.* Ask the operator/],
    ['hut.example.org', true, 'http://localhost:3000', /with the configured URL of this console\. Ask the/],
    ['hut.example.org', true, 'https://192.168.1.5', /with the configured URL of this console\. Ask the/],
    ['10.0.0.1', true, '', /at an IP address\. Ask the operator/],
    ['console.example.org', false, 'https://console.example.org', /need https.* Open https:\/\/console/],
    ['hut.local', false, 'http://hut.local', /need https.* Ask the operator/],
    [
      'other.example.org',
      true,
      'https://console.example.org',
      /work only at console\.example\.org.* Open https/,
    ],
    ['evilconsole.example.org', true, 'https://console.example.org', /work only at console\.example\.org/],
    ['example.org', true, 'https://console.example.org', /work only at console\.example\.org/],
  ])('at %s (secure: %s) with SITE_URL %s', (hostname, isSecure, siteUrl, expected) => {
    const obstacle = findWebAuthnObstacle({ hostname, isSecure }, siteUrl);
    if (expected === null) expect(obstacle).toBeNull();
    else expect(obstacle).toMatch(expected);
  });
});
