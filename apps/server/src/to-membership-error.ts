/** Errors of the triggers of memberships, which functions about accounts and invitations report. */
import { QueryError } from '@lanternrock/postgres/errors';
import { DomainError } from './errors.ts';

const codes = {
  account_members_own_end: 'own_membership',
  account_members_role_end: 'membership_outlasts_role',
} as const;

/** Returns the API error of a change that a trigger of memberships rejects, or the error itself. */
export function toMembershipError(error: unknown): unknown {
  if (!(error instanceof QueryError)) return error;
  const constraint = error.constraint ?? '';
  return Object.hasOwn(codes, constraint)
    ? new DomainError(codes[constraint as keyof typeof codes], `${error.message}.`, { cause: error })
    : error;
}
