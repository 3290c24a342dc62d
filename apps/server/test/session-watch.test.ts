import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeJwt } from 'jose';
import { sql } from '@lanternrock/postgres';
import { createSessionWatch } from '../src/functions/session-watch.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

eachEngine('watching for the end of a session', (engine) => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService(engine);
  });
  afterAll(() => test.close());

  const watch = (token: string, signal?: AbortSignal): Promise<Response> =>
    test.request('/functions/v1/session-watch', {
      headers: { apikey: test.anonKey, Authorization: `Bearer ${token}` },
      ...(signal ? { signal } : {}),
    });
  /** Resolves to null if no response has arrived yet. */
  const responseSoon = (response: Promise<Response>): Promise<Response | null> =>
    Promise.race([response, new Promise<null>((resolve) => setTimeout(() => resolve(null), 1500))]);

  it('responds when the session ends, and only to its own user', async () => {
    const [ann, bo] = [await test.createUser(), await test.createUser()];
    const [ended, other] = [await test.signIn(ann), await test.signIn(bo)];
    const abort = new AbortController();
    const [first, second] = [watch(ended.access_token), watch(other.access_token, abort.signal)];
    expect(await responseSoon(first)).toBeNull();
    await test.database.query(sql`delete from auth.sessions where user_id = ${ann.id}`);
    const response = await first;
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'session_not_found' }),
    ]);
    expect(await responseSoon(second)).toBeNull();
    abort.abort();
    expect((await second).status).toBe(204);
  });

  it.each(['banned_until', 'deleted_at'])('responds when %s is set', async (column) => {
    const ann = await test.createUser();
    const { access_token } = await test.signIn(ann);
    const response = watch(access_token);
    expect(await responseSoon(response)).toBeNull();
    await test.database.query({
      text: `update auth.users set ${column} = now() + interval '1 day' where id = $1`,
      values: [ann.id],
    });
    expect((await response).status).toBe(401);
  });

  it('responds to the oldest request when one user has too many, and keeps those of other users', async () => {
    const [ann, bo] = [await test.createUser(), await test.createUser()];
    const sessions = [await test.signIn(ann), await test.signIn(ann)] as const;
    const other = watch((await test.signIn(bo)).access_token);
    const requests = [watch(sessions[0].access_token)];
    // The order of arrival counts, which can differ from the order of the calls.
    expect(await responseSoon(requests[0] as Promise<Response>)).toBeNull();
    for (let count = 1; count <= 16; count += 1)
      requests.push(watch(sessions[count % 2 === 0 ? 0 : 1].access_token));
    expect((await requests[0])?.status).toBe(204);
    await test.database.query(sql`delete from auth.sessions`);
    const responses = await Promise.all([other, ...requests.slice(1)]);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 17 }, () => 401));
  });

  it('does not report a session that the running query does not include', async () => {
    const [ann, bo] = [await test.createUser(), await test.createUser()];
    const [early, late] = [await test.signIn(ann), await test.signIn(bo)];
    const steps = new EventEmitter();
    const queried = once(steps, 'queried');
    const watching = createSessionWatch({
      ...test.database,
      query: async (statement) => {
        const rows = await test.database.query<never>(statement);
        const resume = once(steps, 'resume');
        steps.emit('queried');
        await resume;
        return rows;
      },
    });
    const never = new AbortController().signal;
    const watchSession = ({ access_token }: typeof early, userId: string): Promise<boolean> =>
      watching.ended({ sessionId: String(decodeJwt(access_token)['session_id']), userId }, never);
    const first = watchSession(early, ann.id);
    await queried;
    const second = watchSession(late, bo.id);
    steps.emit('resume');
    await new Promise((resolve) => setTimeout(resolve, 50));
    watching.close();
    expect([await first, await second]).toEqual([false, false]);
  });

  it('requires a token and responds to API keys immediately', async () => {
    expect((await watch(test.anonKey)).status).toBe(401);
    expect((await watch('nonsense')).status).toBe(401);
    expect((await watch(test.serviceRoleKey)).status).toBe(204);
  });

  it('responds to all requests when the service stops, and keeps none open after that', async () => {
    const { access_token } = await test.signIn(await test.createUser());
    const response = watch(access_token);
    expect(await responseSoon(response)).toBeNull();
    test.service.startDraining();
    expect((await response).status).toBe(204);
    expect((await watch(access_token)).status).toBe(204);
  });
});
