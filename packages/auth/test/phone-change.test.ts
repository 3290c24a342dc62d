/** `PUT /user` with a phone number. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { removeSignInMethods } from '../src/users/sign-in-methods.ts';
import type { AuthResponse, AuthRequester } from './support/auth-requests.ts';
import { phoneService, type PhoneService } from './support/phone-service.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

eachEngine('a new phone number', (engine) => {
  let test: AuthFixture;
  let phones: PhoneService;
  let ann: TestUser;
  let bearer: string;
  let clock = Date.now();
  let numbers = 49_151_000_000;
  const now = (): Date => new Date(clock);
  /** Returns an unused number in the stored format. */
  const freshNumber = (): string => String((numbers += 1));
  const put = (body: object, auth: AuthRequester = phones.auth): Promise<AuthResponse> =>
    auth('PUT', '/user', { bearer, body });
  const redeem = (phone: string, token: string): Promise<AuthResponse> =>
    phones.auth('POST', '/verify', { body: { type: 'phone_change', phone, token } });
  const createUserWithPhone = async (phone: string): Promise<TestUser> => {
    const user = await test.createUser();
    await test.database.query(
      sql`update auth.users set phone = ${phone}, phone_confirmed_at = now() where id = ${user.id}`,
    );
    return user;
  };
  /** Expects the given error, no SMS message and no changes. */
  async function rejected(
    call: () => Promise<AuthResponse>,
    status: number,
    code: string,
    message: unknown = expect.any(String),
  ): Promise<AuthResponse> {
    const before = [await test.fingerprint(), phones.sent.length];
    const response = await call();
    expect([response.status, response.json]).toEqual([status, { code, error_code: code, message }]);
    expect([await test.fingerprint(), phones.sent.length]).toEqual(before);
    return response;
  }

  beforeAll(async () => {
    test = await startAuth(engine, { now });
    phones = phoneService(test, now);
  });
  beforeEach(async () => {
    ann = await test.createUser();
    bearer = (await test.signIn(ann)).access_token;
  });
  afterAll(() => test.close());

  it('is stored once its code is verified, once, and the user receives a notice', async () => {
    const phone = freshNumber();
    const change = await put({ phone: `+${phone}`, channel: 'whatsapp' });
    expect([change.status, change.json]).toEqual([
      200,
      expect.objectContaining({ phone: '', new_phone: phone, phone_change_sent_at: expect.any(String) }),
    ]);
    expect(phones.sent.at(-1)).toMatchObject({ to: phone, channel: 'whatsapp' });
    const code = phones.code();
    const wrong = await redeem(phone, code === '111111' ? '222222' : '111111');
    expect([wrong.status, wrong.json['code']]).toEqual([403, 'otp_expired']);
    const done = await redeem(phone, code);
    expect(done).toMatchObject({
      status: 200,
      json: { user: { id: ann.id, phone, phone_confirmed_at: expect.any(String) } },
    });
    const { json } = await phones.auth('GET', '/user', { bearer });
    expect(json).toMatchObject({
      phone,
      identities: expect.arrayContaining([expect.objectContaining({ provider: 'phone' })]),
    });
    expect(json).not.toHaveProperty('new_phone');
    expect(await test.emailsTo(ann.email)).toMatchObject([{ kind: 'phone_changed' }]);
    const entries = sql`select payload -> 'traits' as traits from auth.audit_log_entries
      where payload ->> 'action' = 'user_modified' and payload ->> 'actor_id' = ${ann.id}`;
    expect(await test.database.query(entries)).toEqual([{ traits: { changed: 'phone' } }]);
    await rejected(() => redeem(phone, code), 403, 'otp_expired');
  });

  it('replaces a pending one, whose code becomes invalid', async () => {
    const [first, second] = [freshNumber(), freshNumber()];
    await put({ phone: first });
    const code = phones.code();
    clock += 61_000;
    expect((await put({ phone: second })).json).toMatchObject({ new_phone: second });
    await rejected(() => redeem(first, code), 403, 'otp_expired');
    expect((await redeem(second, phones.code())).status).toBe(200);
  });

  it.each(['others', 'global', 'local'])(
    'is not stored after the session that requested it was signed out (%s)',
    async (scope) => {
      const phone = freshNumber();
      await put({ phone });
      const code = phones.code();
      const caller = scope === 'others' ? (await test.signIn(ann)).access_token : bearer;
      expect((await phones.auth('POST', `/logout?scope=${scope}`, { bearer: caller })).status).toBe(204);
      await rejected(() => redeem(phone, code), 403, 'otp_expired');
      const [user] = await test.database.query(sql`select phone_change from auth.users where id = ${ann.id}`);
      expect(user).toEqual({ phone_change: null });
    },
  );

  it('nor is the first email address, which only the new mailbox confirms', async () => {
    const user = await createUserWithPhone(freshNumber());
    const [stolen, owner] = [await test.signIn(user), await test.signIn(user)];
    await test.database.query(sql`update auth.users set email = null where id = ${user.id}`);
    const email = `new-${user.email}`;
    await phones.auth('PUT', '/user', { bearer: stolen.access_token, body: { email } });
    const token_hash = (await test.linksTo(email)).at(-1)?.searchParams.get('token_hash');
    await phones.auth('POST', '/logout?scope=others', { bearer: owner.access_token });
    const body = { type: 'email_change', token_hash };
    await rejected(() => phones.auth('POST', '/verify', { body }), 403, 'otp_expired');
  });

  it('is stored immediately when phone numbers are confirmed automatically', async () => {
    const phone = freshNumber();
    const { auth, sent } = phoneService(test, now, { PROFILE: 'compat', AUTOCONFIRM: true });
    const { status, json } = await put({ phone }, auth);
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        phone,
        phone_confirmed_at: expect.any(String),
        identities: expect.arrayContaining([expect.objectContaining({ provider: 'phone' })]),
      }),
    ]);
    expect(json).not.toHaveProperty('new_phone');
    expect(sent).toEqual([]);
    const notices = await test.emailsTo(ann.email);
    expect(notices).toHaveLength(1);
  });

  it('sends the notice immediately when a resend confirms the number automatically', async () => {
    const [phone, newPhone] = [freshNumber(), freshNumber()];
    await test.database.query(
      sql`update auth.users set phone = ${phone}, phone_confirmed_at = now() where id = ${ann.id}`,
    );
    expect((await put({ phone: newPhone })).status).toBe(200);
    let wakes = 0;
    const mailer = { ...test.options.mailer, wake: () => (wakes += 1) };
    const waking = { ...test, options: { ...test.options, mailer } };
    const { auth } = phoneService(waking, now, { PROFILE: 'compat', AUTOCONFIRM: true });
    expect((await auth('POST', '/resend', { body: { type: 'phone_change', phone } })).status).toBe(200);
    expect(await test.emailsTo(ann.email)).toMatchObject([{ kind: 'phone_changed' }]);
    expect(wakes).toBe(1);
    const [user] = await test.database.query(sql`select phone from auth.users where id = ${ann.id}`);
    expect(user).toEqual({ phone: newPhone });
  });

  it('changes nothing when it equals the current one', async () => {
    const phone = freshNumber();
    await test.database.query(sql`update auth.users set phone = ${phone} where id = ${ann.id}`);
    const before = [await test.fingerprint(), phones.sent.length];
    expect(await put({ phone: `+${phone}` })).toMatchObject({ status: 200, json: { phone } });
    expect([await test.fingerprint(), phones.sent.length]).toEqual(before);
  });

  it('is rejected when another user has it, with the message of the contract', async () => {
    const phone = freshNumber();
    await createUserWithPhone(phone);
    const message = 'A user with this phone number has already been registered';
    await rejected(
      () => put({ phone, password: 'a better password', data: { a: 1 } }),
      422,
      'phone_exists',
      message,
    );
    // While phone sign-in is disabled, the response does not reveal this.
    const disabled = phoneService(test, now, { PHONE: false });
    for (const number of [phone, freshNumber()])
      await rejected(
        () => put({ phone: number }, disabled.auth),
        422,
        'phone_provider_disabled',
        'Phone logins are disabled',
      );
  });

  it('is rejected with its code when another user has verified it since', async () => {
    const phone = freshNumber();
    await put({ phone });
    await createUserWithPhone(phone);
    await rejected(() => redeem(phone, phones.code()), 422, 'phone_exists');
  });

  it.each([
    'nope',
    '+0151234567',
    '+49151',
    '+4915112345678901',
    '+49151abc4567',
    4_915_112_345,
    ['+4915112345'],
  ])('is rejected in another format: %s', async (phone) => {
    await rejected(() => put({ phone, data: { a: 1 } }), 400, 'validation_failed');
  });

  it('is rejected for an unknown channel', async () => {
    const message = "Invalid channel, supported values are 'sms' or 'whatsapp'";
    await rejected(() => put({ phone: freshNumber(), channel: 'pigeon' }), 400, 'validation_failed', message);
  });

  it('is rejected without changing password, email address or data when the last step fails', async () => {
    const all = { password: 'a better password', email: 'new@example.org', data: { a: 1 } };
    await rejected(() => put({ ...all, phone: `${freshNumber()}999` }), 422, 'sms_send_failed');
    // The last statement of all. The message is already sent.
    await test.database.query(
      sql`alter table auth.one_time_tokens add constraint broken check (token_type <> 'phone_change') not valid`,
    );
    const before = await test.fingerprint();
    expect((await put({ ...all, phone: freshNumber() })).status).toBe(500);
    expect(await test.fingerprint()).toBe(before);
    await test.database.query(sql`alter table auth.one_time_tokens drop constraint broken`);
    expect(await test.emailsTo(ann.email)).toEqual([]);
    const phone = freshNumber();
    expect(await put({ ...all, phone })).toMatchObject({
      status: 200,
      json: { new_phone: phone, new_email: all.email, user_metadata: { a: 1 } },
    });
  });

  it('is not stored again by a resend that is concurrent with a recovery', async () => {
    const phone = freshNumber();
    await test.database.query(
      sql`update auth.users set phone = ${phone}, phone_confirmed_at = now() where id = ${ann.id}`,
    );
    expect((await put({ phone: freshNumber() })).status).toBe(200);
    clock += 61_000;
    const keep = { keep: ({ kind }: { kind: string }) => kind === 'phone', factors: 'unverified' } as const;
    const recover = () => test.database.transaction((tx) => removeSignInMethods(tx, ann.id, now(), keep));
    const { auth, sent } = phoneService(test, now, {}, recover);
    const body = { type: 'phone_change', phone };
    expect((await auth('POST', '/resend', { body })).status).toBe(200);
    expect(sent).toHaveLength(1);
    const rows = await test.database.query(sql`select phone, phone_change,
      (select count(*)::int from auth.one_time_tokens where user_id = u.id) as tokens
      from auth.users u where id = ${ann.id}`);
    expect(rows).toEqual([{ phone, phone_change: null, tokens: 0 }]);
  });

  it('requires the second factor of a user who has one', { tags: ['AUTH-45'] }, async () => {
    const { elevated } = await addSecondFactor(phones.auth, bearer, now);
    bearer = (await test.signIn(ann)).access_token;
    const phone = freshNumber();
    const message = 'AAL2 session is required to update email or password when MFA is enabled.';
    await rejected(() => put({ phone }), 401, 'insufficient_aal', message);
    bearer = String(elevated.json['access_token']);
    expect(await put({ phone })).toMatchObject({ status: 200, json: { new_phone: phone } });
  });

  it('receives one message of concurrent requests', async () => {
    const limited = phoneService(test, now, { RATE_LIMITS: true });
    const changes = await Promise.all([1, 2, 3].map(() => put({ phone: freshNumber() }, limited.auth)));
    expect(changes.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
    expect(limited.sent).toHaveLength(1);
  });

  it('and numbers of new factors receive five messages an hour from one user', async () => {
    const limited = phoneService(test, now, { RATE_LIMITS: true });
    const challengeNew = async (): Promise<AuthResponse> => {
      const body = { factor_type: 'phone', phone: `+${freshNumber()}`, friendly_name: freshNumber() };
      const { json } = await limited.auth('POST', '/factors', { bearer, body });
      return limited.auth('POST', `/factors/${String(json['id'])}/challenge`, { bearer, body: {} });
    };
    const changeNumber = (): Promise<AuthResponse> => put({ phone: freshNumber() }, limited.auth);
    const statuses: number[] = [];
    for (const send of [challengeNew, changeNumber, challengeNew, changeNumber, challengeNew]) {
      statuses.push((await send()).status);
      clock += 61_000;
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    for (const send of [challengeNew, changeNumber])
      expect(await send()).toMatchObject({ status: 429, json: { code: 'over_sms_send_rate_limit' } });
    expect(limited.sent).toHaveLength(5);
    clock += 3_600_000;
    bearer = (await test.signIn(ann)).access_token;
    expect((await changeNumber()).status).toBe(200);
  });

  it('receives one message per cooldown, and each session a limited number of calls', async () => {
    expect((await put({ phone: freshNumber() })).status).toBe(200);
    const { headers } = await rejected(() => put({ phone: freshNumber() }), 429, 'over_sms_send_rate_limit');
    expect(headers.get('Retry-After')).toBe('30');
    const limited = phoneService(test, now, { RATE_LIMITS: true });
    const codes: unknown[] = [];
    for (let call = 0; call < 30; call += 1)
      codes.push((await put({ phone: freshNumber() }, limited.auth)).json?.['code']);
    expect(new Set(codes)).toEqual(new Set(['over_sms_send_rate_limit']));
    clock += 61_000;
    await rejected(() => put({ phone: freshNumber() }, limited.auth), 429, 'over_request_rate_limit');
    expect(limited.sent).toEqual([]);
  });
});
