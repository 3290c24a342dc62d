import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeClaims } from './support/auth-requests.ts';
import { eachEngine } from './support/start-auth.ts';
import { recordQueries } from './support/work-recorder.ts';
import {
  openProfileServices,
  type ProfileService,
  type ProfileServices,
} from './support/profile-fixtures.ts';

let counter = 0;
const freshEmail = (): string => `newcomer${(counter += 1)}@example.org`;

eachEngine('signing up', (engine) => {
  let profiles: ProfileServices;
  beforeAll(async () => {
    profiles = await openProfileServices(engine);
  });
  beforeEach(() => profiles.pass(120));
  afterAll(() => profiles.close());

  describe('POST /signup', () => {
    it(
      'returns one response for known, unknown and invalid input while disabled, and changes nothing',
      { tags: ['AUTH-08'] },
      async () => {
        const ann = await profiles.strict.createUser();
        const before = await profiles.strict.fingerprint();
        for (const body of [
          { email: ann.email, password: 'a fine password' },
          { email: freshEmail(), password: 'x' },
          {},
        ]) {
          expect(await profiles.strict.auth('POST', '/signup', { body })).toMatchObject({
            status: 422,
            json: { code: 'signup_disabled', message: 'Signups not allowed for this instance' },
          });
        }
        expect(await profiles.strict.fingerprint()).toBe(before);
      },
    );

    it('creates an unconfirmed user while enabled, emails a link, and the link confirms exactly once', async () => {
      const email = freshEmail();
      const signedUp = await profiles.open.auth('POST', '/signup', {
        body: { email, password: 'a fine password', data: { team: 'Nord' } },
      });
      expect(signedUp).toMatchObject({
        status: 200,
        json: {
          email,
          identities: [{ provider: 'email' }],
          user_metadata: { team: 'Nord', email_verified: false },
        },
      });
      expect(signedUp.json).not.toHaveProperty('email_confirmed_at');
      expect(signedUp.json).not.toHaveProperty('access_token');
      const early = await profiles.open.auth('POST', '/token?grant_type=password', {
        body: { email, password: 'a fine password' },
      });
      expect(early).toMatchObject({ status: 400, json: { code: 'email_not_confirmed' } });
      const [link] = await profiles.open.linksTo(email);
      expect(Object.fromEntries(link?.searchParams ?? [])).toMatchObject({ type: 'signup' });
      const verify = () =>
        profiles.open.auth('POST', '/verify', {
          body: { type: 'signup', token_hash: link?.searchParams.get('token_hash') },
        });
      const responses = await Promise.all(Array.from({ length: 10 }, verify));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(responses.filter(({ json }) => json['code'] === 'otp_expired')).toHaveLength(9);
      expect(
        (
          await profiles.open.auth('POST', '/token?grant_type=password', {
            body: { email, password: 'a fine password' },
          })
        ).status,
      ).toBe(200);
    });

    it('does not reveal existing users and sends no email', { tags: ['AUTH-08'] }, async () => {
      const ann = await profiles.open.createUser({ email: freshEmail() });
      const signUp = (test: ProfileService, email: string) =>
        test.auth('POST', '/signup', {
          body: { email, password: 'another password', data: { a: 1 } },
        });
      const response = await signUp(profiles.open, ann.email);
      expect(response).toMatchObject({ status: 200, json: { email: ann.email } });
      expect(response.json['id']).not.toBe(ann.id);
      // Removes what differs between new users: IDs, times and the email address.
      const plain = ({ text }: { text: string }, email: string): string =>
        text
          .replaceAll(email, 'email')
          .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
          .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
      const newcomer = freshEmail();
      expect(plain(response, ann.email)).toBe(plain(await signUp(profiles.open, newcomer), newcomer));
      expect(await profiles.open.emailsTo(ann.email)).toEqual([]);
      await profiles.open.signIn(ann);
    });

    it(
      'returns the same response for unconfirmed and known addresses, without the stored record',
      { tags: ['AUTH-08'] },
      async () => {
        const email = freshEmail();
        const signUp = (data: object) =>
          profiles.open.auth('POST', '/signup', { body: { email, password: 'a fine password', data } });
        const first = await signUp({ team: 'secret team' });
        profiles.pass(120);
        const second = await signUp({ team: 'other' });
        expect(second).toMatchObject({ status: 200, json: { email, user_metadata: { team: 'other' } } });
        expect(second.text).not.toContain('secret team');
        expect(second.text).not.toContain(String(first.json['id']));
        const confirmed = await profiles.open.createUser({ email: freshEmail() });
        const known = await profiles.open.auth('POST', '/signup', {
          body: { email: confirmed.email, password: 'a fine password', data: { team: 'other' } },
        });
        expect(Object.keys(second.json).sort()).toEqual(Object.keys(known.json).sort());
        const work = [];
        for (const knownEmail of [email, confirmed.email])
          work.push(
            await recordQueries(profiles.open.options, () =>
              profiles.open.auth('POST', '/signup', {
                body: { email: knownEmail, password: 'a fine password' },
              }),
            ),
          );
        expect(work[0]).toEqual(work[1]);
        expect(await profiles.open.linksTo(email)).toHaveLength(2);
      },
    );

    it('creates a session with automatic confirmation, and reports an existing user', async () => {
      const body = { email: freshEmail(), password: '123456' };
      expect(await profiles.compat.auth('POST', '/signup', { body })).toMatchObject({
        status: 200,
        json: { access_token: expect.any(String) },
      });
      expect(await profiles.compat.auth('POST', '/signup', { body })).toMatchObject({
        status: 422,
        json: { code: 'user_already_exists', message: 'User already registered' },
      });
    });

    it.each([
      [
        { email: 'x', password: 'a fine password' },
        400,
        'validation_failed',
        'Unable to validate email address: invalid format',
      ],
      [{ email: 'a@b.co' }, 400, 'validation_failed', 'Signup requires a valid password'],
      [
        { email: 'a@b.co', password: '123' },
        422,
        'weak_password',
        'Password should be at least 6 characters.',
      ],
      [
        { phone: '+4915112345678', email: 'a@b.co', password: '1234567' },
        400,
        'validation_failed',
        'Only an email address or phone number should be provided on signup.',
      ],
    ])('rejects %j', async (body, status, code, message) => {
      expect(await profiles.compat.auth('POST', '/signup', { body })).toMatchObject({
        status,
        json: { code, message },
      });
    });

    it('creates anonymous users when they are enabled', async () => {
      expect(await profiles.open.auth('POST', '/signup', { body: {} })).toMatchObject({
        status: 422,
        json: { code: 'anonymous_provider_disabled', message: 'Anonymous sign-ins are disabled' },
      });
      const { json, status } = await profiles.compat.auth('POST', '/signup', {
        body: { data: { a: 1 } },
      });
      expect({ status, json }).toMatchObject({
        status: 200,
        json: { user: { is_anonymous: true, user_metadata: { a: 1 } } },
      });
      expect(decodeClaims(json)['amr']).toMatchObject([{ method: 'anonymous' }]);
    });
  });
});
