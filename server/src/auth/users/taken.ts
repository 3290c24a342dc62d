/** The refusals where another user has the address, the number or the id. */
import { DatabaseFailure } from '../../database/database.ts';
import { Refusal } from '../../errors.ts';

/** A broken unique rule as the contract's error. */
export function takenRefusal(error: unknown): unknown {
  if (!(error instanceof DatabaseFailure) || error.code !== '23505') return error;
  if (error.constraint === 'users_phone_key') {
    return new Refusal(422, 'phone_exists', 'Phone number already registered by another user');
  }
  return error.constraint === 'users_email_key'
    ? emailTaken()
    : new Refusal(422, 'user_already_exists', 'User already registered');
}

export const emailTaken = (): Refusal =>
  new Refusal(422, 'email_exists', 'A user with this email address has already been registered');
