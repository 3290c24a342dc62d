import { resetRequestSchema, setPasswordSchema, signInSchema } from '@lanternrock/contract/credentials';
import { describe, expect, it } from 'vitest';
import { InputError } from './use-uncontrolled-form.ts';
import { validateForm } from './validate-form.ts';

const rejects = (fields: Readonly<Record<string, string>>): InputError => new InputError(fields);

describe('the forms of the sign-in document', () => {
  it('sign-in: throws one message per field', { tags: ['C202', 'C203'] }, () => {
    expect(() => validateForm(signInSchema, { email: 'a@b', password: '12345' })).toThrow(
      rejects({ email: 'Invalid email address', password: 'Password must be at least 6 characters' }),
    );
    expect(validateForm(signInSchema, { email: ' Ada@Example.com ', password: '123456' })).toEqual({
      email: 'ada@example.com',
      password: '123456',
    });
  });

  it('reset: requires an email address', { tags: ['C204'] }, () => {
    expect(() => validateForm(resetRequestSchema, { email: 'abc' })).toThrow(
      rejects({ email: 'Invalid email address' }),
    );
  });

  it(
    'set password: reports the length at the password and a mismatch at the confirmation',
    { tags: ['C205', 'C206'] },
    () => {
      expect(() =>
        validateForm(setPasswordSchema, { password: '1234567', confirmPassword: '1234567' }),
      ).toThrow(rejects({ password: 'Password must be at least 8 characters' }));
      expect(() =>
        validateForm(setPasswordSchema, { password: '12345678', confirmPassword: '1234567' }),
      ).toThrow(rejects({ confirmPassword: "Passwords don't match" }));
      const valid = { password: '12345678', confirmPassword: '12345678' };
      expect(validateForm(setPasswordSchema, valid)).toEqual(valid);
    },
  );
});
