/** Prints the error of a command in one line, with a fix for database errors. */
import { QueryError, DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { AuthError } from '@lanternrock/auth';
import { DomainError } from '../errors.ts';
import { toTerminalText } from '../log.ts';
import { UsageError } from './usage-error.ts';
import type { CommandIO } from './command.ts';

/** Fixes by prefix of the SQLSTATE (PostgreSQL manual, appendix A). */
const fixes: Readonly<Record<string, string>> = {
  42501: 'The user of DATABASE_URL must own the database and have CREATEROLE.',
  53100: 'Free disk space on the database server and try again.',
  57014: 'Increase STATEMENT_TIMEOUT, or try again when the load is lower.',
};

const runDoctor = 'Run "lanternrock doctor" for details.';

const fixFor = (code: string): string =>
  Object.entries(fixes).find(([prefix]) => code.startsWith(prefix))?.[1] ?? runDoctor;

/** Formats expected errors as one line, and unexpected errors with their stack. */
function formatError(error: unknown): string {
  if (error instanceof QueryError) {
    const { message, code } = error;
    return `Database error: ${toTerminalText(message, 500)} (${code}). ${fixFor(code)}`;
  }
  if (error instanceof DatabaseUnavailableError) {
    return `The database is unavailable: ${toTerminalText(error.message, 500)}. Try again later. ${runDoctor}`;
  }
  if (!(error instanceof Error)) return String(error);
  const isExpected = [OperationalError, UsageError, DomainError, AuthError].some(
    (kind) => error instanceof kind,
  );
  return isExpected ? error.message : (error.stack ?? error.message);
}

/** @returns the exit code: 2 for a usage error, otherwise 1 */
export function reportError(error: unknown, io: Pick<CommandIO, 'printError'>): number {
  io.printError(formatError(error));
  return error instanceof UsageError ? 2 : 1;
}
