/** Transactional outbox: written with its action, sent by the worker, across errors and restarts. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { readConfig } from '../src/config/settings.ts';
import { createEncryptor } from '../../../packages/auth/src/keys/encryption.ts';
import { retryDelaysSeconds } from '../src/mail/store-attempt.ts';
import { noticeKinds, type DeliveryResult, type EmailJob, type EmailKind } from '../src/mail/email-job.ts';
import { createEmailTransport } from '../src/mail/email-transport.ts';
import { createOutbox, type Outbox } from '../src/mail/outbox.ts';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { startMailServer, type MailServer } from './support/mail-server.ts';

const recovery: EmailJob = {
  kind: 'recovery',
  to: 'ann@example.org',
  link: 'https://console.example.org/auth/callback?token_hash=very-secret',
  code: '424242',
  data: { fullName: 'Ann Lee' },
};

eachEngine('the outbox', (engine) => {
  let test: TestDatabase;
  let mailServer: MailServer;
  let outbox: Outbox;
  const clock = { ahead: 0 };
  const encryptor = createEncryptor(randomBytes(32));
  const opened: Outbox[] = [];
  const open = (settings: Record<string, string> = {}, keys = encryptor): Outbox => {
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
      transport: createEmailTransport(config, 3000),
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
    mailServer.behavior = { kind: 'accept' };
    mailServer.messages.length = 0;
    await test.database.query(sql`delete from private.deliveries`);
    await test.database.query(sql`delete from public.notification_settings`);
  });

  const enqueue = (job: EmailJob = recovery): Promise<void> =>
    test.database.transaction((tx) => outbox.enqueue(tx, job));
  const sendTest = async (from: Outbox): Promise<DeliveryResult> =>
    from.send(
      await test.database.transaction((tx) =>
        from.claim(tx, { kind: 'test', to: 'ann@example.org', data: {} }),
      ),
    );
  const rows = (): Promise<Record<string, unknown>[]> =>
    test.database.query(
      sql`select status, tries, answer, sealed is null as dropped from private.deliveries order by created_at, id`,
    );

  it('sends after the commit, and nothing after a rollback', async () => {
    await enqueue();
    await test.database
      .transaction(async (tx) => {
        await outbox.enqueue(tx, { ...recovery, to: 'undone@example.org' });
        throw new Error('rolled back');
      })
      .catch(() => {});
    await outbox.idle();
    expect(mailServer.messages.map((email) => email.to)).toEqual([['ann@example.org']]);
    expect(await rows()).toEqual([
      { status: 'handed_over', tries: 1, answer: expect.stringContaining('250'), dropped: true },
    ]);
    const email = await PostalMime.parse(mailServer.messages[0]?.raw ?? '');
    expect(email.text).toContain(recovery.link);
    expect(email.text).toContain(recovery.code);
  });

  it('encrypts link, code and name while the email is queued', async () => {
    await enqueue();
    const [row] = await test.database.query<{ all: string; sealed: Buffer }>(
      sql`select d::text as all, sealed from private.deliveries d`,
    );
    for (const secret of ['very-secret', '424242', 'Ann Lee']) {
      expect(row?.all).not.toContain(secret);
      expect(row?.sealed.includes(secret)).toBe(false);
    }
  });

  it(
    'reads the sender at the time of sending: the oldest record, else the product name and MAIL_FROM',
    { tags: ['C301', 'FN-12'] },
    async () => {
      await enqueue();
      await outbox.idle();
      await enqueue();
      await test.database.query(
        sql`insert into public.notification_settings (sender_email, sender_name, created_at)
          values ('young@example.org', 'Young', now()), ('old@example.org', 'Old', now() - interval '1 day')`,
      );
      await outbox.idle();
      const senders = await Promise.all(
        mailServer.messages.map(async ({ raw, from }) => [from, (await PostalMime.parse(raw)).from]),
      );
      expect(senders).toEqual([
        ['fallback@example.org', { name: 'Lanternrock', address: 'fallback@example.org' }],
        ['old@example.org', { name: 'Old', address: 'old@example.org' }],
      ]);
    },
  );

  it('sends security notices and the audit log head from MAIL_FROM, regardless of the saved sender', async () => {
    await test.database.query(
      sql`insert into public.notification_settings (sender_email, sender_name)
        values ('x@reject.example.org', 'Casino')`,
    );
    const senders = async (from: Outbox, kinds: readonly EmailKind[]): Promise<unknown[]> => {
      mailServer.messages.length = 0;
      for (const kind of kinds)
        await from.send(
          await test.database.transaction((tx) =>
            from.claim(tx, {
              ...recovery,
              kind,
              data: { at: '2026-11-21T05:30:00Z', problem: '', lastAt: '' },
            } as EmailJob),
          ),
        );
      return Promise.all(mailServer.messages.map(async ({ raw }) => (await PostalMime.parse(raw)).from));
    };
    const security: readonly EmailKind[] = [...noticeKinds, 'audit_head', 'backup_problem'];
    const fixed = { name: 'Lanternrock', address: 'fallback@example.org' };
    expect(await senders(outbox, security)).toEqual(security.map(() => fixed));
    const saved = { name: 'Casino', address: 'x@reject.example.org' };
    expect(await senders(outbox, ['recovery', 'test'])).toEqual([saved, saved]);
    const withoutSender = open({ MAIL_FROM: 'no-reply@localhost.localdomain' });
    expect(await senders(withoutSender, ['administrator_invited'])).toEqual([saved]);
  });

  it(
    'retries with growing intervals, keeps the message ID, and stops after the last attempt',
    { tags: ['REL-08'] },
    async () => {
      mailServer.behavior = { kind: 'reject message', code: 451 };
      await enqueue();
      for (const [index, delay] of retryDelaysSeconds.entries()) {
        await outbox.idle();
        expect(await rows()).toEqual([
          { status: 'waiting', tries: index + 1, answer: expect.stringContaining('451'), dropped: false },
        ]);
        clock.ahead += delay * 1000 - 5000;
        await outbox.idle();
        expect(mailServer.messages).toHaveLength(index + 1);
        clock.ahead += 5000;
      }
      await outbox.idle();
      expect(await rows()).toEqual([
        {
          status: 'refused',
          tries: retryDelaysSeconds.length + 1,
          answer: expect.stringContaining('451'),
          dropped: true,
        },
      ]);
      const ids = await Promise.all(
        mailServer.messages.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId),
      );
      expect(new Set(ids).size).toBe(1);
    },
  );

  it('does not retry a permanent rejection', async () => {
    mailServer.behavior = { kind: 'reject recipient', code: 550 };
    await enqueue();
    await outbox.idle();
    clock.ahead = 86_400_000;
    await outbox.idle();
    expect(await rows()).toEqual([
      { status: 'refused', tries: 1, answer: expect.stringContaining('550'), dropped: true },
    ]);
  });

  it('sends an email again after the lease of a process that does not respond', async () => {
    mailServer.behavior = { kind: 'no response' };
    await enqueue();
    outbox.wake();
    await mailServer.arrived(1);
    // The second process has nothing to claim while the lease of the first one is valid.
    const second = open();
    await second.idle();
    expect(mailServer.messages).toHaveLength(1);
    mailServer.behavior = { kind: 'accept' };
    // The lease has expired. The first process still waits for its response.
    clock.ahead = 60_000;
    await second.idle();
    expect(mailServer.messages).toHaveLength(2);
    const handedOver = [expect.objectContaining({ status: 'handed_over', tries: 2 })];
    expect(await rows()).toEqual(handedOver);
    await outbox.idle();
    expect(await rows()).toEqual(handedOver);
  });

  it('stores the outcome of an accepted email as soon as the database permits it', async () => {
    // Rejects the first two outcomes: a rollback does not reset a sequence.
    await test.database.transaction((tx) =>
      test.database.script(
        tx,
        `create sequence private.outcomes;
         create function private.refuse_outcome() returns trigger language plpgsql as $$
         begin
           if nextval('private.outcomes') <= 2 then raise 'no outcome is stored'; end if;
           return new;
         end $$;
         create trigger refuse_outcome before update on private.deliveries
           for each row when (new.status = 'handed_over') execute function private.refuse_outcome()`,
      ),
    );
    await enqueue();
    const [{ outcome }] = await Promise.all([sendTest(outbox), outbox.idle()]);
    expect(outcome).toBe('handed_over');
    // The leases have expired.
    clock.ahead = 60_000;
    await outbox.idle();
    expect((await rows()).map(({ status, tries }) => [status, tries])).toEqual([
      ['handed_over', 1],
      ['handed_over', 1],
    ]);
    expect(mailServer.messages).toHaveLength(2);
    await test.database.query(sql`drop function private.refuse_outcome cascade`);
    await test.database.query(sql`drop sequence private.outcomes`);
  });

  it('two replicas of the service send each email once', async () => {
    const second = open();
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => enqueue({ ...recovery, to: `p${index}@example.org` })),
    );
    await Promise.all([outbox.idle(), second.idle()]);
    await outbox.idle();
    expect(mailServer.messages.map(({ to }) => to[0]).sort()).toEqual(
      Array.from({ length: 12 }, (_, index) => `p${index}@example.org`).sort(),
    );
  });

  it('stores a decoy with encrypted content, and deletes it without sending', async () => {
    await enqueue({ ...recovery, decoy: true });
    const [row] = await test.database.query<{ size: number }>(
      sql`select octet_length(sealed) as size from private.deliveries`,
    );
    expect(row?.size).toBeGreaterThan(100);
    await outbox.idle();
    expect(await rows()).toEqual([]);
    expect(mailServer.messages).toHaveLength(0);
  });

  it('does not send an email whose link has expired', async () => {
    mailServer.behavior = { kind: 'reject message', code: 451 };
    await enqueue({ ...recovery, expiresAt: new Date(Date.now() + 20_000) });
    await outbox.idle();
    mailServer.behavior = { kind: 'accept' };
    clock.ahead = 31_000;
    await outbox.idle();
    expect(mailServer.messages).toHaveLength(1);
    expect(await rows()).toEqual([
      expect.objectContaining({
        status: 'refused',
        answer: 'The link expired before the email was sent.',
      }),
    ]);
  });

  it('fails an email that was encrypted with other keys and continues with the rest', async () => {
    const otherKeys = open({}, createEncryptor(randomBytes(32)));
    await test.database.transaction((tx) => otherKeys.enqueue(tx, recovery));
    await enqueue({ ...recovery, to: 'next@example.org' });
    await outbox.idle();
    expect(mailServer.messages.map(({ to }) => to)).toEqual([['next@example.org']]);
    expect(await rows()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          status: 'refused',
          answer: 'The email was encrypted with another key.',
          dropped: true,
        }),
        expect.objectContaining({ status: 'handed_over' }),
      ]),
    );
  });

  it('a test email returns the response of the mail server', async () => {
    mailServer.behavior = { kind: 'reject recipient', code: 550 };
    expect(await sendTest(outbox)).toMatchObject({
      outcome: 'refused',
      answer: expect.stringMatching(/^550 /),
    });
    mailServer.behavior = { kind: 'accept' };
    expect(await sendTest(outbox)).toMatchObject({
      outcome: 'handed_over',
    });
  });

  it('retries after a wrong password for the mail server and never returns the password', async () => {
    const guarded = await startMailServer({ kind: 'accept' }, { password: 'right:pass' });
    const url = (password: string): string =>
      guarded.url.replace('//', `//user:${encodeURIComponent(password)}@`);
    const wrong = open({ SMTP_URL: url('wr0ng-pass') });
    await enqueue();
    await wrong.idle();
    const [row] = await rows();
    expect(row).toMatchObject({ status: 'waiting', tries: 1, answer: expect.stringMatching(/^535 /) });
    expect(JSON.stringify(row)).not.toContain('wr0ng-pass');
    clock.ahead = 31_000;
    const right = open({ SMTP_URL: url('right:pass') });
    await right.idle();
    expect(await rows()).toEqual([expect.objectContaining({ status: 'handed_over', tries: 2 })]);
    await guarded.close();
  });

  it('uses the encryption that the mail server offers, except with SMTP_TLS off', async () => {
    const offering = await startMailServer({ kind: 'accept' }, { encryption: true });
    for (const SMTP_TLS of ['required', 'optional', 'off']) {
      await sendTest(open({ SMTP_URL: offering.url, SMTP_TLS }));
    }
    expect(offering.messages.map((email) => email.encrypted)).toEqual([true, true, false]);
    await offering.close();
  });

  it('deletes finished emails after MAIL_RETENTION, and never a queued one', async () => {
    await enqueue();
    await outbox.idle();
    mailServer.behavior = { kind: 'reject message', code: 451 };
    await enqueue({ ...recovery, to: 'waiting@example.org' });
    clock.ahead = 89 * 86_400_000;
    await outbox.purge();
    expect(await rows()).toHaveLength(2);
    clock.ahead = 91 * 86_400_000;
    await outbox.purge();
    expect(await rows()).toEqual([expect.objectContaining({ status: 'waiting' })]);
  });

  it('signs with the configured DKIM key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const file = path.join(test.dataDir, 'dkim.pem');
    fs.writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const signing = open({ DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 'mail1', DKIM_KEY_FILE: file });
    await sendTest(signing);
    const email = await PostalMime.parse(mailServer.messages[0]?.raw ?? '');
    const signature = email.headers.find((header) => header.key === 'dkim-signature')?.value ?? '';
    expect(signature).toMatch(/\bd=example\.org;/);
    expect(signature).toMatch(/\bs=mail1;/);
    for (const header of ['from', 'to', 'subject', 'message-id'])
      expect(signature.toLowerCase()).toContain(header);
  });

  it('no request role can access the delivery table', async () => {
    for (const role of ['anon', 'authenticated', 'service_role']) {
      const attempt = test.database.batch([
        sql`select set_config('role', ${role}, true)`,
        sql`select * from private.deliveries`,
      ]);
      await expect(attempt).rejects.toMatchObject({ code: '42501' });
    }
  });
});
