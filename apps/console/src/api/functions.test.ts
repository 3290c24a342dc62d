import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { callFunction as imported } from './functions.ts';
import { sentenceForStatus, unreachableMessage, unreadableMessage } from './errors.ts';

// The files of one worker share modules and globals, and the clients read these globals when they are imported.
let callFunction: typeof imported;
const session: { text: string | null } = { text: null };
beforeAll(async () => {
  vi.resetModules();
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { origin: 'https://platform.test' });
  vi.stubGlobal('document', { getElementById: () => null });
  const storage = { getItem: () => session.text, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal('localStorage', storage);
  ({ callFunction } = await import('./functions.ts'));
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
});

const respond = (status: number, body: BodyInit, headers?: HeadersInit): void =>
  void vi.stubGlobal('fetch', async () => new Response(body, { status, ...(headers && { headers }) }));
const call = () => callFunction('administrators', {});
const download = (onProgress = (_bytes: number): void => undefined) =>
  callFunction('export-accounts', {}, { onProgress });

describe('a call of a function', () => {
  beforeEach(() => {
    const user = { id: 'ann', app_metadata: {}, user_metadata: {} };
    const expires_at = Math.floor(Date.now() / 1000) + 3600;
    session.text = JSON.stringify({ access_token: 'a.b.c', refresh_token: 'r', expires_at, user });
  });

  it('returns the object of the response', async () => {
    respond(200, '{"administrators":[]}');
    expect(await call()).toEqual({ administrators: [] });
  });

  it('rejects a response without an object', async () => {
    for (const body of ['', '7', '[]', '<html>']) {
      respond(200, body);
      await expect(call()).rejects.toMatchObject({ kind: 'shape', message: unreadableMessage });
    }
  });

  it('distinguishes the message of the function from those of the client', { tags: ['C297'] }, async () => {
    respond(409, '{"error":"Already invited","code":"conflict"}');
    await expect(call()).rejects.toMatchObject({ status: 409, code: 'conflict', message: 'Already invited' });
    respond(502, '<html>');
    await expect(call()).rejects.toThrow('Edge Function returned a non-2xx status code');
    respond(502, 'Relay', { 'x-relay-error': 'true' });
    await expect(call()).rejects.toThrow('Relay Error invoking the Edge Function');
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(call()).rejects.toMatchObject({ kind: 'network', message: unreachableMessage });
  });

  it('reports an error in a successful response, unless only the email failed', async () => {
    respond(200, '{"error":"Already invited"}');
    await expect(call()).rejects.toThrow('Already invited');
    respond(200, '{"error":"No such domain","success":false}');
    expect(await call()).toEqual({ error: 'No such domain', success: false });
  });

  it('sends nothing without a session', async () => {
    session.text = null;
    respond(200, '{}');
    await expect(call()).rejects.toMatchObject({ kind: 'auth', status: 401, message: 'Not authenticated' });
  });

  it('returns a file and reports its progress', async () => {
    respond(200, 'id,name', { 'Content-Type': 'text/csv' });
    const progress: number[] = [];
    const file = await download((bytes) => progress.push(bytes));
    expect([file.type, await file.text(), progress.at(-1)]).toEqual(['text/csv', 'id,name', 7]);
  });

  it('rejects a download without a complete file', async () => {
    respond(503, '<html>');
    await expect(download()).rejects.toThrow(sentenceForStatus(503));
    const cut = new ReadableStream({
      pull: (controller) => controller.error(new TypeError('network error')),
    });
    respond(200, cut);
    await expect(download()).rejects.toThrow('The download was interrupted');
  });
});
