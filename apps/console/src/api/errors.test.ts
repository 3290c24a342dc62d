import { describe, expect, it } from 'vitest';
import {
  BackendError,
  fromAuthError,
  fromErrorBody,
  isOutage,
  sentenceForStatus,
  unreachableMessage,
  unreadableMessage,
  withJsonError,
} from './errors.ts';

describe('errors of the service', () => {
  it('C296 keep message, code, details and hint', () => {
    const body = { message: 'broken rule', code: '23514', details: 'row', hint: 'try' };
    expect(fromErrorBody('data', 400, body, 'other')).toMatchObject({ ...body, status: 400, kind: 'data' });
  });

  it("C297 show a function's own message, else the client's sentence", () => {
    expect(
      fromErrorBody('function', 429, { error: 'Wait 20 seconds', code: 'cooldown' }, 'client').message,
    ).toBe('Wait 20 seconds');
    for (const body of [undefined, null, 'text', {}, { error: '' }, { error: 5 }]) {
      expect(fromErrorBody('function', 500, body, 'client').message).toBe('client');
    }
  });

  it('read the code of both shapes of the Auth API', () => {
    for (const body of [
      { code: 'session_not_found', error_code: 'session_not_found', message: 'gone' },
      { code: 403, error_code: 'session_not_found', msg: 'gone' },
    ]) {
      expect(fromErrorBody('auth', 403, body, 'other')).toMatchObject({
        code: 'session_not_found',
        message: 'gone',
      });
    }
  });

  it('tell "no answer" from an answer', () => {
    const unanswered = Object.assign(new Error('Failed to fetch'), {
      name: 'AuthRetryableFetchError',
      status: 0,
    });
    expect(fromAuthError(unanswered)).toMatchObject({ kind: 'network', message: unreachableMessage });
    const refused = Object.assign(new Error('Invalid login credentials'), {
      status: 400,
      code: 'invalid_credentials',
    });
    expect(fromAuthError(refused)).toMatchObject({
      kind: 'auth',
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
    expect(fromAuthError(new BackendError({ kind: 'shape', message: 'm' })).kind).toBe('shape');
  });

  it('find the message of a function in an error text or object, before any other', () => {
    for (const error of ['Wait', { message: 'Wait' }]) {
      expect(fromErrorBody('function', 200, { error, message: 'Accepted' }, 'client').message).toBe('Wait');
    }
  });

  it('never show what the auth client could not parse', () => {
    const unparsed = Object.assign(new Error('Unexpected token <, "<html>" is not valid JSON'), {
      name: 'AuthUnknownError',
    });
    expect(fromAuthError(unparsed)).toMatchObject({ kind: 'shape', message: unreadableMessage });
    const silent = Object.assign(new Error('{}'), { name: 'AuthRetryableFetchError', status: 503 });
    expect(fromAuthError(silent)).toMatchObject({ status: 503, message: sentenceForStatus(503) });
  });

  it.each([
    [{ kind: 'network', message: '' }, true],
    [{ kind: 'auth', message: '', status: 500 }, true],
    [{ kind: 'auth', message: '', status: 429 }, true],
    [{ kind: 'auth', message: '', status: 401 }, false],
    [{ kind: 'auth', message: '', status: 403 }, false],
  ] as const)('tell an outage from a rejection: %j', (fields, expected) => {
    expect(isOutage(new BackendError(fields))).toBe(expected);
  });
});

describe('an error response', () => {
  const kept = [
    [400, '{"message":"m"}'],
    [404, '[]'],
    [404, ''],
    [200, '<html>'],
  ] as const;
  it.each(kept)('of status %i keeps the body %j', async (status, body) => {
    const response = await withJsonError(new Response(body, { status, headers: { 'X-Kept': 'yes' } }));
    expect([response.status, response.headers.get('X-Kept'), await response.text()]).toEqual([
      status,
      'yes',
      body,
    ]);
  });

  it.each(['<html>Bad gateway</html>', '', '"text"', 'null', '{'])(
    'carries a sentence in place of %j',
    async (body) => {
      const response = await withJsonError(new Response(body, { status: 502 }));
      expect([response.status, await response.json()]).toEqual([502, { message: sentenceForStatus(502) }]);
    },
  );

  it.each([400, 401, 403, 404, 413, 418, 429, 500, 502, 504])('of status %i has a sentence', (status) => {
    expect(sentenceForStatus(status)).toMatch(new RegExp(`^[A-Z].+\\. \\(Status ${status}\\)$`));
  });
});
