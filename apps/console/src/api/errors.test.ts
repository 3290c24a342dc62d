import { describe, expect, it } from 'vitest';
import {
  ApiError,
  fromAuthError,
  fromErrorBody,
  isOutage,
  sentenceForStatus,
  unreachableMessage,
  unreadableMessage,
  withJsonError,
} from './errors.ts';

describe('ApiError', () => {
  it('keeps message, code, details and hint', { tags: ['C296'] }, () => {
    const body = { message: 'broken rule', code: '23514', details: 'row', hint: 'try' };
    expect(fromErrorBody('data', 400, body, 'other')).toMatchObject({ ...body, status: 400, kind: 'data' });
  });

  it('has the message of the function, or the fallback for a body without one', () => {
    expect(
      fromErrorBody('function', 429, { error: 'Wait 20 seconds', code: 'cooldown' }, 'fallback').message,
    ).toBe('Wait 20 seconds');
    for (const body of [undefined, null, 'text', {}, { error: '' }, { error: 5 }]) {
      expect(fromErrorBody('function', 500, body, 'fallback').message).toBe('fallback');
    }
  });

  it('has the code of both error formats of the Auth API', () => {
    for (const body of [
      { code: 'session_not_found', error_code: 'session_not_found', message: 'gone' },
      { code: 403, error_code: 'session_not_found', msg: 'gone' },
    ]) {
      expect(fromErrorBody('auth', 403, body, 'other')).toMatchObject({
        code: 'session_not_found',
        message: 'Your session has ended. Sign in again.',
      });
    }
  });

  it.each([
    [403, 'user_banned', /access was removed or blocked\. Ask an administrator/],
    [400, 'user_banned', /access was removed or blocked\. Ask an administrator/],
    [403, 'session_not_found', /session has ended\. Sign in again/],
    [400, 'session_not_found', /session has ended\. Sign in again/],
    [404, 'session_not_found', /This session has ended already/],
    [403, 'bad_jwt', /session has ended\. Sign in again/],
    [400, 'refresh_token_not_found', /session has ended\. Sign in again/],
    [403, 'user_not_found', /access was removed or blocked\. Ask an administrator/],
    [429, 'over_request_rate_limit', /Wait a moment/],
    [404, 'user_not_found', /^The words of the service$/],
    [422, 'constructor', /^The words of the service$/],
  ])('says how to continue after %i %s', (status, code, expected) => {
    const message = 'The words of the service';
    expect(fromErrorBody('auth', status, { code, msg: message }, 'other').message).toMatch(expected);
    expect(fromAuthError(Object.assign(new Error(message), { status, code })).message).toMatch(expected);
    // Functions have messages for users.
    expect(fromErrorBody('function', status, { code, error: message }, 'other').message).toBe(message);
  });

  it('knows the ended session whose code the auth client drops', () => {
    const missing = { name: 'AuthSessionMissingError', status: 400 };
    expect(fromAuthError(Object.assign(new Error('Auth session missing!'), missing))).toMatchObject({
      code: 'session_not_found',
      message: 'Your session has ended. Sign in again.',
    });
  });

  it('distinguishes a missing response from an error response', () => {
    const unreachable = Object.assign(new Error('Failed to fetch'), {
      name: 'AuthRetryableFetchError',
      status: 0,
    });
    expect(fromAuthError(unreachable)).toMatchObject({ kind: 'network', message: unreachableMessage });
    const rejected = Object.assign(new Error('Invalid login credentials'), {
      status: 400,
      code: 'invalid_credentials',
    });
    expect(fromAuthError(rejected)).toMatchObject({
      kind: 'auth',
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
  });

  it('is returned unchanged by the conversion of errors of the auth client', () => {
    const error = new ApiError({ kind: 'shape', message: 'm' });
    expect(fromAuthError(error)).toBe(error);
  });

  it('replaces the message of insufficient_privilege, which names tables', () => {
    const body = { code: '42501', message: 'permission denied for table accounts' };
    expect(fromErrorBody('data', 403, body, 'other').message).toBe(
      'You do not have permission to do this. Ask an administrator for access.',
    );
  });

  it('prefers the error text or object of a function to other messages', () => {
    for (const error of ['Wait', { message: 'Wait' }]) {
      expect(fromErrorBody('function', 200, { error, message: 'Accepted' }, 'fallback').message).toBe('Wait');
    }
  });

  it('has no part of a body that the auth client could not parse in its message', () => {
    const unparsed = Object.assign(new Error('Unexpected token <, "<html>" is not valid JSON'), {
      name: 'AuthUnknownError',
    });
    expect(fromAuthError(unparsed)).toMatchObject({ kind: 'shape', message: unreadableMessage });
  });

  it('has the message for the status if the auth client reports none', () => {
    const withoutMessage = Object.assign(new Error('{}'), { name: 'AuthRetryableFetchError', status: 503 });
    expect(fromAuthError(withoutMessage)).toMatchObject({ status: 503, message: sentenceForStatus(503) });
  });

  it.each([
    [{ kind: 'network', message: '' }, true],
    [{ kind: 'shape', message: '' }, true],
    [{ kind: 'auth', message: '', status: 500 }, true],
    [{ kind: 'auth', message: '', status: 429 }, true],
    [{ kind: 'auth', message: '', status: 401 }, false],
    [{ kind: 'auth', message: '', status: 403 }, false],
  ] as const)('distinguishes an outage from a rejection: %j', (fields, expected) => {
    expect(isOutage(new ApiError(fields))).toBe(expected);
  });
});

describe('a response', () => {
  const unchanged = [
    [400, '{"message":"m"}'],
    [404, '{}'],
    [200, '<html>'],
  ] as const;
  it.each(unchanged)('with status %i keeps the body %j', async (status, body) => {
    const response = await withJsonError(new Response(body, { status, headers: { 'X-Kept': 'yes' } }));
    expect([response.status, response.headers.get('X-Kept'), await response.text()]).toEqual([
      status,
      'yes',
      body,
    ]);
  });

  it.each(['<html>Bad gateway</html>', '', '"text"', 'null', '[]', '{'])(
    'has a message instead of the body %j',
    async (body) => {
      const response = await withJsonError(new Response(body, { status: 502 }));
      expect([response.status, await response.json()]).toEqual([502, { message: sentenceForStatus(502) }]);
    },
  );

  it.each([400, 401, 403, 404, 413, 414, 418, 429, 431, 500, 502, 504])(
    'with status %i has a message',
    (status) => {
      expect(sentenceForStatus(status)).toMatch(new RegExp(`^[A-Z].+\\. \\(Status ${status}\\)$`));
    },
  );
});
