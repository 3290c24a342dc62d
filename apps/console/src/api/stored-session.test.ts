import { describe, expect, it } from 'vitest';
import { parseStoredSession, sessionStorageKey } from './stored-session.ts';

describe('the session in local storage', () => {
  it.each([
    ['https://abc.example.com', 'sb-abc-auth-token'],
    ['https://abc.example.com:8443/under/a/path', 'sb-abc-auth-token'],
    ['http://localhost:3000', 'sb-localhost-auth-token'],
    ['http://127.0.0.1:3000', 'sb-127-auth-token'],
  ])('derives its key from the first label of the host: %s', { tags: ['C308'] }, (backend, key) => {
    expect(sessionStorageKey(backend)).toBe(key);
  });

  it('requires access_token, refresh_token and expires_at', { tags: ['C171'] }, () => {
    const session = { access_token: 'a', refresh_token: 'r', expires_at: 1 };
    expect(parseStoredSession(JSON.stringify(session))).toEqual(session);
    for (const name of Object.keys(session)) {
      expect(parseStoredSession(JSON.stringify({ ...session, [name]: undefined }))).toBeNull();
    }
  });

  it.each([
    null,
    '',
    'null',
    '[]',
    '"text"',
    '{"access_token":"a"',
    '42',
    '{"__proto__":{"access_token":1}}',
  ])('rejects %j', (stored) => {
    expect(parseStoredSession(stored)).toBeNull();
  });
});
