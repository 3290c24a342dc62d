import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { decodeClaims } from './support/auth-requests.ts';
import { recordQueries } from './support/work-recorder.ts';
import { eachEngine } from './support/start-auth.ts';
import { openProfileServices, type ProfileServices } from './support/profile-fixtures.ts';

let counter = 0;
const freshEmail = (): string => `flow${(counter += 1)}@example.org`;

eachEngine('email links and codes', (engine) => {
  let profiles: ProfileServices;
  beforeAll(async () => {
    profiles = await openProfileServices(engine);
  });
  beforeEach(() => profiles.pass(120));
  afterAll(() => profiles.close());

  describe('POST /otp and /magiclink', () => {
    it(
      'return the same response for known and unknown users, email known users only, and work once',
      { tags: ['AUTH-08'] },
      async () => {
        const ann = await profiles.strict.createUser({ email: freshEmail() });
        const unknown = freshEmail();
        for (const [path, email] of [
          ['/otp', unknown],
          ['/magiclink', unknown],
          ['/otp', ann.email],
        ] as const) {
          expect(
            await profiles.strict.auth('POST', path, { body: { email, create_user: false } }),
          ).toMatchObject({
            status: 200,
            text: '{}',
          });
        }
        expect(await profiles.strict.emailsTo(unknown)).toEqual([]);
        const [link] = await profiles.strict.linksTo(ann.email);
        const verify = () =>
          profiles.strict.auth('POST', '/verify', {
            body: { type: 'magiclink', token_hash: link?.searchParams.get('token_hash') },
          });
        const first = await verify();
        expect(decodeClaims(first.json)).toMatchObject({ sub: ann.id, amr: [{ method: 'otp' }] });
        expect((await verify()).status).toBe(403);
      },
    );

    it(
      'keeps three links valid until one is used, and sends nothing for a fourth request',
      { tags: ['AUTH-33'] },
      async () => {
        const ann = await profiles.strict.createUser({ email: freshEmail() });
        const request = (email: string): Promise<string[]> =>
          recordQueries(profiles.strict.options, () =>
            profiles.strict.auth('POST', '/otp', { body: { email } }),
          );
        const verify = (token: string | null | undefined) =>
          profiles.strict.auth('POST', '/verify', { body: { type: 'magiclink', token_hash: token } });
        for (let count = 0; count < 3; count += 1) {
          await request(ann.email);
          profiles.pass(301);
        }
        const tokens = (await profiles.strict.linksTo(ann.email)).map(({ searchParams }) =>
          searchParams.get('token_hash'),
        );
        expect(new Set(tokens).size).toBe(3);
        expect(await request(ann.email)).toEqual(await request(freshEmail()));
        expect(await profiles.strict.linksTo(ann.email)).toHaveLength(3);
        expect((await verify(tokens[0])).status).toBe(200);
        for (const token of tokens) expect((await verify(token)).status).toBe(403);
        profiles.pass(301);
        await request(ann.email);
        expect(await profiles.strict.linksTo(ann.email)).toHaveLength(4);
      },
    );

    it('sends a link that works for its recipient, for the PKCE challenge of another client', async () => {
      const ann = await profiles.strict.createUser({ email: freshEmail() });
      await profiles.strict.auth('POST', '/otp', {
        body: { email: ann.email, code_challenge: 'c'.repeat(43), code_challenge_method: 's256' },
      });
      const [link] = await profiles.strict.linksTo(ann.email);
      expect(link?.pathname).toBe('/auth/v1/verify');
      const page = await (await profiles.strict.request(`${link?.pathname}${link?.search}`)).text();
      const [, href = ''] = /href="([^"]*)">Sign in here</.exec(page) ?? [];
      const { pathname, searchParams } = new URL(href.replaceAll('&amp;', '&'));
      expect(pathname).toBe('/auth/callback');
      const { type, token_hash } = Object.fromEntries(searchParams);
      const { status } = await profiles.strict.auth('POST', '/verify', { body: { type, token_hash } });
      expect([type, status]).toEqual(['magiclink', 200]);
    });

    it('accepts the code with type email', async () => {
      const ann = await profiles.strict.createUser({ email: freshEmail() });
      await profiles.strict.auth('POST', '/otp', { body: { email: ann.email } });
      const token = (await profiles.strict.emailsTo(ann.email)).at(-1)?.code;
      expect(
        (
          await profiles.strict.auth('POST', '/verify', {
            body: { type: 'email', email: ann.email, token },
          })
        ).status,
      ).toBe(200);
    });

    it('keeps an older magic link valid after a recovery email, which anyone can request', async () => {
      const ann = await profiles.strict.createUser({ email: freshEmail() });
      await profiles.strict.auth('POST', '/otp', { body: { email: ann.email } });
      profiles.pass(61);
      await profiles.strict.auth('POST', '/recover', { body: { email: ann.email } });
      // The outbox may send the two emails in either order.
      const magicLink = (await profiles.strict.linksTo(ann.email)).find(
        ({ searchParams }) => searchParams.get('type') === 'magiclink',
      );
      const response = await profiles.strict.auth('POST', '/verify', {
        body: { type: 'magiclink', token_hash: magicLink?.searchParams.get('token_hash') },
      });
      expect(response.status).toBe(200);
    });

    it('returns the messages of the contract in the compatibility profile', async () => {
      expect(
        await profiles.compat.auth('POST', '/otp', {
          body: { email: freshEmail(), create_user: false },
        }),
      ).toMatchObject({
        status: 422,
        json: { code: 'otp_disabled', message: 'Signups not allowed for otp' },
      });
    });

    it.each([
      [{}, 'One of email or phone must be set'],
      [
        { email: 'a@b.co', phone: '+4915112345678' },
        'Only an email address or phone number should be provided',
      ],
      [{ email: 'a@b.co', channel: 'sms' }, 'Channel should only be specified with Phone OTP'],
      [{ email: ['a@b.co'] }, 'email must be a string'],
    ])('rejects %j', async (body, message) => {
      expect(await profiles.strict.auth('POST', '/otp', { body })).toMatchObject({
        status: 400,
        json: { code: 'validation_failed', message },
      });
    });

    it('supports SMS: disabled, without a provider, and with the fixed code of a compatibility run', async () => {
      const phone = '+4915112345678';
      expect(await profiles.strict.auth('POST', '/otp', { body: { phone } })).toMatchObject({
        status: 400,
        json: { code: 'phone_provider_disabled' },
      });
      expect(await profiles.compat.auth('POST', '/otp', { body: { phone } })).toMatchObject({
        status: 400,
        json: { code: 'phone_provider_disabled' },
      });
    });
  });

  describe('without sign-up', () => {
    const states = {
      confirmed: (id: string) => sql`update auth.users set email_confirmed_at = now() where id = ${id}`,
      unconfirmed: (id: string) => sql`update auth.users set email_confirmed_at = null where id = ${id}`,
      'changing the address': (id: string) =>
        sql`update auth.users set email_change = 'new@example.org' where id = ${id}`,
      banned: (id: string) => sql`update auth.users set banned_until = 'infinity' where id = ${id}`,
    };

    it.each([
      ['/otp', {}],
      ['/magiclink', {}],
      ['/recover', {}],
      ['/resend', { type: 'signup' }],
      ['/signup', { password: 'a fine password' }],
    ])(
      '%s runs the same statements for known and unknown addresses',
      { tags: ['AUTH-06'] },
      async (path, more) => {
        const { strict } = profiles;
        const request = (email: string): Promise<string[]> =>
          recordQueries(strict.options, () => strict.auth('POST', path, { body: { email, ...more } }));
        const unknown = await request(freshEmail());
        if (path !== '/signup') expect(unknown).toContain('commit');
        for (const [name, change] of Object.entries(states)) {
          const { id, email } = await strict.createUser({ email: freshEmail() });
          await strict.database.query(change(id));
          expect(await request(email), name).toEqual(unknown);
        }
      },
    );
  });

  describe('POST /resend', () => {
    it('sends a confirmation again and ignores all other users silently', async () => {
      const email = freshEmail();
      await profiles.open.auth('POST', '/signup', { body: { email, password: 'a fine password' } });
      profiles.pass(61);
      const ann = await profiles.open.createUser({ email: freshEmail() });
      for (const to of [email, freshEmail(), ann.email]) {
        expect(
          await profiles.open.auth('POST', '/resend', { body: { type: 'signup', email: to } }),
        ).toMatchObject({
          status: 200,
          text: '{}',
        });
      }
      expect(await profiles.open.emailsTo(email)).toHaveLength(2);
      expect(await profiles.open.emailsTo(ann.email)).toHaveLength(0);
    });

    it.each([
      [
        { type: 'recovery', email: 'a@b.co' },
        'Missing one of these types: signup, email_change, sms, phone_change',
      ],
      [{ type: 'signup' }, 'Type provided requires an email or phone'],
      [{ type: 'sms', email: 'a@b.co' }, 'Type provided requires a phone number'],
    ])('rejects %j', async (body, message) => {
      expect(await profiles.strict.auth('POST', '/resend', { body })).toMatchObject({
        status: 400,
        json: { message },
      });
    });
  });

  it('GET /reauthenticate sends a code for the next password change', async () => {
    const ann = await profiles.strict.createUser({ email: freshEmail() });
    const { access_token, refresh_token } = await profiles.strict.signIn(ann);
    expect(await profiles.strict.auth('GET', '/reauthenticate', { bearer: access_token })).toMatchObject({
      status: 200,
      text: '{}',
    });
    expect(await profiles.strict.auth('GET', '/reauthenticate', { bearer: access_token })).toMatchObject({
      status: 429,
      json: { code: 'over_email_send_rate_limit' },
    });
    const nonce = (await profiles.strict.emailsTo(ann.email)).at(-1)?.code;
    const change = { password: 'a better password', nonce };
    expect(refresh_token).toBeTypeOf('string');
    const otherSession = await profiles.strict.signIn(await profiles.strict.createUser());
    expect(
      await profiles.strict.auth('PUT', '/user', { bearer: otherSession.access_token, body: change }),
    ).toMatchObject({
      status: 422,
      json: { code: 'reauthentication_not_valid' },
    });
    expect((await profiles.strict.auth('PUT', '/user', { bearer: access_token, body: change })).status).toBe(
      200,
    );
  });

  describe('changing the email address', () => {
    const begin = async () => {
      const ann = await profiles.strict.createUser({ email: freshEmail() });
      const session = await profiles.strict.signIn(ann);
      const next = freshEmail();
      const change = await profiles.strict.auth('PUT', '/user', {
        bearer: session.access_token,
        body: { email: next.toUpperCase() },
      });
      expect(change).toMatchObject({ status: 200, json: { email: ann.email, new_email: next } });
      const tokenFor = async (email: string) =>
        (await profiles.strict.linksTo(email)).at(-1)?.searchParams.get('token_hash');
      const verify = async (email: string) =>
        profiles.strict.auth('POST', '/verify', {
          body: { type: 'email_change', token_hash: await tokenFor(email) },
        });
      return { ann, next, session, verify };
    };

    it('requires both mailboxes, in any order', async () => {
      for (const order of [
        ['old', 'new'],
        ['new', 'old'],
      ] as const) {
        const { ann, next, verify } = await begin();
        const emails = { old: ann.email, new: next };
        const first = await verify(emails[order[0]]);
        expect(first).toMatchObject({
          status: 200,
          json: { code: '200', msg: expect.stringContaining('other email') },
        });
        expect((await verify(emails[order[0]])).status).toBe(403);
        const second = await verify(emails[order[1]]);
        expect(second).toMatchObject({
          status: 200,
          json: { user: { email: next, identities: [{ identity_data: { email: next } }] } },
        });
        await profiles.strict.signIn({ ...ann, email: next });
      }
    });

    it.each(['old', 'new'] as const)(
      'sends a further link only to the mailbox that has not confirmed it (%s first)',
      async (order) => {
        const { ann, next, verify } = await begin();
        const [first, second] = order === 'old' ? [ann.email, next] : [next, ann.email];
        expect((await verify(first)).json).toMatchObject({ code: '200' });
        profiles.pass(61);
        const resend = { type: 'email_change', email: ann.email };
        const before = await profiles.strict.emailsTo(first);
        expect((await profiles.strict.auth('POST', '/resend', { body: resend })).status).toBe(200);
        expect(await profiles.strict.emailsTo(first)).toEqual(before);
        expect(await verify(second)).toMatchObject({ status: 200, json: { user: { email: next } } });
      },
    );

    it('rejects an existing email address and changes nothing', async () => {
      const [ann, ben] = [await profiles.strict.createUser(), await profiles.strict.createUser()];
      const { access_token } = await profiles.strict.signIn(ann);
      const before = await profiles.strict.fingerprint();
      expect(
        await profiles.strict.auth('PUT', '/user', { bearer: access_token, body: { email: ben.email } }),
      ).toMatchObject({
        status: 422,
        json: { code: 'email_exists', message: 'A user with this email address has already been registered' },
      });
      expect(await profiles.strict.fingerprint()).toBe(before);
    });

    it('is canceled by a password change', async () => {
      const { ann, next, session, verify } = await begin();
      await profiles.strict.auth('PUT', '/user', {
        bearer: session.access_token,
        body: { password: 'a better password' },
      });
      expect([(await verify(ann.email)).status, (await verify(next)).status]).toEqual([403, 403]);
    });
  });

  it('POST /verify rejects what the contract rejects', async () => {
    const cases: [object, number, string][] = [
      [{}, 400, 'Verify requires a verification type'],
      [{ type: 'email' }, 400, 'Verify requires either a token or a token hash'],
      [{ type: 'email', token: '1', token_hash: '2' }, 400, 'Verify requires either a token or a token hash'],
      [
        { type: 'email', token_hash: 'x', email: 'a@b.co' },
        400,
        'Only the token_hash and type should be provided',
      ],
      [
        { type: 'email', token: '123456' },
        400,
        'Only an email address or phone number should be provided on verify',
      ],
      [{ type: 'email', token: '123456', email: 'nope' }, 422, 'Invalid email format'],
      [{ type: 'sms', token: '123456', phone: 'nope' }, 400, 'Invalid phone number format (E.164 required)'],
      [
        { type: 'email', token: '123456', email: 'unknown@example.org' },
        403,
        'Token has expired or is invalid',
      ],
      [{ type: 'invite', token_hash: "' or 1=1--" }, 403, 'Email link is invalid or has expired'],
    ];
    const before = await profiles.strict.fingerprint();
    for (const [body, status, message] of cases) {
      expect(await profiles.strict.auth('POST', '/verify', { body })).toMatchObject({
        status,
        json: { message },
      });
    }
    expect(await profiles.strict.fingerprint()).toBe(before);
    const [row] = await profiles.strict.database.query(
      sql`select count(*)::int as n from auth.sessions where from_link <> 'recovery'`,
    );
    expect(row).toEqual({ n: 0 });
  });
});
