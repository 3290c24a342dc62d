/** The states of an invitation from creation to its end, and invited again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { hashLinkToken } from '../../../packages/auth/src/one-time-tokens/one-time-tokens.ts';
import { findInvitationByToken } from '../src/invitations/invitation-tokens.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { openInvitationFixture, openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';
import { asService } from '../src/administrators/email-action.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };
const tokenFrom = (link: string): string => new URL(link).searchParams.get('token_hash') ?? '';

eachEngine('the lifecycle of an invitation', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const link = (): Promise<string> =>
    fixture.invitations
      .createLink({ authorize: asService, email: ann.email, fullName: ann.full_name })
      .then((created) => created.link);
  const find = async (url: string) => {
    const found = await findInvitationByToken(fixture.database, 'invitation', {
      tokenHash: hashLinkToken(tokenFrom(url)),
      now: new Date(),
    });
    return found?.isExpired ? null : found;
  };
  const userId = async (): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`select id from auth.users where email = ${ann.email}`,
    );
    return row?.id ?? '';
  };
  const accept = async (): Promise<boolean> => {
    const [row] = await fixture.database.query<{ ok: boolean }>(
      sql`select private.accept_invitation(${await userId()}) as ok`,
    );
    return row?.ok ?? false;
  };
  const status = async (): Promise<unknown> =>
    (await fixture.database.query(sql`select status from public.user_invitations`))[0]?.['status'];
  const invite = async (): Promise<Record<string, unknown>> =>
    (await fixture.call(ann, fixture.admin)).json() as never;

  it('links to the callback with setup and stores only the hash of the token', async () => {
    const url = await link();
    expect(url).toMatch(
      /^https:\/\/console\.example\.org\/auth\/callback\?setup=true&token_hash=[\w-]{43}&type=invite$/,
    );
    const [row] = await fixture.database.query<{ all: string }>(
      sql`select t::text as all from private.invitation_tokens t`,
    );
    expect(row?.all).not.toContain(tokenFrom(url));
    expect(await find(url)).toMatchObject({ email: ann.email, userId: await userId() });
    expect(await find(url.replace(/token_hash=./, 'token_hash=!'))).toBeNull();
  });

  it('accepts every unexpired link until acceptance, then none', async () => {
    const links = [await link(), await link(), await link()];
    for (const url of links) expect(await find(url)).not.toBeNull();
    expect(await accept()).toBe(true);
    for (const url of links) expect(await find(url)).toBeNull();
    expect(await accept()).toBe(false);
    expect(await status()).toBe('accepted');
    expect(await link().catch((error: unknown) => error)).toMatchObject({
      code: 'already_administrator',
    });
  });

  it('shows an administrator by the current name, a pending one by the name of the invitation', async () => {
    await link();
    const displayedNames = async (): Promise<unknown> =>
      (await fixture.database.query(sql`select full_name from public.user_invitations`))[0]?.['full_name'];
    const rename = async (name: string): Promise<unknown> => {
      await fixture.database.query(
        sql`update public.profiles set full_name = ${name} where id = ${await userId()}`,
      );
      return displayedNames();
    };
    expect(await rename('Ann Early')).toBe(ann.full_name);
    expect(await accept()).toBe(true);
    expect(await rename('Ann Later')).toBe('Ann Later');
    expect(await rename('A'.repeat(120))).toBe('A'.repeat(100));
    // Too short for an invitation.
    expect(await rename('B')).toBe('A'.repeat(100));
  });

  it(
    'shows an expired invitation as expired, rejects its links, and a resend reopens it',
    { tags: ['FN-15'] },
    async () => {
      const old = await link();
      await fixture.database.query(
        sql`update private.invitations set expires_at = now() - interval '1 second', invited_at = now() - interval '8 days'`,
      );
      expect(await status()).toBe('expired');
      expect(await find(old)).toBeNull();
      expect(await accept()).toBe(false);
      expect(await invite()).toMatchObject({ success: true });
      expect(await status()).toBe('pending');
      const [row] = await fixture.database.query(
        sql`select invited_at < now() - interval '7 days' as kept_place, expires_at > now() + interval '6 days' as renewed from private.invitations`,
      );
      expect(row).toEqual({ kept_place: true, renewed: true });
      expect(await accept()).toBe(true);
    },
  );

  it('a revocation invalidates all links and their sessions, and a new invitation reopens it', async () => {
    const links = [await link(), await link()];
    const found = await find(links[0] ?? '');
    const other = await fixture.createUser();
    await fixture.database.query(
      sql`insert into auth.sessions (user_id, from_link, refresh_token_key)
          values (${found?.userId}, ${found?.id}, ${Buffer.alloc(32)}),
                 (${other}, 'other', ${Buffer.alloc(32)})`,
    );
    expect(await fixture.invitations.revoke({ email: ann.email, authorize: asService })).toBe(true);
    expect(await fixture.invitations.revoke({ email: ann.email, authorize: asService })).toBe(false);
    expect(await status()).toBe('revoked');
    for (const url of links) expect(await find(url)).toBeNull();
    expect(
      await fixture.database.query(
        sql`select user_id, from_link from auth.sessions where from_link is not null`,
      ),
    ).toEqual([{ user_id: other, from_link: 'other' }]);
    expect(await accept()).toBe(false);
    expect(await invite()).toMatchObject({ success: true });
    expect(await status()).toBe('pending');
  });

  it('a removed and banned administrator can return with the link only; the old password is deleted', async () => {
    await link();
    await accept();
    const id = await userId();
    await fixture.database.query(sql`update auth.users set encrypted_password = 'old' where id = ${id}`);
    await fixture.database.query(sql`delete from public.user_roles where user_id = ${id}`);
    await fixture.database.query(sql`update auth.users set banned_until = 'infinity' where id = ${id}`);
    expect(await invite()).toMatchObject({ success: true });
    const [user] = await fixture.database.query(
      sql`select banned_until, encrypted_password, raw_app_meta_data ->> 'setup_required' as setup from auth.users where id = ${id}`,
    );
    expect(user).toEqual({ banned_until: null, encrypted_password: null, setup: 'true' });
    expect(await accept()).toBe(true);
  });

  it('a deleted administrator is invited as a new user, a soft-deleted one as the same user', async () => {
    await link();
    await accept();
    await fixture.database.query(sql`delete from auth.users where email = ${ann.email}`);
    expect(await invite()).toMatchObject({ success: true });
    expect(await accept()).toBe(true);
    await fixture.database.query(sql`update auth.users set deleted_at = now() where email = ${ann.email}`);
    expect(await invite()).toMatchObject({ success: true });
    const [user] = await fixture.database.query(
      sql`select deleted_at from auth.users where email = ${ann.email}`,
    );
    expect(user).toEqual({ deleted_at: null });
  });

  it('changes nothing of a user with a password before acceptance', { tags: ['AUTH-49'] }, async () => {
    const id = await fixture.createUser({ email: ann.email });
    await fixture.database.query(sql`update public.profiles set full_name = 'Own Name' where id = ${id}`);
    const user = sql`select u.*, p.full_name from auth.users u join public.profiles p on p.id = u.id where u.id = ${id}`;
    const before = await fixture.database.query(user);
    expect(await invite()).toMatchObject({ success: true });
    expect(await fixture.database.query(user)).toEqual(before);
    expect(await accept()).toBe(true);
  });

  it('an invitation waits for a concurrent acceptance without a deadlock', async () => {
    await link();
    const id = await userId();
    let release = (): void => {};
    const locked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const accepting = fixture.database.transaction(async (tx) => {
      await tx.query(sql`select from auth.users where id = ${id} for update`);
      release();
      // Long enough for the invitation to take its first lock.
      await sleep(300);
      await tx.query(sql`select private.accept_invitation(${id})`);
    });
    await locked;
    const [accepted, invited] = await Promise.allSettled([accepting, invite()]);
    expect(accepted.status).toBe('fulfilled');
    expect(invited).toMatchObject({ value: { code: 'already_administrator' } });
    expect(await status()).toBe('accepted');
  });

  it('a revoked invitation cancels its queued email', async () => {
    await link();
    const [row] = await fixture.database.query<{ id: string }>(sql`select id from private.invitations`);
    await fixture.database.transaction((tx) =>
      fixture.outbox.enqueue(tx, {
        kind: 'invitation',
        to: ann.email,
        invitationId: row?.id ?? null,
        data: {},
      }),
    );
    await fixture.invitations.revoke({ email: ann.email, authorize: asService });
    await fixture.outbox.idle();
    const deliveries = await fixture.database.query(
      sql`select status, answer, sealed from private.deliveries where kind = 'invitation'`,
    );
    expect(deliveries).toEqual([{ status: 'refused', answer: 'The invitation was revoked.', sealed: null }]);
  });

  it(
    'creates a new link for the first administrator at every start until there is one',
    { tags: ['OPS-09'] },
    async () => {
      expect(await fixture.invitations.firstAdministratorLink()).toBeNull();
      const fresh = await openInvitationFixture(engine, {
        settings: { ADMIN_EMAIL: 'first@example.org', ADMIN_NAME: 'First One' },
      });
      const links = [
        await fresh.invitations.firstAdministratorLink(),
        await fresh.invitations.firstAdministratorLink(),
      ];
      expect(new Set(links.map((created) => created?.link)).size).toBe(2);
      const live = await findInvitationByToken(fresh.database, 'invitation', {
        tokenHash: hashLinkToken(tokenFrom(links[0]?.link ?? '')),
        now: new Date(),
      });
      expect(live).toMatchObject({ email: 'first@example.org' });
      await fresh.database.query(sql`select private.accept_invitation(${live?.userId})`);
      expect(await fresh.invitations.firstAdministratorLink()).toBeNull();
      await fresh.close();
    },
  );
});
