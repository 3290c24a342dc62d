import { describe, expect, it } from 'vitest';
import { BackendError, fromAuthError, fromErrorBody, unreachableMessage } from './backend-error.ts';

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
});
