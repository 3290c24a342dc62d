import { resetRequestSchema, setPasswordSchema, signInSchema } from '@lanternrock/contract/credentials';
import { describe, expect, it } from 'vitest';
import { validateForm } from './validate-form.ts';

describe('the forms of the sign-in document', () => {
  it('sign-in: returns one message per field', { tags: ['C202', 'C203'] }, () => {
    expect(validateForm(signInSchema, { email: 'a@b', password: '12345' })).toEqual({
      ok: false,
      errors: { email: 'Invalid email address', password: 'Password must be at least 6 characters' },
    });
    expect(validateForm(signInSchema, { email: ' Ada@Example.com ', password: '123456' })).toEqual({
      ok: true,
      values: { email: 'ada@example.com', password: '123456' },
    });
  });

  it('reset: requires an email address', { tags: ['C204'] }, () => {
    expect(validateForm(resetRequestSchema, { email: 'abc' })).toEqual({
      ok: false,
      errors: { email: 'Invalid email address' },
    });
  });

  it(
    'set password: reports the length at the password and a mismatch at the confirmation',
    { tags: ['C205', 'C206'] },
    () => {
      expect(validateForm(setPasswordSchema, { password: '1234567', confirmPassword: '1234567' })).toEqual({
        ok: false,
        errors: { password: 'Password must be at least 8 characters' },
      });
      expect(validateForm(setPasswordSchema, { password: '12345678', confirmPassword: '1234567' })).toEqual({
        ok: false,
        errors: { confirmPassword: "Passwords don't match" },
      });
      expect(validateForm(setPasswordSchema, { password: '12345678', confirmPassword: '12345678' }).ok).toBe(
        true,
      );
    },
  );
});
