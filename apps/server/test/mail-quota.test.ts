/** The hourly quota of emails with its reserves, and what waits: recoveries and notices. */
import { createHash, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { createEncryptor } from '../../../packages/auth/src/keys/encryption.ts';
import { readConfig } from '../src/config/settings.ts';
import type { EmailJob } from '../src/mail/email-job.ts';
import { readEmailQuota } from '../src/mail/email-quota.ts';
import { createEmailTransport } from '../src/mail/email-transport.ts';
import { createOutbox, type Outbox } from '../src/mail/outbox.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';

const factorAdded = (to: string, factor: string, at: Date): EmailJob => ({
  kind: 'factor_added',
  to,
  data: { factor, at: at.toISOString(), source: 'client', network: '', userAgent: '' },
});

const recovery: EmailJob = {
  kind: 'recovery',
  to: 'ann@example.org',
  link: 'https://console.example.org/auth/callback?token_hash=very-secret',
  data: {},
};

eachEngine('the email quota', (engine) => {
  let test: TestDatabase;
  let mailServer: MailServer;
  const clock = { ahead: 0 };
  const keys = createEncryptor(randomBytes(32));
  const opened: Outbox[] = [];
  let outbox: Outbox;
  const open = (settings: Record<string, string> = {}): Outbox => {
    const config = readConfig({
      SMTP_URL: mailServer.url,
      DATA_DIR: test.dataDir,
      MAIL_FROM: 'fallback@example.org',
      ...settings,
    });
    const made = createOutbox({
      config,
      database: test.database,
      keys,
      log: pino({ level: 'silent' }),
      now: async () => new Date(Date.now() + clock.ahead),
      transport: createEmailTransport(config),
    });
    opened.push(made);
    return made;
  };
  beforeAll(async () => {
    test = await openTestDatabase(engine);
    mailServer = await startMailServer();
    outbox = open();
  });
  afterAll(async () => {
    for (const made of opened) await made.close();
    await mailServer.close();
    await test.dispose();
  });
  beforeEach(async () => {
    clock.ahead = 0;
    mailServer.messages.length = 0;
    await test.database.query(sql`delete from private.deliveries`);
  });

  const enqueue = (job: EmailJob): Promise<void> =>
    test.database.transaction((tx) => outbox.enqueue(tx, job));
  const addAdministrator = async (email: string): Promise<string> => {
    const [user] = await test.database.query<{ id: string }>(sql`with u as (
        insert into auth.users (email) values (${email}) on conflict (email) do update set email = excluded.email returning id
      ), r as (
        insert into public.user_roles (user_id, role) select id, 'platform_admin' from u on conflict do nothing
      ) select id from u`);
    return user?.id ?? '';
  };
  const sentTo = (name: string): number =>
    mailServer.messages.filter(({ to }) => to[0]?.startsWith(name)).length;

  it('respects the hourly email quota and continues when it allows', async () => {
    // With five emails per hour, three are reserved for other kinds.
    const limited = open({ MAILS_PER_HOUR: '5' });
    for (let index = 0; index < 3; index += 1) await enqueue({ ...recovery, to: `p${index}@example.org` });
    await limited.idle();
    expect(mailServer.messages).toHaveLength(2);
    clock.ahead = 3_590_000;
    await limited.idle();
    expect(mailServer.messages).toHaveLength(2);
    clock.ahead = 3_605_000;
    await limited.idle();
    expect(mailServer.messages).toHaveLength(3);
  });

  it(
    'a clock that is set back delays no email beyond its interval, and frees the hourly quota',
    { tags: ['REL-08'] },
    async () => {
      const day = 86_400_000;
      clock.ahead = day;
      const limited = open({ MAILS_PER_HOUR: '1' });
      await enqueue({ ...recovery, to: 'sent@example.org' });
      await limited.idle();
      await enqueue({ ...recovery, to: 'waits@example.org' });
      clock.ahead = 0;
      await limited.idle();
      clock.ahead = 3_605_000;
      await limited.idle();
      expect(mailServer.messages.map(({ to }) => to)).toEqual([['sent@example.org'], ['waits@example.org']]);
      // A failed attempt and one whose process stopped wait for their intervals from now on.
      clock.ahead = day;
      mailServer.behavior = { kind: 'reject message', code: 451 };
      await enqueue({ ...recovery, to: 'rejected@example.org' });
      await outbox.idle();
      mailServer.behavior = { kind: 'accept' };
      await test.database.query(
        sql`insert into private.deliveries (id, kind, recipient, attended, sealed, due_at, lease_until)
          values (gen_random_uuid(), 'invitation', 'died@example.org', true, '', now(), now() + interval '1 day')`,
      );
      clock.ahead = 0;
      await outbox.idle();
      expect(mailServer.messages).toHaveLength(3);
      clock.ahead = 35_000;
      await outbox.idle();
      expect(mailServer.messages.map(({ to }) => to[0])).toEqual([
        'sent@example.org',
        'waits@example.org',
        'rejected@example.org',
        'rejected@example.org',
      ]);
      const rows = await test.database.query<{ status: string }>(sql`select status from private.deliveries`);
      expect(rows.map(({ status }) => status).toSorted()).toEqual([
        'handed_over',
        'handed_over',
        'handed_over',
        'timed_out',
      ]);
    },
  );

  it(
    'keeps the times of a transaction that read the clock a moment later',
    { tags: ['REL-08'] },
    async () => {
      mailServer.behavior = { kind: 'reject message', code: 451 };
      await enqueue({ ...recovery, to: 'rejected@example.org' });
      clock.ahead = 2000;
      await outbox.idle();
      const stored = await test.database.query(sql`select due_at, attempted_at from private.deliveries`);
      mailServer.behavior = { kind: 'accept' };
      clock.ahead = 0;
      await outbox.idle();
      expect(await test.database.query(sql`select due_at, attempted_at from private.deliveries`)).toEqual(
        stored,
      );
    },
  );

  it('keeps a reserve of the hourly quota for each of three kinds', async () => {
    const limited = open({ MAILS_PER_HOUR: '10' });
    const userId = await addAdministrator('admin@example.org');
    const kinds: Record<string, Partial<EmailJob>> = {
      anyone: {},
      administrator: { userId },
      notice: { kind: 'factor_added' },
    };
    // Two each are reserved for invitations, recoveries of administrators and notices; four are shared.
    for (const [name, job] of Object.entries(kinds))
      for (let index = 0; index < 9; index += 1)
        await enqueue({ ...recovery, to: `${name}-${index}@example.org`, ...job } as EmailJob);
    await limited.idle();
    expect(Object.keys(kinds).map(sentTo)).toEqual([4, 2, 2]);
    const at = new Date(Date.now() + clock.ahead);
    const left = (reserve: 'invitation' | 'none') =>
      readEmailQuota(test.database, { limit: 10, reserve, now: at });
    expect((await left('invitation')).left).toBe(2);
    expect(await left('none')).toEqual({ left: 0, freeAt: expect.any(Date), isRestReserved: true });
    // What waited is sent later, with nothing lost.
    for (let hours = 1; hours <= 3; hours += 1) {
      clock.ahead = hours * 3_605_000;
      await limited.idle();
    }
    expect(Object.keys(kinds).map(sentTo)).toEqual([9, 9, 9]);
  });

  it('sends notices of invitations within the reserve for notices only', async () => {
    const limited = open({ MAILS_PER_HOUR: '10' });
    for (let index = 0; index < 9; index += 1)
      await enqueue({
        kind: 'administrator_invited',
        to: `admin-${index}@example.org`,
        data: { event: 'invited', user: 'new@example.org', actor: 'ann@example.org' },
      });
    await limited.idle();
    expect(sentTo('admin')).toBe(2);
    const invitations = () =>
      readEmailQuota(test.database, { limit: 10, reserve: 'invitation', now: new Date() });
    expect((await invitations()).left).toBe(6);
    // Those that wait delay no other notice.
    await enqueue(factorAdded('ann@example.org', 'Phone', new Date()));
    await limited.idle();
    expect(sentTo('ann')).toBe(1);
    for (let hours = 1; hours <= 4; hours += 1) {
      clock.ahead = hours * 3_605_000;
      await limited.idle();
    }
    expect(sentTo('admin')).toBe(9);
  });

  it('sends a notice of a removal with the shared part, and right after one of an invitation', async () => {
    const limited = open({ MAILS_PER_HOUR: '10' });
    const changes = { user: 'new@example.org', actor: 'ann@example.org' };
    for (let index = 0; index < 3; index += 1)
      await enqueue({
        kind: 'administrator_invited',
        to: `admin-${index}@example.org`,
        data: { event: 'invited', ...changes },
      });
    await limited.idle();
    expect(sentTo('admin')).toBe(2);
    await enqueue({
      kind: 'administrator_changed',
      to: 'admin-0@example.org',
      data: { event: 'removed', ...changes },
    });
    await limited.idle();
    expect(sentTo('admin-0')).toBe(2);
  });

  it('sends a recovery that waited for the quota with a link that is valid for as long as it was', async () => {
    const limited = open({ MAILS_PER_HOUR: '1' });
    const userId = await addAdministrator('waiting@example.org');
    await enqueue({ ...recovery, to: 'first@example.org' });
    await limited.idle();
    const hash = createHash('sha256').update('very-secret').digest();
    await test.database.query(sql`insert into auth.one_time_tokens
        (user_id, token_type, token_hash, relates_to, expires_at)
      values (${userId}, 'recovery', ${hash}, 'waiting@example.org', now() + interval '1 hour')`);
    const expiresAt = new Date(Date.now() + 3_600_000);
    await enqueue({ ...recovery, to: 'waiting@example.org', userId, expiresAt });
    await limited.idle();
    expect(mailServer.messages).toHaveLength(1);
    clock.ahead = 5 * 3_600_000;
    await limited.idle();
    expect(mailServer.messages).toHaveLength(2);
    const [token] = await test.database.query<{ left: number }>(
      sql`select extract(epoch from expires_at - ${new Date(Date.now() + clock.ahead)})::int as left
          from auth.one_time_tokens where token_hash = ${hash}`,
    );
    expect(token?.left).toBeGreaterThan(3500);
    const email = await PostalMime.parse(mailServer.messages[1]?.raw ?? '');
    expect(email.text).toContain('This link expires on');
  });

  it('sends one notice of a kind to a person in ten minutes, then a summary of the others', async () => {
    const notice = (to: string, factor: string): Promise<void> =>
      enqueue(factorAdded(to, factor, new Date(Date.now() + clock.ahead)));
    await notice('ann@example.org', 'Phone 0');
    await outbox.idle();
    for (let index = 1; index <= 24; index += 1) {
      clock.ahead += 1000;
      await notice('ann@example.org', `Phone ${index}`);
    }
    await notice('bo@example.org', 'Tablet');
    await outbox.idle();
    await outbox.idle();
    expect(mailServer.messages.map(({ to }) => to[0])).toEqual(['ann@example.org', 'bo@example.org']);
    clock.ahead = 590_000;
    await outbox.idle();
    expect(mailServer.messages).toHaveLength(2);
    clock.ahead = 601_000;
    await outbox.idle();
    expect(mailServer.messages).toHaveLength(3);
    const { subject, text } = await PostalMime.parse(mailServer.messages[2]?.raw ?? '');
    expect(subject).toBe('24 notices: A second factor was added to your Lanternrock account');
    expect(text).toContain('Phone 24');
    expect(text).toContain('Phone 4 now protects');
    expect(text).not.toContain('Phone 3 now protects');
    expect(text).toContain('3 more (not listed).');
    const rows = await test.database.query<{ status: string }>(sql`select status from private.deliveries`);
    expect(rows.map(({ status }) => status)).toEqual(['handed_over', 'handed_over', 'handed_over']);
  });
});
