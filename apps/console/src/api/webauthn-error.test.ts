import { AuthError, AuthUnknownError } from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { fromWebAuthnError } from './webauthn-error.ts';

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
      'authentication',
    );
    expect(error.message).toBe('The request was canceled or timed out. Try again when you are ready.');
  });

  it.each([
    ['ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED', /already registered/],
    ['ERROR_INVALID_RP_ID', /only at the configured URL/],
    ['passkey_disabled', /turned off on this server/],
  ])('has a message for %s', (code, message) => {
    expect(fromWebAuthnError(new AuthError('x', 404, code), 'authentication')).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('keeps the message of other errors', () => {
    const error = fromWebAuthnError(
      new AuthError('Maximum number of passkeys reached', 422, 'too_many_passkeys'),
      'authentication',
    );
    expect(error).toMatchObject({ kind: 'auth', status: 422, message: 'Maximum number of passkeys reached' });
  });

  it.each([
    ['Browser does not support WebAuthn', /^This browser/],
    ['a Non-Webauthn related error has occurred', /^The browser could not/],
  ])('converts "%s"', (message, expected) => {
    expect(fromWebAuthnError(new AuthUnknownError(message, null), 'authentication').message).toMatch(
      expected,
    );
  });
});

it('distinguishes a failed registration from a failed sign-in', () => {
  const error = new AuthError('x', 400, 'webauthn_verification_failed');
  expect(fromWebAuthnError(error, 'authentication').message).toMatch(/^This passkey could not be used/);
  expect(fromWebAuthnError(error, 'registration').message).toMatch(/^The new passkey could not be verified/);
  expect(
    fromWebAuthnError(new AuthError('x', 400, 'webauthn_credential_exists'), 'registration').message,
  ).toMatch(/already registered/);
});
