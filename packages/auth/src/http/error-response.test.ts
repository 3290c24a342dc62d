import { describe, expect, it } from 'vitest';
import { DatabaseUnavailableError, QueryError } from '@lanternrock/postgres/errors';
import { toAuthError } from './error-response.ts';

describe('database errors', () => {
  it.each([
    ['40P01', 503, '1'],
    ['40001', 503, '1'],
    ['57014', 503, '1'],
    ['55P03', 503, '1'],
    ['53000', 503, '1'],
    ['53100', 503, '1'],
    ['53200', 503, '1'],
    ['22021', 400, undefined],
    ['XX000', 500, undefined],
  ])('converts %s to status %i', (code, status, retryAfter) => {
    const error = toAuthError(new QueryError({ code, message: 'internal details' }));
    expect(error).toMatchObject({ status, message: expect.not.stringContaining('internal details') });
    expect(error.headers['Retry-After']).toBe(retryAfter);
  });

  it('converts a lost connection to status 503', () => {
    const error = toAuthError(new DatabaseUnavailableError('connect ECONNREFUSED 10.0.0.1:5432'));
    expect(error).toMatchObject({ status: 503, code: 'unexpected_failure', headers: { 'Retry-After': '1' } });
  });
});
