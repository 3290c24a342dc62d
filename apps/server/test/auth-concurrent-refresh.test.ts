import type { Session } from '@supabase/auth-js';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { authClient } from '@lanternrock/auth/test-support/auth-client';
import { runs } from '@lanternrock/testing/property-runs';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

/** Minimum access token TTL that the setting allows, in seconds. */
const lifetime = 5;
const lifetimes = runs({ short: 2, long: 10 });

// The test waits most of the time, so the engines run concurrently.
eachEngine('three clients with one session', { concurrent: true }, (engine) => {
  let test: TestService;
  let ann: TestUser;
  let ahead = 0;
  beforeAll(async () => {
    const settings = { ACCESS_TOKEN_TTL: String(lifetime) };
    test = await startTestService(engine, { settings, now: () => new Date(Date.now() + ahead) });
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  it(
    `stay signed in for ${lifetimes} token lifetimes, as tabs and as profile copies; reuse of a stolen old token revokes the session`,
    async () => {
      const first = new Map<string, string>();
      const signedIn = await authClient(test, { store: first }).signInWithPassword(ann);
      const stolen: Session | null = signedIn.data.session;
      // Tabs of one browser share the storage. A copied profile has its own.
      const profileCopy = new Map(first);
      const clients = [first, first, profileCopy].map((store) => authClient(test, { store }));
      const signedOut: string[] = [];
      for (const client of clients) {
        client.onAuthStateChange((event) => {
          if (event === 'SIGNED_OUT') signedOut.push(event);
        });
      }
      const endMs = Date.now() + lifetimes * lifetime * 1000;
      const errors: unknown[] = [];
      await Promise.all(
        clients.map(async (client, index) => {
          while (Date.now() < endMs) {
            const { data, error } = await client.getUser();
            if (error || data.user.id !== ann.id) errors.push(error);
            await pause(150 + index * 70);
          }
        }),
      );
      expect(errors).toEqual([]);
      expect(signedOut).toEqual([]);
      const sessions = sql`select refresh_token_counter::int as counter from auth.sessions where user_id = ${ann.id}`;
      const [session] = await test.database.query<{ counter: number }>(sessions);
      expect(session?.counter).toBeGreaterThanOrEqual(lifetimes);

      // Longer than the reuse interval for lost responses and overlapping tabs.
      ahead += 11_000;
      const body = { refresh_token: stolen?.refresh_token };
      const theft = await createAuthRequester(test)('POST', '/token?grant_type=refresh_token', { body });
      expect(theft).toMatchObject({ status: 400, json: { code: 'refresh_token_already_used' } });
      expect(await test.database.query(sessions)).toEqual([]);
      for (const client of clients) expect((await client.getUser()).error).not.toBeNull();
    },
    lifetimes * lifetime * 1000 + 30_000,
  );
});
