import { describe, expect, it } from 'vitest';
import { QueryError, DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { ApiError } from '../errors.ts';
import { UsageError } from './parse-arguments.ts';
import { reportError } from './report-error.ts';

function told(error: unknown): { code: number; lines: string[] } {
  const lines: string[] = [];
  const code = reportError(error, { printError: (text) => lines.push(...text.split('\n')) });
  return { code, lines };
}

describe('a command that cannot be done', () => {
  const refusal = (code: string, message = 'no'): QueryError => new QueryError({ code, message });

  it.each([
    ['28P01', 'Check user and password in DATABASE_URL.'],
    ['3D000', 'Check the name of the database in DATABASE_URL, or create it.'],
    ['42501', 'The login of DATABASE_URL must own the database and have CREATEROLE.'],
    ['53100', 'Free space on the disk of the database, then try again.'],
    ['57014', 'Raise STATEMENT_TIMEOUT, or try again when less is going on.'],
    ['42P01', 'lanternrock doctor says more.'],
  ])('says what the database refused, and what to do: %s', (code, advice) => {
    expect(told(refusal(code))).toEqual({
      code: 1,
      lines: [`The database refused it: no (${code}). ${advice}`],
    });
  });

  it('OPS-14 keeps the words of the database in one line', () => {
    const { lines } = told(refusal('42P01', 'no\nsuch\u001b[2J table'));
    expect(lines).toEqual([
      'The database refused it: no\ufffdsuch\ufffd[2J table (42P01). lanternrock doctor says more.',
    ]);
  });

  it('says that the database does not answer', () => {
    expect(told(new DatabaseUnavailableError('Connection terminated unexpectedly'))).toEqual({
      code: 1,
      lines: [
        'The database does not answer: Connection terminated unexpectedly. Try again when it does; lanternrock doctor says more.',
      ],
    });
  });

  it('repeats what was refused on purpose, and tells a fault of ours with its stack', () => {
    expect(told(new OperationalError('Taken.'))).toEqual({ code: 1, lines: ['Taken.'] });
    expect(told(new ApiError(422, 'bad', 'Not so.'))).toEqual({ code: 1, lines: ['Not so.'] });
    expect(told(new UsageError('Name it.'))).toEqual({ code: 2, lines: ['Name it.'] });
    const fault = told(new TypeError('undefined'));
    expect([fault.code, fault.lines[0]]).toEqual([1, 'TypeError: undefined']);
    expect(fault.lines[1]).toContain('report-error.test.ts');
  });
});
