import { AuthError } from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { fromWebAuthnError } from './webauthn-error.ts';

const withCause = (message: string, code: string, cause: unknown): Error => {
  const error = new AuthError(message, undefined, code);
  error.cause = cause;
  return error;
};

describe('errors of passkeys and security keys', () => {
  it('a cancelled request says so instead of quoting a standard', () => {
    const refused = new DOMException('See: https://www.w3.org/TR/webauthn-2/', 'NotAllowedError');
    const error = fromWebAuthnError(
      withCause(refused.message, 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', refused),
    );
    expect(error.message).toBe('The request was cancelled or timed out. Try again when you are ready.');
  });

  it.each([
    ['ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED', /registered already/],
    ['ERROR_INVALID_RP_ID', /only at the address/],
    ['passkey_disabled', /turned off on this server/],
  ])('%s has words of its own', (code, words) => {
    expect(fromWebAuthnError(new AuthError('x', 404, code))).toMatchObject({
      code,
      message: expect.stringMatching(words),
    });
  });

  it('what it does not know stays as the service says it', () => {
    const error = fromWebAuthnError(
      new AuthError('Maximum number of passkeys reached', 422, 'too_many_passkeys'),
    );
    expect(error).toMatchObject({ kind: 'auth', status: 422, message: 'Maximum number of passkeys reached' });
  });

  it.each([
    ['Browser does not support WebAuthn', /^This browser/],
    ['a Non-Webauthn related error has occurred', /^The browser could not/],
  ])('"%s" has words for a person', (message, words) => {
    expect(fromWebAuthnError(new AuthError(message)).message).toMatch(words);
  });
});
