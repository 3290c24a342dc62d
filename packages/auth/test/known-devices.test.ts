/** Failed attempts, known devices, and the security notices to the account owner. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { notifyOfFailures } from '../src/failure-notices.ts';
import { createRateLimits, type RateLimits } from '../src/http/rate-limits.ts';
import { AuthError } from '../src/auth-error.ts';
import { createDirectRequester, type AuthResponse, type AuthRequester } from './support/auth-requests.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { recordQueries } from './support/work-recorder.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

eachEngine('failed sign-in attempts', (engine) => {
  let test: AuthFixture;
  let ann: TestUser;
  let clock = Date.now();
  let limits: RateLimits;
  /** Calls the Auth API from a client IP address. */
  const from = (ip: string): AuthRequester => createDirectRequester(test.service, test.anonKey, ip);
  const attempt = (ip: string, password: string, cookie = '', email = ann.email): Promise<AuthResponse> =>
    from(ip)('POST', '/token?grant_type=password', {
      body: { email, password },
      headers: cookie === '' ? {} : { Cookie: cookie },
    });
  const deviceFrom = ({ headers }: AuthResponse): string =>
    (headers.get('Set-Cookie') ?? '').replace(/;.*/, '');
  const signIn = async (user = ann): Promise<string> =>
    deviceFrom(await attempt('192.0.2.1', user.password, '', user.email));
  /**
   * Makes a failed attempt without the cost of a password hash.
   * @returns seconds to wait when the attempt was not evaluated
   */
  const fail = (email = ann.email): Promise<number> =>
    limits
      .limitAttempts(
        {
          identifier: email,
          client: { ip: '198.51.100.1', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/142.0' },
        },
        async () => false,
        (right) => right,
      )
      .then(
        () => 0,
        (error: unknown) => Number(error instanceof AuthError ? error.headers['Retry-After'] : Number.NaN),
      );
  /**
   * Exhausts the attempts of the account.
   * @returns seconds to wait
   */
  const exhaust = async (): Promise<number> => {
    for (let count = 0; count < 10; count += 1) expect(await fail()).toBe(0);
    return fail();
  };

  beforeAll(async () => {
    test = await startAuth(engine, { now: () => new Date(clock), settings: { RATE_LIMITS: true } });
    const options = { ...test.options, now: test.options.clock.read };
    limits = createRateLimits({ ...test.options, onFailures: notifyOfFailures(options) });
  });
  beforeEach(async () => {
    // More than the day after which windows start again.
    clock += 130_000_000;
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  it('do not lock out a known device', { tags: ['AUTH-01'] }, async () => {
    const first = await attempt('192.0.2.1', ann.password);
    expect(first.headers.get('Set-Cookie')).toMatch(
      /^device-[\w-]{16}=[\w-]{22}\.[\w-]{43}; Max-Age=15552000; Path=\/auth\/v1; HttpOnly; SameSite=Strict$/,
    );
    const device = deviceFrom(first);
    await exhaust();
    expect((await attempt('203.0.113.1', ann.password)).status).toBe(429);
    expect((await attempt('203.0.113.1', ann.password, device)).status).toBe(200);
  });

  it('do not accept a device token of another user or a modified one', { tags: ['AUTH-01'] }, async () => {
    const device = await signIn();
    const [name = '', value = ''] = device.split('=');
    const other = await signIn(await test.createUser());
    await exhaust();
    const changed = `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`;
    for (const cookie of [other, `${name}=${other.split('=')[1] ?? ''}`, `${name}=${changed}`, `${name}=x`])
      expect((await attempt('203.0.113.1', ann.password, cookie)).status).toBe(429);
  });

  it(
    'from a known device have their own limit and do not count for the account',
    { tags: ['AUTH-01'] },
    async () => {
      const device = await signIn();
      expect((await attempt('203.0.113.1', 'wrong password', device)).status).toBe(400);
      const buckets = await test.database.query<{ bucket: string }>(sql`select bucket from auth.rate_limits
      where hits = 1 and ends_at > ${new Date(clock)} and bucket ~ '^(account|device)-' order by 1`);
      const id = /=([\w-]{22})\./.exec(device)?.[1] ?? '';
      expect(buckets.map(({ bucket }) => bucket)).toEqual([`device-hour:${id}`, `device-minute:${id}`]);
      await test.database.query(
        sql`update auth.rate_limits set hits = 10 where bucket = ${`device-minute:${id}`}`,
      );
      expect((await attempt('203.0.113.1', ann.password, device)).status).toBe(429);
      expect((await attempt('203.0.113.1', ann.password)).status).toBe(200);
    },
  );

  it(
    'from a network also count for a known device, but not those of clients without one',
    { tags: ['AUTH-01'] },
    async () => {
      const device = await signIn();
      const fill = (bucket: string, hits: number): Promise<unknown> =>
        test.database.query(sql`insert into auth.rate_limits (bucket, hits, seconds, ends_at)
          values (${bucket}, ${hits}, 300, ${new Date(clock + 300_000)})
          on conflict (bucket) do update set hits = excluded.hits, ends_at = excluded.ends_at`);
      await fill('failures:203.0.113.1', 100);
      expect((await attempt('203.0.113.1', ann.password)).status).toBe(429);
      expect((await attempt('203.0.113.1', ann.password, device)).status).toBe(200);
      await fill('owner-failures:203.0.113.1', 300);
      expect((await attempt('203.0.113.1', ann.password, device)).status).toBe(429);
      expect((await attempt('203.0.113.2', ann.password, device)).status).toBe(200);
    },
  );

  describe('in an active session', () => {
    const reauthenticate = (bearer: string, body: object, ip = '192.0.2.9'): Promise<AuthResponse> =>
      from(ip)('POST', '/reauthenticate', { bearer, body });
    const right = (): object => ({ current_password: ann.password });
    const wrong = { current_password: 'wrong password' };
    const signInBearer = async (): Promise<string> => (await test.signIn(ann)).access_token;
    const setHits = (bucket: string, hits: number): Promise<unknown> =>
      test.database.query(sql`update auth.rate_limits set hits = ${hits} where bucket like ${`${bucket}:%`}
        and ends_at > ${new Date(clock)}`);

    it(
      'of other clients do not lock out the step-up or the second factor of the user',
      { tags: ['AUTH-01', 'AUTH-04'] },
      async () => {
        const factor = await addSecondFactor(from('192.0.2.9'), await signInBearer(), () => new Date(clock));
        clock += 90_000;
        const low = await signInBearer();
        await exhaust();
        expect((await factor.verifyCode(low)).status).toBe(200);
        ann = await test.createUser();
        const session = await signInBearer();
        await exhaust();
        expect((await reauthenticate(session, right())).status).toBe(200);
        const change = { password: 'another password 2', ...right() };
        expect((await from('192.0.2.9')('PUT', '/user', { bearer: session, body: change })).status).toBe(200);
      },
    );

    it(
      'have their own limit by minute and by hour, also from many networks',
      { tags: ['AUTH-04'] },
      async () => {
        const [bearer, other] = [await signInBearer(), await signInBearer()];
        await reauthenticate(bearer, wrong);
        for (const bucket of ['session-minute', 'session-hour']) {
          await setHits(bucket, bucket === 'session-minute' ? 10 : 50);
          for (const body of [right(), wrong, { nonce: '000000' }])
            expect((await reauthenticate(bearer, body, '203.0.113.7')).status, bucket).toBe(429);
          await setHits(bucket, 0);
        }
        await setHits('session-minute', 10);
        expect((await reauthenticate(other, right())).status).toBe(200);
        expect((await attempt('203.0.113.1', ann.password)).status).toBe(200);
      },
    );

    it('also count for the network', { tags: ['AUTH-04'] }, async () => {
      const bearer = await signInBearer();
      await reauthenticate(bearer, wrong, '203.0.113.8');
      await setHits('owner-failures', 300);
      expect((await reauthenticate(bearer, right(), '203.0.113.8')).status).toBe(429);
      expect((await reauthenticate(bearer, right(), '203.0.113.9')).status).toBe(200);
    });

    it('at a second factor count across all sessions of the user', { tags: ['AUTH-04'] }, async () => {
      const factor = await addSecondFactor(from('192.0.2.9'), await signInBearer(), () => new Date(clock));
      clock += 90_000;
      const statuses = [];
      for (let count = 0; count < 11; count += 1) {
        const bearer = await signInBearer();
        const body = { challenge_id: await factor.challenge(bearer), code: '000000' };
        const network = from(`198.51.100.${100 + count}`);
        statuses.push((await network('POST', `/factors/${factor.id}/verify`, { bearer, body })).status);
        clock += 4_000;
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
    });

    it(
      'at a second factor do not lock out a device that verified this factor before',
      { tags: ['AUTH-04'] },
      async () => {
        const factor = await addSecondFactor(from('192.0.2.9'), await signInBearer(), () => new Date(clock));
        const verify = async (code: string, cookie = '', ip = '198.51.100.7'): Promise<AuthResponse> => {
          const bearer = await signInBearer();
          const body = { challenge_id: await factor.challenge(bearer), code };
          const headers = cookie === '' ? {} : { Cookie: cookie };
          return from(ip)('POST', `/factors/${factor.id}/verify`, { bearer, body, headers });
        };
        clock += 90_000;
        const device = deviceFrom(await verify(factor.code()));
        expect(device).toMatch(/^factor-/);
        for (let count = 0; count < 10; count += 1) {
          expect((await verify('000000', '', `198.51.100.${100 + count}`)).status).toBe(422);
          clock += 4_000;
        }
        const [name = '', value = ''] = device.split('=');
        const otherFactor = `${name}=${value.slice(0, 23)}${'A'.repeat(43)}`;
        for (const cookie of ['', otherFactor])
          expect((await verify(factor.code(), cookie)).status).toBe(429);
        expect((await verify('000000', device)).status).toBe(422);
        expect((await verify(factor.code(), device)).status).toBe(200);
        // The device has its own counter.
        clock += 4_000;
        for (let count = 0; count < 9; count += 1)
          expect((await verify('000000', device, `203.0.113.${count}`)).status).toBe(422);
        expect((await verify('000000', device)).status).toBe(429);
      },
    );
  });

  describe('a device token is invalid after', () => {
    const admin = (method: string, body: object): Promise<AuthResponse> =>
      from('192.0.2.9')(method, `/admin/users/${ann.id}`, { bearer: test.serviceRoleKey, body });
    it.each<[string, () => Promise<unknown>]>([
      [
        'a password change',
        async () => {
          const { access_token: bearer } = await test.signIn(ann);
          const body = { password: 'another password 2' };
          expect((await from('192.0.2.9')('PUT', '/user', { bearer, body })).status).toBe(200);
          ann = { ...ann, password: body.password };
        },
      ],
      [
        'a ban that was removed',
        async () => {
          await admin('PUT', { ban_duration: '1h' });
          await admin('PUT', { ban_duration: 'none' });
        },
      ],
      [
        'a global sign-out',
        async () => {
          const { access_token: bearer } = await test.signIn(ann);
          await from('192.0.2.9')('POST', '/logout?scope=global', { bearer });
        },
      ],
    ])('%s', async (_name, end) => {
      const device = await signIn();
      await end();
      await exhaust();
      expect((await attempt('203.0.113.1', ann.password, device)).status).toBe(429);
    });
  });

  it(
    'send the owner one email after the fifth of a day, at the same cost as for an unknown account',
    { tags: ['AUTH-06'] },
    async () => {
      const work = [];
      const unknown = `unknown-${ann.email}`;
      for (const email of [ann.email, unknown]) {
        for (let count = 0; count < 4; count += 1) await fail(email);
        work.push(await recordQueries(test.options, () => fail(email)));
      }
      expect(work[0]).toEqual(work[1]);
      expect(work[0]?.filter((text) => text.includes('mailbox.emails'))).toHaveLength(1);
      clock += 4_000_000;
      for (let count = 0; count < 6; count += 1) await fail();
      const kinds = async (email: string) => (await test.emailsTo(email)).map(({ kind }) => kind);
      expect(await kinds(ann.email)).toEqual(['sign_in_failed']);
      expect(await kinds(unknown)).toEqual([]);
      clock += 90_000_000;
      for (let count = 0; count < 5; count += 1) await fail();
      expect(await kinds(ann.email)).toHaveLength(2);
    },
  );

  it('extend exhausted windows up to an hour, and reset after a day', { tags: ['AUTH-01'] }, async () => {
    const waits = [];
    for (let round = 0; round < 8; round += 1) {
      const wait = await exhaust();
      waits.push(wait);
      clock += wait * 1000;
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600]);
    clock += 90_000_000;
    expect(await exhaust()).toBe(60);
  });

  it('six email changes send a limited number of emails, also to one recipient', async () => {
    const { access_token: bearer } = await test.signIn(ann);
    const change = (email: string, token = bearer): Promise<AuthResponse> =>
      from('192.0.2.9')('PUT', '/user', { bearer: token, body: { email } });
    const responses = [];
    for (let count = 0; count < 6; count += 1) {
      responses.push(await change(`stranger-${count}-${ann.id}@example.org`));
      clock += 10_000;
    }
    expect(responses.map(({ status }) => status)).toEqual([200, 429, 429, 200, 429, 429]);
    expect(responses[1]).toMatchObject({ json: { code: 'over_email_send_rate_limit' } });
    const [user] = await test.database.query<{ email_change: string }>(
      sql`select email_change from auth.users where id = ${ann.id}`,
    );
    expect(user?.email_change).toBe(`stranger-3-${ann.id}@example.org`);
    const refused = { email: `stranger-9-${ann.id}@example.org`, password: 'another good password' };
    const work = await recordQueries(test.options, () =>
      from('192.0.2.9')('PUT', '/user', { bearer, body: refused }),
    );
    expect(work.filter((step) => step.endsWith('a password'))).toEqual([]);
    // Changes of many users do not add up for one recipient.
    const victim = `victim-${ann.id}@example.org`;
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      const { access_token } = await test.signIn(await test.createUser());
      statuses.push((await change(victim, access_token)).status);
    }
    expect(statuses).toEqual([200, 429, 429]);
  });

  it('a later email change ends the links and the confirmation of an earlier one', async () => {
    const { access_token: bearer } = await test.signIn(ann);
    const addresses = ['first', 'second', 'third'].map((name) => `${name}-${ann.id}@example.org`) as [
      string,
      string,
      string,
    ];
    const change = async (email: string): Promise<void> => {
      clock += 130_000;
      expect(await from('192.0.2.9')('PUT', '/user', { bearer, body: { email } })).toMatchObject({
        status: 200,
      });
    };
    const tokenTo = async (email: string) =>
      (await test.linksTo(email)).at(-1)?.searchParams.get('token_hash');
    const verify = async (hash: unknown) =>
      (await from('192.0.2.9')('POST', '/verify', { body: { type: 'email_change', token_hash: hash } }))
        .status;
    const current = async () =>
      (
        await test.database.query<{ email: string }>(sql`select email from auth.users where id = ${ann.id}`)
      )[0]?.email;
    const [first, second, third] = addresses;
    await change(first);
    const earlier = [await tokenTo(first), await tokenTo(ann.email)];
    await change(second);
    expect([await verify(earlier[0]), await verify(earlier[1])]).toEqual([403, 403]);
    // The same address again.
    const repeated = await tokenTo(second);
    await change(second);
    expect(await verify(repeated)).toBe(403);
    // The old mailbox confirms one change, and another one begins.
    expect(await verify(await tokenTo(ann.email))).toBe(200);
    await change(third);
    expect(await verify(await tokenTo(third))).toBe(200);
    expect(await current()).toBe(ann.email);
    expect(await verify(await tokenTo(ann.email))).toBe(200);
    expect(await current()).toBe(third);
  });

  it(
    'the cooldown between recovery emails to one address grows, and known and unknown ones cost the same',
    { tags: ['AUTH-10'] },
    async () => {
      const recover = (email: string): Promise<AuthResponse> =>
        from('192.0.2.9')('POST', '/recover', { body: { email } });
      const work = [];
      for (const email of [ann.email, `unknown-${ann.email}`]) {
        await recover(email);
        work.push(await recordQueries(test.options, () => recover(email)));
      }
      expect(work[0]).toEqual(work[1]);
      for (let count = 0; count < 12; count += 1) {
        clock += 31_000;
        // Only the cooldown applies, not the number of valid links.
        await test.database.query(sql`delete from auth.one_time_tokens where user_id = ${ann.id}`);
        await recover(ann.email);
      }
      const links = await test.emailsTo(ann.email);
      // At 0, 31, 93 and 217 seconds: after cooldowns of 30, 60 and 120.
      expect(links).toHaveLength(4);
    },
  );
});
