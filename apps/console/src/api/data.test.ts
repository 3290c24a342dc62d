import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { data as imported } from './data.ts';
import { sentenceForStatus, unreachableMessage, unreadableMessage } from './errors.ts';

// The files of one worker share modules and globals, and the clients read these globals when they are imported.
let data: typeof imported;
beforeAll(async () => {
  vi.resetModules();
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { origin: 'https://platform.test' });
  vi.stubGlobal('document', { getElementById: () => null });
  ({ data } = await import('./data.ts'));
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
});

const respond = (status: number, body: string | null): void =>
  void vi.stubGlobal('fetch', async () => new Response(body, { status }));
const readList = async () => (await data.from('accounts').select('*').throwOnError()).data;
const readRow = async () => (await data.from('profiles').select('*').single().throwOnError()).data;
const insert = async () => (await data.from('accounts').insert({ name: 'Ridge' }).throwOnError()).status;

describe('a call of the Data API', () => {
  it('returns the rows', async () => {
    respond(200, '[{"id":"1"}]');
    expect(await readList()).toEqual([{ id: '1' }]);
    respond(200, '{"id":"1"}');
    expect(await readRow()).toEqual({ id: '1' });
    respond(201, '');
    expect(await insert()).toBe(201);
    respond(204, null);
    expect(await insert()).toBe(204);
  });

  it.each(['', '[]'])('reads a 404 with the body "%s" as an empty list', { tags: ['C269'] }, async (body) => {
    respond(404, body);
    expect(await readList()).toEqual([]);
  });

  it('rejects with the error of the response', { tags: ['C296'] }, async () => {
    const error = { code: '23514', message: 'The name is reserved', details: 'row 7', hint: 'Rename it' };
    respond(400, JSON.stringify(error));
    await expect(readList()).rejects.toMatchObject({ kind: 'data', status: 400, ...error });
    // The forms replace this sentence by the one of their action.
    respond(500, '{"code":"XX000","message":""}');
    await expect(insert()).rejects.toMatchObject({ status: 500, message: unreadableMessage });
  });

  it('rejects with a sentence for the page of a proxy, and for an ended session', async () => {
    respond(502, '<html>Bad gateway</html>');
    await expect(insert()).rejects.toMatchObject({ status: 502, message: sentenceForStatus(502) });
    respond(401, '{"code":"PGRST301","message":"JWT expired"}');
    const ended = { kind: 'auth', status: 401, message: 'Your session has ended. Sign in again.' };
    await expect(readList()).rejects.toMatchObject(ended);
  });

  it('rejects without a response', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(readList()).rejects.toMatchObject({ kind: 'network', message: unreachableMessage });
  });

  it.each([
    ['a page instead of rows', readList, '<html>Sign in to the network</html>'],
    ['an object instead of rows', readList, '{"rows":[]}'],
    ['null instead of rows', readList, 'null'],
    ['nothing instead of rows', readList, ''],
    ['null instead of a row', readRow, 'null'],
    ['rows instead of a row', readRow, '[{"id":"1"}]'],
    ['a page after an insert', insert, '<html>Sign in to the network</html>'],
  ])('rejects %s', async (_case, call, body) => {
    respond(200, body);
    await expect(call()).rejects.toMatchObject({ kind: 'shape', message: unreadableMessage });
  });
});
