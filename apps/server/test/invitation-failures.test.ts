/** Invitations when the mail server, the email quota or the record of a user is broken. */
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import {
  invitationTables,
  openInvitationFixture,
  openEmailFixture,
  type EmailFixture,
} from './support/invitation-fixture.ts';
import type { MailServerBehavior } from './support/mail-server.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

interface RawServer {
  readonly url: string;
  close(): void;
}

/** A TCP server without a protocol: accepts connections and runs `talk` for each. */
async function startRaw(onConnection: (socket: net.Socket) => void): Promise<RawServer> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends often enough for a socket timeout, and never finishes. */
function trickle(socket: net.Socket): void {
  socket.write('220 slow\r\n');
  socket.once('data', () => {
    const timer = setInterval(() => socket.write('250-wait\r\n'), 50);
    socket.once('close', () => clearInterval(timer));
  });
}

eachEngine('invitations with email errors', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine, { settings: { MAILS_PER_HOUR: '7' }, sendTimeoutMs: 5000 });
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const deliveries = (): Promise<Record<string, unknown>[]> =>
    fixture.database.query(
      sql`select status, answer, sealed is null as dropped, tries, attended from private.deliveries order by created_at`,
    );

  it.each([
    ['550 at the recipient', { kind: 'reject recipient', code: 550 }, /550/],
    ['553 at the sender', { kind: 'reject sender', code: 553 }, /553/],
    ['554 instead of a greeting', { kind: 'reject connection', code: 554 }, /554/],
    ['554 after the message', { kind: 'reject message', code: 554 }, /554/],
  ] as [string, MailServerBehavior, RegExp][])(
    '%s is final: success false, a record, no retry, and a resend succeeds',
    { tags: ['FN-11', 'REL-08', 'C286', 'X13'] },
    async (_name, behavior, message) => {
      fixture.mailServer.behavior = behavior;
      const response = await fixture.call(ann, fixture.admin);
      expect(response.status).toBe(200);
      const body = (await response.json()) as Record<string, unknown>;
      expect(body).toEqual({
        success: false,
        invitation_id: expect.any(String),
        expires_at: expect.any(String),
        reason: expect.stringMatching(message),
      });
      expect(await deliveries()).toEqual([
        {
          status: 'refused',
          answer: expect.stringMatching(message),
          dropped: true,
          tries: 1,
          attended: true,
        },
      ]);
      const before = fixture.mailServer.messages.length;
      fixture.mailServer.behavior = { kind: 'accept' };
      fixture.clock.ahead = 3_600_000;
      await fixture.outbox.idle();
      fixture.clock.ahead = 0;
      expect(fixture.mailServer.messages).toHaveLength(before);
      const resend = await fixture.call(ann, fixture.admin);
      expect(await resend.json()).toMatchObject({ success: true, invitation_id: body['invitation_id'] });
      expect(fixture.mailServer.messages).toHaveLength(before + 1);
    },
  );

  it.each([
    ['421 instead of a greeting', { kind: 'reject connection', code: 421 }, /421/],
    ['452 at the sender', { kind: 'reject sender', code: 452 }, /452/],
    ['450 at the recipient', { kind: 'reject recipient', code: 450 }, /450/],
    ['451 after the message', { kind: 'reject message', code: 451 }, /451/],
    ['silence after the message', { kind: 'no response' }, /did not respond within/],
    ['a closed connection after the message', { kind: 'disconnect' }, /connection/i],
  ] as [string, MailServerBehavior, RegExp][])(
    '%s is temporary: success false with the time of the next try, and then the email arrives',
    { tags: ['REL-08'] },
    async (_name, behavior, message) => {
      fixture.mailServer.behavior = behavior;
      const body = (await (await fixture.call(ann, fixture.admin)).json()) as Record<string, string>;
      expect(body).toEqual({
        success: false,
        invitation_id: expect.any(String),
        expires_at: expect.any(String),
        reason: expect.stringMatching(message),
        retry_at: expect.any(String),
      });
      expect(await deliveries()).toEqual([
        {
          status: 'waiting',
          answer: expect.stringMatching(message),
          dropped: false,
          tries: 1,
          attended: false,
        },
      ]);
      const read = await fixture.call(
        { invitation_id: body['invitation_id'] },
        fixture.admin,
        undefined,
        'invitation-history',
      );
      expect(await read.json()).toMatchObject({
        mails: [{ status: 'waiting', next_attempt_at: body['retry_at'] }],
        link_allowed: true,
      });
      fixture.mailServer.messages.length = 0;
      fixture.mailServer.behavior = { kind: 'accept' };
      fixture.clock.ahead = 31_000;
      await fixture.outbox.idle();
      expect(fixture.mailServer.messages).toHaveLength(1);
      expect(await deliveries()).toMatchObject([{ status: 'handed_over', tries: 2, dropped: true }]);
      const [record] = await fixture.database.query(sql`select status, send_count from private.invitations`);
      expect(record).toEqual({ status: 'pending', send_count: 1 });
    },
  );

  it(
    'holds no transaction or connection while the mail server does not respond',
    { tags: ['REL-08'] },
    async () => {
      fixture.mailServer.behavior = { kind: 'no response' };
      const call = fixture.call(ann, fixture.admin);
      await fixture.mailServer.arrived(1);
      // With the single connection of the embedded engine, this would otherwise wait forever.
      expect(await fixture.database.query(sql`select status from private.invitations`)).toEqual([
        { status: 'pending' },
      ]);
      expect(await (await call).json()).toMatchObject({ success: false });
    },
  );

  it('reports the email limit and when it ends, and changes nothing', { tags: ['FN-07'] }, async () => {
    // One each is reserved for recoveries of administrators and for notices.
    for (let index = 0; index < 5; index += 1) {
      expect((await fixture.call({ ...ann, email: `p${index}@example.org` }, fixture.admin)).status).toBe(
        200,
      );
    }
    const before = await invitationTables(fixture.database);
    const rejected = await fixture.call(ann, fixture.admin);
    expect(rejected.status).toBe(429);
    const body = (await rejected.json()) as { error: string; retry_after: number };
    expect(body).toMatchObject({ code: 'over_email_send_rate_limit' });
    expect(body.error).toMatch(
      /^The limit of 7 emails per hour allows no more emails of this kind now; the rest is reserved for other kinds\. Try again in \d+ minutes\.$/,
    );
    expect(rejected.headers.get('Retry-After')).toBe(String(body.retry_after));
    expect(await invitationTables(fixture.database)).toBe(before);
    fixture.clock.ahead = body.retry_after * 1000;
    expect((await fixture.call(ann, fixture.admin)).status).toBe(200);
  });

  it(
    'reports a mail server without a greeting, without a final response, or without a listener',
    { tags: ['REL-08'], timeout: 120_000 },
    async () => {
      const [silent, slow, closing] = await Promise.all([
        startRaw(() => {}),
        startRaw(trickle),
        startRaw(() => {}),
      ]);
      closing.close();
      for (const [url, message] of [
        [silent.url, /did not respond/],
        [slow.url, /did not respond/],
        [closing.url, /ECONNREFUSED/],
      ] as const) {
        const other = await openInvitationFixture(engine, {
          settings: { SMTP_URL: url },
          sendTimeoutMs: 800,
        });
        const token = await other.createUser({ administrator: true });
        const response = await other.call(ann, token);
        expect(await response.json()).toMatchObject({
          success: false,
          reason: expect.stringMatching(message),
          retry_at: expect.any(String),
        });
        await other.close();
      }
      silent.close();
      slow.close();
    },
  );

  it('reports an email whose sender process was killed as such later, and the resend succeeds', async () => {
    await fixture.call(ann, fixture.admin);
    await fixture.database.query(
      sql`update private.deliveries set status = 'waiting', sealed = '\\x00', finished_at = null,
            lease_until = now() + interval '30 seconds'`,
    );
    fixture.clock.ahead = 40_000;
    await fixture.outbox.idle();
    expect(await deliveries()).toEqual([
      {
        status: 'timed_out',
        answer: 'The service stopped before the mail server responded.',
        dropped: true,
        tries: 1,
        attended: true,
      },
    ]);
    expect(fixture.mailServer.messages).toHaveLength(1);
    expect(await (await fixture.call(ann, fixture.admin)).json()).toMatchObject({ success: true });
  });

  it('shares the result of an email that another replica is sending', async () => {
    await fixture.call(ann, fixture.admin);
    await fixture.database.query(
      sql`update private.deliveries set status = 'waiting', finished_at = null, lease_until = now() + interval '30 seconds'`,
    );
    const call = fixture.call(ann, fixture.admin);
    // Long enough for the call to arrive. If it is too short, the email ends after the call arrived, which passes
    // too.
    await sleep(300);
    await fixture.database.query(
      sql`update private.deliveries set status = 'handed_over', finished_at = now() + interval '1 minute'`,
    );
    expect(await (await call).json()).toMatchObject({ success: true });
    expect(fixture.mailServer.messages).toHaveLength(1);
  });

  it('reports an email that another request is still sending as neither sent nor failed', async () => {
    await fixture.call(ann, fixture.admin);
    await fixture.database.query(
      sql`update private.deliveries set status = 'waiting', finished_at = null, answer = null,
            lease_until = now() + interval '60 seconds'`,
    );
    const list = { invitations: [{ ...ann, again: true }] };
    const [single, listed] = await Promise.all([
      fixture.call(ann, fixture.admin),
      fixture.call(list, fixture.admin, undefined, 'invite-list'),
    ]);
    expect(await single.json()).toEqual({
      success: false,
      invitation_id: expect.any(String),
      expires_at: expect.any(String),
      delivery: 'sending',
    });
    expect(await listed.json()).toEqual({
      results: [{ outcome: 'queued', reason: 'Another request is sending this email.' }],
      stopped: null,
    });
    expect(fixture.mailServer.messages).toHaveLength(1);
  });

  it(
    'repairs a user without record, identity or profile, and a record without user',
    { tags: ['FN-17'] },
    async () => {
      await fixture.call(ann, fixture.admin);
      await fixture.database.query(sql`delete from private.invitations`);
      await fixture.database.query(sql`delete from auth.identities`);
      await fixture.database.query(sql`delete from public.profiles`);
      expect(await (await fixture.call(ann, fixture.admin)).json()).toMatchObject({ success: true });
      await fixture.database.query(sql`delete from auth.users where email = ${ann.email}`);
      expect(await (await fixture.call(ann, fixture.admin)).json()).toMatchObject({ success: true });
      const [row] = await fixture.database.query(
        sql`select count(*)::int as whole from private.invitations v join auth.users u on u.id = v.user_id
          join auth.identities i on i.user_id = u.id join public.profiles p on p.id = u.id where p.full_name = 'Ann Lee'`,
      );
      expect(row).toEqual({ whole: 1 });
    },
  );

  it('sends the test email to the calling administrator and returns the response of the mail server', async () => {
    const test = async (as: string): Promise<unknown[]> => {
      const response = await fixture.call({}, as, undefined, 'send-test-mail');
      return [response.status, await response.json()];
    };
    expect(await test(fixture.admin)).toEqual([
      200,
      { success: true, kept: false, to: 'administrator@example.org', answer: expect.stringMatching(/^250 /) },
    ]);
    expect(fixture.mailServer.messages.map(({ to }) => to)).toEqual([['administrator@example.org']]);
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    for (let index = 0; index < 2; index += 1)
      expect(await test(fixture.admin)).toEqual([
        200,
        expect.objectContaining({ success: false, retry_at: expect.any(String) }),
      ]);
    expect((await deliveries()).map(({ status }) => status)).toEqual(['handed_over', 'refused', 'waiting']);
    await fixture.database.query(sql`delete from private.deliveries`);
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 550 };
    expect(await test(fixture.admin)).toEqual([
      200,
      {
        success: false,
        kept: false,
        to: 'administrator@example.org',
        answer: expect.stringMatching(/^550 /),
      },
    ]);
    const before = await invitationTables(fixture.database);
    expect(await test(await fixture.createUser({ email: 'a-member@example.org' }))).toEqual([
      403,
      expect.objectContaining({ code: 'not_platform_admin' }),
    ]);
    await fixture.database.query(sql`delete from auth.users where email = 'a-member@example.org'`);
    expect(await invitationTables(fixture.database)).toBe(before);
  });

  it('logs no link, token, email address or body', { tags: ['FN-14'] }, async () => {
    await fixture.call(ann, fixture.admin);
    fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
    await fixture.call(ann, fixture.admin);
    const token =
      /token_hash=3D([\w-]+)/.exec(fixture.mailServer.messages[0]?.raw.replace(/=\r?\n/g, '') ?? '')?.[1] ??
      '';
    expect(token).toHaveLength(43);
    expect(fixture.logged()).toContain('"kind":"invitation"');
    for (const secret of [
      token,
      token.slice(0, 20),
      'token_hash',
      'Set your password',
      'ann@example.org',
      'Ann Lee',
    ]) {
      expect(fixture.logged()).not.toContain(secret);
    }
  });
});
