/** Explains the error of `private.require_seniority`: a new administrator acted on an earlier one. */
import { QueryError } from '@lanternrock/postgres/errors';
import { DomainError } from '../errors.ts';
import { formatDateWithZone } from '../mail/date-with-zone.ts';

/** @returns DomainError administrator_too_new with the time from which the action is possible; null for other errors */
export function tryToSeniorityError(error: unknown): DomainError | null {
  if (!(error instanceof QueryError) || error.constraint !== 'administrator_seniority') return null;
  const possibleAt = new Date(error.details ?? '');
  const message =
    `Your administrator role was granted less than 24 hours ago. Until ${formatDateWithZone(possibleAt, 'UTC')}, you cannot change ` +
    'the second-factor requirement, or the role, the second factors or the sessions of earlier administrators. ' +
    'Ask one of them or the operator of the service, or try again after that time.';
  const retryAfterSeconds = Math.max(1, Number(error.hint));
  return new DomainError('administrator_too_new', message, { retryAfterSeconds, cause: error });
}
