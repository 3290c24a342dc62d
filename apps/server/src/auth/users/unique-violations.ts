/** Errors for an email address, phone number or ID that another user has. */
import { QueryError } from '@lanternrock/postgres/errors';
import { ApiError } from '../../errors.ts';

/** Converts a unique violation (SQLSTATE 23505) to the error of Supabase Auth. Returns any other error unchanged. */
export function toUniqueViolationError(error: unknown): unknown {
  if (!(error instanceof QueryError) || error.code !== '23505') return error;
  if (error.constraint === 'users_phone_key') {
    return new ApiError(422, 'phone_exists', 'Phone number already registered by another user');
  }
  return error.constraint === 'users_email_key'
    ? emailExistsError()
    : new ApiError(422, 'user_already_exists', 'User already registered');
}

export const phoneExistsError = (): ApiError =>
  new ApiError(422, 'phone_exists', 'A user with this phone number has already been registered');

export const emailExistsError = (): ApiError =>
  new ApiError(422, 'email_exists', 'A user with this email address has already been registered');
