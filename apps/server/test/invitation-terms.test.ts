/** Note, expiry and inviter of invitations: function `set-invitation-terms`, the next email, the history. */
import type { InvitationHistory } from '@lanternrock/contract/invitations';
import type { InvitationTerms } from '@lanternrock/contract/invitation-terms';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { hashLinkToken } from '../../../packages/auth/src/one-time-tokens/one-time-tokens.ts';
import { findInvitationByToken } from '../src/invitations/invitation-tokens.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';
import { asService } from '../src/administrators/email-action.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };
const day = 86_400;

eachEngine('terms of an invitation', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine);
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const call = async (name: string, body: unknown, as: string | undefined = fixture.admin) => {
    const response = await fixture.call(body, as, undefined, name);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const invite = async (as = fixture.admin): Promise<string> => {
    const { status, body } = await call('send-user-invitation', ann, as);
    expect(status).toBe(200);
    return (body as { invitation_id: string }).invitation_id;
  };
  const setTerms = (body: object, as?: string) => call('set-invitation-terms', body, as);
  const history = async (id: string): Promise<InvitationHistory> =>
    (await call('invitation-history', { invitation_id: id })).body as InvitationHistory;
  /** The last one to the invited user; other administrators get notices. */
  const lastEmail = async (): Promise<Email> => {
    const emails = fixture.mailServer.messages.filter(({ to }) => to.includes(ann.email));
    return PostalMime.parse(emails.at(-1)?.raw ?? '');
  };
  const tokenOf = ({ text = '' }: Email): string => /token_hash=([\w-]+)/.exec(text)?.[1] ?? '';
  const secondsLeft = async (): Promise<number> => {
    const [row] = await fixture.database.query<{ expires_at: Date }>(
      sql`select expires_at from private.invitations where email = ${ann.email}`,
    );
    return Math.round(((row?.expires_at.getTime() ?? 0) - Date.now() - fixture.clock.ahead) / 1000);
  };

  it('the first email has those of the same call', async () => {
    const { status } = await call('send-user-invitation', {
      ...ann,
      terms: { note: 'Welcome', expires_in: day },
    });
    expect(status).toBe(200);
    expect(fixture.mailServer.messages).toHaveLength(1);
    expect((await lastEmail()).text).toContain('> Welcome');
    expect(Math.abs((await secondsLeft()) - day)).toBeLessThan(60);
    // A later call without them keeps them.
    await invite();
    expect((await lastEmail()).text).toContain('> Welcome');
  });

  it.each([
    ['two expiries', { expires_in: day, expires_at: '2030-01-01T00:00:00Z' }, 400],
    ['an expiry out of the range', { expires_in: 60 }, 400],
    ['a time that has passed', { expires_at: '2020-01-01T00:00:00Z' }, 400],
    ['a note that is too long', { note: 'x'.repeat(501) }, 400],
  ])('a call with %s sends no invitation', async (_name, terms, expected) => {
    const before = await invitationTables(fixture.database);
    expect((await call('send-user-invitation', { ...ann, terms })).status).toBe(expected);
    expect(fixture.mailServer.messages).toEqual([]);
    expect(await invitationTables(fixture.database)).toBe(before);
  });

  it('the next emails contain the note and expire as chosen; earlier links follow', async () => {
    const id = await invite();
    expect(await secondsLeft()).toBeGreaterThan(7 * day - 60);
    const first = tokenOf(await lastEmail());
    const { status, body } = await setTerms({
      invitation_id: id,
      note: 'Please sign in\r\nbefore <b>Friday. ',
      expires_in: day,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      note: 'Please sign in\nbefore <b>Friday.',
      expires_in: day,
      expires_at: null,
    });
    // Until the next email nothing changes for the invited user.
    expect(await secondsLeft()).toBeGreaterThan(7 * day - 60);
    await invite();
    const email = await lastEmail();
    expect(email.text).toContain(
      'Note from administrator@example.org:\n> Please sign in\n> before <b>Friday.\n',
    );
    expect(email.html).toContain('before &lt;b&gt;Friday.');
    expect(email.html?.match(/href="/g)).toHaveLength(1);
    const left = await secondsLeft();
    expect(left).toBeGreaterThan(day - 60);
    expect(left).toBeLessThanOrEqual(day);
    fixture.clock.ahead = (day + 60) * 1000;
    const at = new Date(Date.now() + fixture.clock.ahead);
    for (const token of [first, tokenOf(email)])
      expect(
        await findInvitationByToken(fixture.database, 'invitation', {
          tokenHash: hashLinkToken(token),
          now: at,
        }),
      ).toMatchObject({
        isExpired: true,
      });
    expect((await history(id)).terms).toMatchObject({ expires_in: day });
  });

  it('uses a chosen time until it is less than an hour ahead, then the default', async () => {
    const id = await invite();
    const until = new Date(Date.now() + 3 * 3_600_000);
    const { body } = await setTerms({ invitation_id: id, expires_at: until.toISOString() });
    expect(body).toMatchObject({ expires_at: until.toISOString(), next_expires_at: until.toISOString() });
    await invite();
    expect(await secondsLeft()).toBeGreaterThan(3 * 3600 - 60);
    expect(await secondsLeft()).toBeLessThanOrEqual(3 * 3600);
    fixture.clock.ahead = 2.5 * 3_600_000;
    const { terms } = await history(id);
    const next = new Date(terms?.next_expires_at ?? 0).getTime() - Date.now() - fixture.clock.ahead;
    expect(next / 1000).toBeGreaterThan(7 * day - 60);
    await invite();
    expect(await secondsLeft()).toBeGreaterThan(7 * day - 60);
  });

  it('changes the note beside a stored time that is close, and rejects another close time', async () => {
    const id = await invite();
    const until = new Date(Date.now() + 2 * 3_600_000).toISOString();
    await setTerms({ invitation_id: id, expires_at: until });
    fixture.clock.ahead = 1.5 * 3_600_000;
    const { status, body } = await setTerms({ invitation_id: id, note: 'Hurry', expires_at: until });
    expect([status, body]).toMatchObject([200, { note: 'Hurry', expires_at: until }]);
    const other = new Date(Date.parse(until) + 1000).toISOString();
    expect((await setTerms({ invitation_id: id, note: 'No', expires_at: other })).status).toBe(400);
    expect((await history(id)).terms).toMatchObject({ note: 'Hurry', expires_at: until });
  });

  it('removes what is not sent again', async () => {
    const id = await invite();
    await setTerms({ invitation_id: id, note: 'One', expires_in: day });
    expect((await setTerms({ invitation_id: id, note: '' })).body).toMatchObject({
      note: null,
      expires_in: null,
      expires_at: null,
    });
    await invite();
    expect((await lastEmail()).text).not.toContain('Note from');
  });

  it('keeps the terms with a link instead of an email, and forgets them in a new invitation', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
    const id = await invite();
    await setTerms({ invitation_id: id, note: 'Welcome', expires_in: day });
    expect((await call('create-invitation-link', { email: ann.email })).status).toBe(200);
    expect(await secondsLeft()).toBeLessThanOrEqual(day);
    await call('revoke-user-invitation', { email: ann.email });
    fixture.mailServer.behavior = { kind: 'accept' };
    await invite();
    expect((await lastEmail()).text).not.toContain('Welcome');
    expect(await secondsLeft()).toBeGreaterThan(7 * day - 60);
    expect((await history(id)).terms).toMatchObject({ note: null, expires_in: null });
  });

  it('names the inviter in the email and in each entry of the history', async () => {
    const bo = await fixture.createUser({ administrator: true, email: 'bo@example.org' });
    await fixture.database.query(
      sql`insert into public.profiles (id, full_name) values (${bo}, 'Bo Ek')
          on conflict (id) do update set full_name = excluded.full_name`,
    );
    const id = await invite();
    expect((await lastEmail()).text).toContain('administrator@example.org has invited you to Lanternrock');
    await invite(bo);
    expect((await lastEmail()).text).toContain('Bo Ek has invited you to Lanternrock as an administrator.');
    fixture.clock.ahead = 3_600_000;
    await fixture.invitations.invite({
      authorize: asService,
      email: ann.email,
      fullName: ann.full_name,
      invitedBy: null,
      startedAt: performance.now(),
    });
    expect((await lastEmail()).text).toContain('You have been invited to Lanternrock as');
    const read = await history(id);
    expect(read.mails.map(({ inviter }) => inviter)).toEqual([
      { kind: 'command_line', name: null },
      { kind: 'administrator', name: 'Bo Ek' },
      { kind: 'administrator', name: 'administrator@example.org' },
    ]);
    // The command line, which sent the last email.
    expect(read.invited_by).toBeNull();
    // The history outlives the inviter.
    await fixture.database.query(sql`delete from auth.users where id = ${bo}`);
    expect((await history(id)).mails[1]?.inviter).toEqual({ kind: 'administrator', name: 'Bo Ek' });
  });

  it('rejects invalid terms, ended invitations and other users, and changes nothing', async () => {
    const id = await invite();
    const member = await fixture.createUser({ email: 'member@example.org' });
    const hour = 3_600_000;
    const rejected = async (body: object, status: number, code: string, as?: string): Promise<void> => {
      const before = await invitationTables(fixture.database);
      const response = await setTerms({ invitation_id: id, ...body }, as);
      expect(response, JSON.stringify(body)).toMatchObject({ status, body: { code } });
      expect((response.body as { error: string }).error).toMatch(/^[A-Z][^\n]+$/i);
      expect(await invitationTables(fixture.database)).toBe(before);
    };
    await rejected({ note: 'a'.repeat(501) }, 400, 'validation_failed');
    await rejected({ note: 'a\u202eb' }, 400, 'validation_failed');
    const { body } = await setTerms({ invitation_id: id, note: 'a\u202eb' });
    expect(body).toMatchObject({ error: 'Note: Control characters are not allowed' });
    await rejected({ expires_in: 60 }, 400, 'validation_failed');
    await rejected({ expires_in: 31 * day }, 400, 'validation_failed');
    await rejected({ expires_at: 'tomorrow' }, 400, 'validation_failed');
    await rejected({ expires_at: new Date(Date.now() + hour / 2).toISOString() }, 400, 'invalid_expiry');
    await rejected(
      { expires_at: new Date(Date.now() + 31 * 24 * hour).toISOString() },
      400,
      'invalid_expiry',
    );
    await rejected({ expires_at: '2000-01-01T00:00:00Z' }, 400, 'invalid_expiry');
    await rejected({ invitation_id: '6f1ed002-ab55-4e23-9a4e-6d7d9a1d8a11' }, 404, 'no_invitation');
    await rejected({ note: 'Hello' }, 403, 'not_platform_admin', member);
    for (const status of ['accepted', 'revoked', 'removed']) {
      await fixture.database.query(sql`update private.invitations set status = ${status} where id = ${id}`);
      await rejected({ note: 'Hello' }, 409, 'invitation_ended');
      expect((await history(id)).terms).toBeNull();
    }
    expect((await fixture.call({ invitation_id: id }, '', undefined, 'set-invitation-terms')).status).toBe(
      401,
    );
  });

  it('stores and sends a note of 500 emoji', async () => {
    const id = await invite();
    const note = '🚒'.repeat(500);
    expect(((await setTerms({ invitation_id: id, note })).body as InvitationTerms).note).toBe(note);
    await invite();
    expect((await lastEmail()).text).toContain(`> ${note}\n`);
  });
});
