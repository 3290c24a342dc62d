import { AuthError } from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { fromRegistrationError, fromWebAuthnError, webAuthnObstacle } from './webauthn-error.ts';

const withCause = (message: string, code: string, cause: unknown): Error => {
  const error = new AuthError(message, undefined, code);
  error.cause = cause;
  return error;
};

describe('errors of passkeys and security keys', () => {
  it('reports a canceled request instead of quoting the standard', () => {
    const notAllowed = new DOMException('See: https://www.w3.org/TR/webauthn-2/', 'NotAllowedError');
    const error = fromWebAuthnError(
      withCause(notAllowed.message, 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', notAllowed),
    );
    expect(error.message).toBe('The request was canceled or timed out. Try again when you are ready.');
  });

  it.each([
    ['ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED', /already registered/],
    ['ERROR_INVALID_RP_ID', /only at the configured URL/],
    ['passkey_disabled', /turned off on this server/],
  ])('has a message for %s', (code, message) => {
    expect(fromWebAuthnError(new AuthError('x', 404, code))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('keeps the message of other errors', () => {
    const error = fromWebAuthnError(
      new AuthError('Maximum number of passkeys reached', 422, 'too_many_passkeys'),
    );
    expect(error).toMatchObject({ kind: 'auth', status: 422, message: 'Maximum number of passkeys reached' });
  });

  it.each([
    ['Browser does not support WebAuthn', /^This browser/],
    ['a Non-Webauthn related error has occurred', /^The browser could not/],
  ])('converts "%s"', (message, expected) => {
    expect(fromWebAuthnError(new AuthError(message)).message).toMatch(expected);
  });
});

it('does not call a new passkey that could not be verified unregistered', () => {
  const error = new AuthError('x', 400, 'webauthn_verification_failed');
  expect(fromWebAuthnError(error).message).toMatch(/^This passkey is not registered/);
  expect(fromRegistrationError(error).message).toMatch(/^The new passkey could not be verified/);
  expect(fromRegistrationError(new AuthError('x', 400, 'webauthn_credential_exists')).message).toMatch(
    /already registered/,
  );
});

describe('the URL of a page', () => {
  it.each([
    ['console.example.org', true, 'https://console.example.org', undefined],
    ['eu.console.example.org', true, 'https://console.example.org', undefined],
    ['localhost', true, 'http://localhost:3000', undefined],
    ['console.example.org', true, '', undefined],
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
    ['other.example.org', true, 'https://console.example.org', /at console\.example\.org only.* Open https/],
    ['evilconsole.example.org', true, 'https://console.example.org', /work only at console\.example\.org/],
    ['example.org', true, 'https://console.example.org', /work only at console\.example\.org/],
  ])('at %s (secure: %s) with SITE_URL %s', (hostname, isSecure, siteUrl, expected) => {
    const obstacle = webAuthnObstacle({ hostname, isSecure }, siteUrl);
    if (expected === undefined) expect(obstacle).toBeUndefined();
    else expect(obstacle).toMatch(expected);
  });
});
