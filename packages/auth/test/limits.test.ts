import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { sql } from '@lanternrock/postgres';
import { createAuthService, type AuthService, type AuthServiceOptions } from '../src/auth-service.ts';
import { AuthError } from '../src/auth-error.ts';
import { HashAbortedError } from '../src/passwords/hash-pool.ts';
import { createDirectRequester, type AuthRequester, type AuthResponse } from './support/auth-requests.ts';
import { phoneService } from './support/phone-service.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

const overloadedError = (): AuthError => new AuthError(503, 'over_request_rate_limit', 'Too many');

eachEngine('rate limits', (engine) => {
  let test: AuthFixture;
  let ann: TestUser;
  let clock = Date.now();
  const serviceWith = (options: Partial<AuthServiceOptions>): AuthService =>
    createAuthService({ ...test.options, ...options });
  const requesterAt = (ip: string, auth: AuthService): AuthRequester =>
    createDirectRequester(auth, test.anonKey, ip);
  let from: (ip: string) => AuthRequester;
  beforeAll(async () => {
    test = await startAuth(engine, { now: () => new Date(clock), settings: { RATE_LIMITS: true } });
    from = (ip) => requesterAt(ip, test.service);
  });
  beforeEach(async () => {
    clock += 4_000_000;
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  const tryPassword = (call: AuthRequester, password: string, email = ann.email) =>
    call('POST', '/token?grant_type=password', { body: { email, password } });

  it(
    'evaluates ten wrong passwords a minute from any IP address and with any spelling',
    { tags: ['AUTH-01', 'AUTH-03'] },
    async () => {
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          tryPassword(
            from(`198.51.100.${index}`),
            'wrong password',
            index % 2 ? ann.email : ` ${ann.email.toUpperCase()} `,
          ),
        ),
      );
      expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
      const limited = responses.filter(({ status }) => status === 429);
      expect(limited).toHaveLength(30);
      expect(limited[0]).toMatchObject({
        json: { code: 'over_request_rate_limit', message: 'Request rate limit reached' },
      });
      expect(Number(limited[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect((await tryPassword(from('203.0.113.9'), ann.password)).status).toBe(429);
      clock += 61_000;
      expect((await tryPassword(from('203.0.113.9'), ann.password)).status).toBe(200);
    },
  );

  it(
    'does not extend a window or a cooldown when the clock is set back',
    { tags: ['AUTH-01', 'AUTH-10'] },
    async () => {
      clock += 86_400_000;
      for (let count = 0; count < 11; count += 1) await tryPassword(from('203.0.113.8'), 'wrong password');
      expect((await tryPassword(from('203.0.113.8'), ann.password)).status).toBe(429);
      const recover = () => from('203.0.113.8')('POST', '/recover', { body: { email: ann.email } });
      await recover();
      clock -= 86_400_000;
      expect((await tryPassword(from('203.0.113.8'), ann.password)).status).toBe(429);
      clock += 61_000;
      expect((await tryPassword(from('203.0.113.8'), ann.password)).status).toBe(200);
      const sent = async (): Promise<Date | undefined> => {
        const [row] = await test.database.query<{ at: Date }>(
          sql`select recovery_sent_at as at from auth.users where id = ${ann.id}`,
        );
        return row?.at;
      };
      expect((await sent())?.getTime()).toBeGreaterThan(clock);
      // The cooldown ends at most its own length after the clock was set back.
      await recover();
      clock += 61_000;
      await recover();
      expect((await sent())?.getTime()).toBe(clock);
    },
  );

  it(
    'evaluates at most a hundred an hour, keeps recovery available, and resets after the hour',
    { tags: ['AUTH-01', 'AUTH-10'], timeout: 60_000 },
    async () => {
      let evaluated = 0;
      for (let minute = 0; minute < 13; minute += 1) {
        const responses = await Promise.all(
          // One less than would exhaust a minute and extend the next window.
          Array.from({ length: 9 }, (_, index) =>
            tryPassword(from(`198.51.${minute}.${index}`), 'wrong password'),
          ),
        );
        evaluated += responses.filter(({ status }) => status === 400).length;
        clock += 61_000;
      }
      expect(evaluated).toBe(100);
      expect((await tryPassword(from('203.0.113.1'), ann.password)).status).toBe(429);
      expect((await from('203.0.113.1')('POST', '/recover', { body: { email: ann.email } })).status).toBe(
        200,
      );
      clock += 3_600_000;
      expect((await tryPassword(from('203.0.113.1'), ann.password)).status).toBe(200);
    },
  );

  it.each([
    ['does not count passwords that an overloaded service did not check', overloadedError, 200],
    ['counts passwords whose comparison timed out', () => new HashAbortedError(), 429],
  ])('%s', { tags: ['AUTH-10', 'AUTH-55'] }, async (_name, createError, afterwards) => {
    const overloaded = { ...test.options.hasher, verify: () => Promise.reject(createError()) };
    const call = requesterAt('', serviceWith({ hasher: overloaded }));
    for (let count = 0; count < 10; count += 1) {
      expect((await tryPassword(call, ann.password)).status).toBe(503);
    }
    expect((await tryPassword(from('203.0.113.9'), ann.password)).status).toBe(afterwards);
  });

  it(
    'counts failed attempts whose notice cannot be sent, and logs the error',
    { tags: ['AUTH-01'] },
    async () => {
      const lines: string[] = [];
      const auth = serviceWith({
        mailer: { ...test.options.mailer, enqueue: () => Promise.reject(new Error('the disk is full')) },
        log: pino({}, { write: (line: string) => lines.push(line) }),
      });
      const call = requesterAt('198.51.100.9', auth);
      const statuses: number[] = [];
      for (let count = 0; count < 11; count += 1)
        statuses.push((await tryPassword(call, 'wrong password')).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
      expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
        { msg: 'failed-attempts notice not sent', err: { message: 'the disk is full' } },
      ]);
    },
  );

  it(
    'counts failed attempts only: many users with correct passwords in one network are not locked out',
    { tags: ['AUTH-10'] },
    async () => {
      for (let count = 0; count < 15; count += 1)
        expect((await tryPassword(from('198.51.100.1'), ann.password)).status).toBe(200);
    },
  );

  describe('of signed-in users', () => {
    const network = '203.0.113.60';
    const call = (bearer: string, method: string, path: string, body = {}): Promise<AuthResponse> =>
      from(network)(method, path, { bearer, ...(method === 'GET' ? {} : { body }) });
    const signIn = async (user = ann): Promise<{ bearer: string; id: string }> => {
      const { access_token: bearer } = await test.signIn(user);
      const claims = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString()) as object;
      return { bearer, id: 'session_id' in claims ? String(claims.session_id) : '' };
    };
    const exhaust = (bucket: string, hits: number): Promise<unknown> =>
      test.database.query(sql`insert into auth.rate_limits (bucket, hits, seconds, ends_at)
        values (${bucket}, ${hits}, 300, ${new Date(clock + 300_000)})
        on conflict (bucket) do update set hits = excluded.hits, ends_at = excluded.ends_at`);
    /** Sends requests until the limit, without expecting a status, and returns the status after it. */
    const loop = async (count: number, send: () => Promise<AuthResponse>): Promise<number> => {
      for (let sent = 0; sent < count; sent += 1) await send();
      return (await send()).status;
    };

    it('apply to the session and not to the network', async () => {
      const other = await signIn(await test.createUser());
      expect(await loop(30, () => call(other.bearer, 'PUT', '/user'))).toBe(429);
      expect(await loop(15, () => call(other.bearer, 'POST', `/factors/${ann.id}/challenge`))).toBe(429);
      expect(await loop(30, () => from(network)('POST', '/otp', { body: { email: 'x@example.org' } }))).toBe(
        429,
      );
      const own = await signIn();
      expect((await call(own.bearer, 'GET', '/reauthenticate')).status).toBe(200);
      const password = { current_password: ann.password };
      expect((await call(own.bearer, 'POST', '/reauthenticate', password)).status).toBe(200);
      expect((await call(own.bearer, 'POST', `/factors/${ann.id}/challenge`)).status).toBe(404);
    });

    it('keep the step-up of a user available while other clients of the network guess', async () => {
      const { bearer } = await signIn();
      await exhaust(`failures:${network}`, 100);
      expect((await tryPassword(from(network), ann.password)).status).toBe(429);
      const password = { current_password: ann.password };
      expect((await call(bearer, 'POST', '/reauthenticate', password)).status).toBe(200);
    });

    it('count recovery codes for the network, and five wrong ones lock the codes', async () => {
      const { bearer } = await signIn();
      const verify = () => call(bearer, 'POST', '/factors/recovery-codes/verify', { code: 'ABCD-EFGH-JKLM' });
      await verify();
      await exhaust(`owner-failures:${network}`, 300);
      expect(await verify()).toMatchObject({ status: 429, json: { code: 'over_request_rate_limit' } });
    });

    it('leave the owner able to end the session of a stolen token, and to change sign-in methods', async () => {
      const stolen = await signIn();
      clock += 700_000;
      const missing = '00000000-0000-4000-8000-000000000000';
      const removal = () => call(stolen.bearer, 'DELETE', `/passkeys/${missing}`);
      expect(await removal()).toMatchObject({ status: 400, json: { code: 'reauthentication_needed' } });
      expect(await loop(60, removal)).toBe(429);
      expect(await loop(60, () => call(stolen.bearer, 'DELETE', `/user/sessions/${missing}`))).toBe(429);
      expect(await loop(60, () => call(stolen.bearer, 'DELETE', `/factors/${missing}`))).toBe(429);
      expect(await loop(0, () => call(stolen.bearer, 'POST', '/logout?scope=others'))).toBe(429);
      const own = await signIn();
      expect((await call(own.bearer, 'POST', '/factors', { factor_type: 'totp' })).status).toBe(200);
      expect((await call(own.bearer, 'DELETE', `/passkeys/${missing}`)).status).toBe(404);
      // Also if the token is that of the session that the owner uses.
      const password = { current_password: ann.password };
      expect((await call(stolen.bearer, 'POST', '/reauthenticate', password)).status).toBe(200);
      expect((await call(stolen.bearer, 'DELETE', `/passkeys/${missing}`)).status).toBe(404);
      expect((await call(own.bearer, 'DELETE', `/user/sessions/${stolen.id}`)).status).toBe(204);
      const third = await signIn();
      await exhaust(`sessions:${third.id}`, 60);
      expect((await call(third.bearer, 'POST', '/logout')).status).toBe(204);
    });

    it('leave the owner able to change the password in the session of a stolen token', async () => {
      const stolen = await signIn();
      clock += 700_000;
      const change = (body?: object) => call(stolen.bearer, 'PUT', '/user', body);
      const newPassword = { password: 'a better password' };
      const needed = { status: 400, json: { code: 'reauthentication_needed' } };
      for (let sent = 0; sent < 31; sent += 1) expect(await change(newPassword)).toMatchObject(needed);
      for (let sent = 31; sent < 60; sent += 1) expect((await change([])).status).toBe(400);
      expect(await loop(0, () => change(newPassword))).toBe(429);
      expect(await loop(30, () => change({ data: {} }))).toBe(429);
      const current = { current_password: ann.password };
      expect((await change({ ...newPassword, ...current })).status).toBe(200);
      const reauthenticate = () =>
        call(stolen.bearer, 'POST', '/reauthenticate', { current_password: newPassword.password });
      expect((await reauthenticate()).status).toBe(200);
      expect((await change({ password: 'an even better one' })).status).toBe(200);
    });

    it('send one code of concurrent requests for it', async () => {
      const { bearer } = await signIn();
      const codes = await Promise.all([1, 2, 3].map(() => call(bearer, 'GET', '/reauthenticate')));
      expect(codes.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
      expect(await test.emailsTo(ann.email)).toHaveLength(1);
    });
    it('bound the right passwords of a step-up, in either call', async () => {
      const own = await signIn();
      const email = { email: `${ann.id}@example.org`, current_password: ann.password };
      await exhaust(`step-up:${own.id}`, 30);
      const before = await test.fingerprint();
      expect((await call(own.bearer, 'PUT', '/user', email)).status).toBe(429);
      const current = { current_password: ann.password };
      expect((await call(own.bearer, 'POST', '/reauthenticate', current)).status).toBe(429);
      expect(await test.fingerprint()).toBe(before);
    });

    it.each([
      ['a session', 60, ({ id }: { id: string }) => id],
      ['all sessions of a user', 180, () => ann.id],
    ])('bound the changes of sign-in methods of %s', async (_name, hits, key) => {
      const own = await signIn();
      for (const name of ['methods', 'linking', 'sessions'])
        await exhaust(`${name}${hits === 60 ? '' : '-user'}:${key(own)}`, hits);
      await exhaust(`user:${own.id}`, 30);
      const before = await test.fingerprint();
      const calls = [
        'POST /factors',
        `DELETE /factors/${ann.id}`,
        'POST /passkeys/registration/options',
        `DELETE /passkeys/${ann.id}`,
        `PATCH /passkeys/${ann.id}`,
        'GET /user/identities/authorize?provider=keycloak',
      ];
      if (hits === 60) calls.push('POST /logout?scope=others', `DELETE /user/sessions/${ann.id}`);
      for (const each of calls) {
        const [method = '', path = ''] = each.split(' ');
        expect((await call(own.bearer, method, path)).status, each).toBe(429);
      }
      expect(await test.fingerprint()).toBe(before);
    });
  });

  it('limits unknown email addresses in the same way', { tags: ['AUTH-05'] }, async () => {
    const responses = [];
    for (let count = 0; count < 12; count += 1)
      responses.push(await tryPassword(from(`198.51.100.${count}`), 'wrong password', 'unknown@example.org'));
    expect(responses.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(2);
  });

  it('applies the lock to codes as well', { tags: ['AUTH-04'] }, async () => {
    await Promise.all(Array.from({ length: 12 }, () => tryPassword(from('198.51.100.1'), 'wrong password')));
    const response = await from('203.0.113.2')('POST', '/verify', {
      body: { type: 'email', email: ann.email, token: '000000' },
    });
    expect(response.status).toBe(429);
  });

  it.each([
    ['one IPv6 network', (index: number) => `2001:db8:1:2::${index.toString(16)}`],
    [
      'spellings of one IPv4 address',
      (index: number) => (index % 2 ? '198.51.100.7' : '::ffff:198.51.100.7'),
    ],
    ['a missing IP address', () => ''],
  ])('counts %s as one client', { tags: ['AUTH-02', 'AUTH-03'] }, async (_name, ip) => {
    const responses = [];
    for (let index = 0; index < 32; index += 1) {
      responses.push(await from(ip(index))('POST', '/recover', { body: { email: `x${index}@example.org` } }));
    }
    expect(responses.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 30 }, () => 200),
      429,
      429,
    ]);
  });

  it('limits refreshes separately and returns 503, never 429', async () => {
    const session = await test.signIn(ann);
    const refresh = () =>
      from('198.51.100.8')('POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: session.refresh_token },
      });
    expect((await refresh()).status).toBe(200);
    await test.database.query(
      sql`update auth.rate_limits set hits = 1800 where bucket = 'refresh:198.51.100.8'`,
    );
    const limited = await refresh();
    expect(limited.status).toBe(503);
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await tryPassword(from('198.51.100.8'), ann.password)).status).toBe(200);
  });

  describe('phone numbers', () => {
    it('receive codes through the configured sender, once per cooldown', async () => {
      const now = (): Date => new Date(clock);
      const phones = await startAuth(engine, { now });
      const { auth: call, sent, code: sentCode } = phoneService(phones, now, { SIGNUP: true });
      const phone = '+49 151 1234567';
      expect(await call('POST', '/otp', { body: { phone } })).toMatchObject({
        status: 200,
        json: { message_id: 'message-1' },
      });
      expect(await call('POST', '/otp', { body: { phone } })).toMatchObject({
        status: 429,
        json: { code: 'over_sms_send_rate_limit' },
      });
      expect(sent).toMatchObject([{ to: '491511234567', channel: 'sms' }]);
      const token = sentCode();
      const verify = (code: string) => call('POST', '/verify', { body: { type: 'sms', phone, token: code } });
      expect(await verify(token === '111111' ? '222222' : '111111')).toMatchObject({
        status: 403,
        json: { code: 'otp_expired', message: 'Token has expired or is invalid' },
      });
      const session = await verify(token);
      expect(session).toMatchObject({
        status: 200,
        json: { user: { phone: '491511234567', phone_confirmed_at: expect.any(String) } },
      });
      expect((await verify(token)).status).toBe(403);
      expect(await call('POST', '/otp', { body: { phone: '+4915112999' } })).toMatchObject({
        status: 422,
        json: { code: 'sms_send_failed' },
      });

      const bearer = String(session.json['access_token']);
      const factor = await call('POST', '/factors', {
        bearer,
        body: { factor_type: 'phone', phone: '+491519876543' },
      });
      expect(factor).toMatchObject({ status: 200, json: { type: 'phone', phone: '491519876543' } });
      const id = String(factor.json['id']);
      const challenge = await call('POST', `/factors/${id}/challenge`, {
        bearer,
        body: { channel: 'whatsapp' },
      });
      expect(await call('POST', `/factors/${id}/challenge`, { bearer, body: {} })).toMatchObject({
        status: 429,
      });
      expect(sent.at(-1)).toMatchObject({ to: '491519876543', channel: 'whatsapp' });
      const code = sentCode();
      const sendSmsCode = (text: string) =>
        call('POST', `/factors/${id}/verify`, {
          bearer,
          body: { challenge_id: challenge.json['id'], code: text },
        });
      expect(await sendSmsCode(code === '111111' ? '222222' : '111111')).toMatchObject({
        status: 422,
        json: { code: 'mfa_verification_failed', message: 'Invalid MFA Phone code entered' },
      });
      expect((await sendSmsCode(code)).status).toBe(200);
      await phones.close();
    });
  });
});
