import { describe, expect, it } from 'vitest';
import { QueryError, DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { DomainError } from '../errors.ts';
import { UsageError } from './usage-error.ts';
import { reportError } from './report-error.ts';

function report(error: unknown): { code: number; lines: string[] } {
  const lines: string[] = [];
  const code = reportError(error, { printError: (text) => lines.push(...text.split('\n')) });
  return { code, lines };
}

describe('reportError', () => {
  const queryError = (code: string, message = 'no'): QueryError => new QueryError({ code, message });

  it.each([
    ['42501', 'The user of DATABASE_URL must own the database and have CREATEROLE.'],
    ['53100', 'Free disk space on the database server and try again.'],
    ['57014', 'Increase STATEMENT_TIMEOUT, or try again when the load is lower.'],
    ['42P01', 'Run "lanternrock doctor" for details.'],
  ])('prints the database error %s with a fix', (code, fix) => {
    expect(report(queryError(code))).toEqual({
      code: 1,
      lines: [`Database error: no (${code}). ${fix}`],
    });
  });

  it('prints the message of the database in one line', { tags: ['OPS-14'] }, () => {
    const { lines } = report(queryError('42P01', 'no\nsuch\u001b[2J table'));
    expect(lines).toEqual([
      'Database error: no\ufffdsuch\ufffd[2J table (42P01). Run "lanternrock doctor" for details.',
    ]);
  });

  it('reports that the database is unavailable', () => {
    expect(report(new DatabaseUnavailableError('Connection terminated unexpectedly'))).toEqual({
      code: 1,
      lines: [
        'The database is unavailable: Connection terminated unexpectedly. Try again later. Run "lanternrock doctor" for details.',
      ],
    });
  });

  it('prints the message of an expected error, and the stack of an unexpected one', () => {
    expect(report(new OperationalError('In use.'))).toEqual({ code: 1, lines: ['In use.'] });
    expect(report(new DomainError('no_user', 'Invalid.'))).toEqual({ code: 1, lines: ['Invalid.'] });
    expect(report(new UsageError('Missing.'))).toEqual({ code: 2, lines: ['Missing.'] });
    const unexpected = report(new TypeError('undefined'));
    expect([unexpected.code, unexpected.lines[0]]).toEqual([1, 'TypeError: undefined']);
    expect(unexpected.lines[1]).toContain('report-error.test.ts');
  });
});
