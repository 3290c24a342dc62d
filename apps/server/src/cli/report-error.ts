/** What a command that cannot be done says: one line, with what to do where the line does not tell it. */
import { QueryError, DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { ApiError } from '../errors.ts';
import { toTerminalText } from '../log.ts';
import { UsageError } from './parse-arguments.ts';
import type { Output } from './command.ts';

/** By the beginning of the server's SQLSTATE (Postgres, appendix A). */
const advices: Readonly<Record<string, string>> = {
  28: 'Check user and password in DATABASE_URL.',
  '3D': 'Check the name of the database in DATABASE_URL, or create it.',
  42501: 'The login of DATABASE_URL must own the database and have CREATEROLE.',
  53100: 'Free space on the disk of the database, then try again.',
  57014: 'Raise STATEMENT_TIMEOUT, or try again when less is going on.',
};

const doctor = 'lanternrock doctor says more.';

const adviceFor = (code: string): string =>
  Object.entries(advices).find(([beginning]) => code.startsWith(beginning))?.[1] ?? doctor;

/** A fault of ours comes with its stack; everything else is one line. */
function wordsOf(error: unknown): string {
  if (error instanceof QueryError) {
    const { message, code } = error;
    return `The database refused it: ${toTerminalText(message, 500)} (${code}). ${adviceFor(code)}`;
  }
  if (error instanceof DatabaseUnavailableError) {
    return `The database does not answer: ${toTerminalText(error.message, 500)}. Try again when it does; ${doctor}`;
  }
  if (!(error instanceof Error)) return String(error);
  const told = [OperationalError, UsageError, ApiError].some((kind) => error instanceof kind);
  return told ? error.message : (error.stack ?? error.message);
}

/** @returns the exit code: 2 where the arguments do not fit, else 1. */
export function reportError(error: unknown, output: Pick<Output, 'printError'>): number {
  output.printError(wordsOf(error));
  return error instanceof UsageError ? 2 : 1;
}
