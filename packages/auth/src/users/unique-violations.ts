/** Errors for an email address, phone number or ID that another user has. */
import { QueryError } from '@lanternrock/postgres/errors';
import { AuthError, userAlreadyExistsError } from '../auth-error.ts';

/** Returns true for a row that violates a unique constraint (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): error is QueryError =>
  error instanceof QueryError && error.code === '23505';

/** Converts a unique violation to the error of Supabase Auth. Returns any other error unchanged. */
export function toUniqueViolationError(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  if (error.constraint === 'users_phone_key') {
    return new AuthError(422, 'phone_exists', 'Phone number already registered by another user');
  }
  return error.constraint === 'users_email_key' ? emailExistsError() : userAlreadyExistsError();
}

export const phoneExistsError = (): AuthError =>
  new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered');

export const emailExistsError = (): AuthError =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
