import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { QueryError, DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { RestError } from '../errors.ts';
import type { DatabaseRole } from '../rest-types.ts';
import { buildErrorResponse } from './error-response.ts';

const log = pino({ level: 'silent' });
const respond = (
  error: unknown,
  role: DatabaseRole | null = 'authenticated',
): { response: Response; body: unknown } => {
  const { status, headers, body } = buildErrorResponse(error, {
    serverName: 'test',
    role,
    requestId: 'test',
    sessionErrors: { LR001: { status: 401, code: 'PGRST303' } },
    log,
  });
  return { response: new Response(null, { status, headers }), body: JSON.parse(body ?? '') };
};

describe('database errors', () => {
  it.each<[string, number, string?]>([
    ['42501', 403],
    ['23502', 400],
    ['23514', 400],
    ['22P02', 400],
    ['22001', 400],
    ['22003', 400],
    ['22007', 400],
    ['42703', 400],
    ['42P10', 400],
    ['428C9', 400],
    ['23503', 409],
    ['23505', 409],
    ['25006', 405],
    ['42P01', 404],
    ['42883', 404],
    ['42P17', 500],
    ['21000', 400, 'UPDATE requires a WHERE clause'],
    ['21000', 500, 'more than one row returned by a subquery'],
    ['22023', 401, 'role "x" does not exist'],
    ['22023', 400, 'invalid value for parameter "TimeZone"'],
    ['53100', 503],
    ['53400', 500],
    ['57014', 500],
    ['28000', 403],
    ['0LP01', 403],
    ['40001', 500],
    ['54001', 500],
    ['XX000', 500],
    ['P0001', 400],
    ['P0002', 500],
    ['PT418', 418],
    ['PT999', 500],
    ['PTabc', 400],
    ['ZZZZZ', 400],
  ])('maps %s to %i (%s)', async (code, status, message = 'm') => {
    const { response, body } = respond(new QueryError({ code, message, details: 'd', hint: 'h' }));
    expect(response.status).toBe(status);
    expect(body).toEqual({ code, message, details: 'd', hint: code === '42703' ? null : 'h' });
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  });

  it('responds with 401 for a missing privilege of the anonymous role', async () => {
    const { response } = respond(new QueryError({ code: '42501', message: 'permission denied' }), 'anon');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('maps the errors of the session check as configured', () => {
    const { response, body } = respond(new QueryError({ code: 'LR001', message: 'm' }));
    expect([response.status, body]).toEqual([
      401,
      { code: 'PGRST303', message: 'm', details: null, hint: null },
    ]);
  });

  it('does not mistake other errors for a guard', async () => {
    const { body } = respond(
      new QueryError({
        code: '22P02',
        message: 'invalid input syntax for type integer: "guard-0 SINGLE 2"',
      }),
    );
    expect(body).toMatchObject({ code: '22P02' });
  });
});

describe('other errors', { tags: ['REST-29'] }, () => {
  it('responds with 503 and Retry-After while the database is unavailable', async () => {
    const lost = respond(new DatabaseUnavailableError('connect ECONNREFUSED 10.0.0.1:5432'));
    expect([lost.response.status, lost.response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(lost.body).toEqual({
      code: 'PGRST000',
      message: 'Database connection error. Retrying the connection.',
      details: null,
      hint: null,
    });
    const busy = respond(new DatabaseUnavailableError('timeout exceeded', 'pool'));
    expect([busy.response.status, (busy.body as { code: string }).code]).toEqual([504, 'PGRST003']);
  });

  it('discloses no details of an internal error', async () => {
    const { response, body } = respond(new Error('secret at /srv/file.ts:3'));
    expect([response.status, body]).toEqual([
      500,
      { code: 'PGRSTX00', message: 'Internal error', details: null, hint: null },
    ]);
  });

  it('includes the reason for a rejected token', async () => {
    const { response } = respond(new RestError(401, 'PGRST303', 'JWT "expired"\r\nX: y'), null);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="JWT expiredX: y"',
    );
  });
});
