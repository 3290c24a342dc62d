/** Abuse of invitations against others: hostile input in emails, email floods, connections to other hosts. */
import fs from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { toMailboxDirectory } from '../src/mail/mailbox.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { openInvitationFixture, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

const hostileNames = [
  '<a href=//evil.example>click</a>',
  '</td><style>*{display:none}</style>',
  '<img src=x onerror=alert(1)>',
  '{{.ConfirmationURL}}',
  '"onmouseover="alert(1)',
  '=?utf-8?q?Bcc:=20e@x.co?=',
  'Account locked, call +1 900 555 0100',
  'a..b . c',
  '👩‍🚒 Bo',
  '&lt;b&gt;&#10;',
];

/** Names that rows inserted by SQL can contain. The form rejects some of them. */
const hostileSenders = [
  'Ops\r\nBcc: e@x.co',
  '"Quoted" \\ <e@x.co>',
  'Team 🚑, e@x.co;',
  '=?utf-8?q?=0D=0ABcc:_e@x.co?=',
  '<script>alert(1)</script>',
  'x'.repeat(100),
];

eachEngine('abuse of invitations', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine);
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  /** Expects one message to one recipient with the headers of the service, one link, and valid line ends. */
  const expectValidMessage = async (): Promise<void> => {
    expect(fixture.mailServer.messages).toHaveLength(1);
    const [{ raw, to } = { raw: '', to: [] }] = fixture.mailServer.messages;
    expect(to).toEqual([ann.email]);
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const email = await PostalMime.parse(raw);
    expect(email.headers.map(({ key }) => key).sort()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ]);
    expect([email.to, email.cc, email.bcc]).toEqual([
      [{ address: ann.email, name: '' }],
      undefined,
      undefined,
    ]);
    expect(email.subject).toBe('You have been invited to Lanternrock');
    // Without tags, user input remains as text.
    const tags = (email.html ?? '').match(/<[a-z!/][^>]*>/gi)?.join('\n') ?? '';
    expect(tags.match(/href=/gi)).toHaveLength(1);
    expect(tags).toContain('href="https://console.example.org/auth/callback?');
    expect(tags).not.toMatch(/<(script|img|iframe|form|link|base|object)|\son\w+=|src=/i);
    expect(tags.match(/<style>/g)).toHaveLength(2);
    expect(email.text?.match(/https?:\/\//g)).toHaveLength(1);
  };

  it.each(hostileNames)(
    'sends a clean raw email to %j',
    { tags: ['FN-03', 'FN-05', 'FN-08', 'FN-13'] },
    async (full_name) => {
      expect((await fixture.call({ ...ann, full_name }, fixture.admin)).status).toBe(200);
      await expectValidMessage();
    },
  );

  it.each(hostileSenders)(
    'sends a clean raw email from %j',
    { tags: ['FN-05', 'FN-12', 'FN-13'] },
    async (name) => {
      // A check constraint of the table rejects control characters. An email must not depend on it.
      await fixture.database
        .query(
          sql`insert into public.notification_settings (sender_email, sender_name) values ('ops@example.org', ${name})`,
        )
        .catch(() => []);
      expect((await fixture.call(ann, fixture.admin)).status).toBe(200);
      await expectValidMessage();
    },
  );

  it(
    'limits emails to one address across two administrators to the rate of one',
    { tags: ['FN-07'] },
    async () => {
      const other = await fixture.createUser({ administrator: true, email: 'other@example.org' });
      const statuses: number[] = [];
      for (let call = 0; call < 10; call += 1) {
        fixture.clock.ahead = call * 6000;
        statuses.push((await fixture.call(ann, call % 2 === 0 ? fixture.admin : other)).status);
      }
      // The first, the free resend, and one after the cooldown of 30 s.
      expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 200, 429, 429, 429]);
      const toAnn = fixture.mailServer.messages.filter(({ to }) => to.includes(ann.email));
      expect(toAnn).toHaveLength(3);
    },
  );

  it('connects only to the mail server for any input', { tags: ['FN-06'] }, async () => {
    let connections = 0;
    const trapServer = net.createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trapServer.listen(0, '127.0.0.1', resolve));
    const trapAddress = `127.0.0.1:${(trapServer.address() as AddressInfo).port}`;
    const url = `http://${trapAddress}/x`;
    const bodies = [
      { ...ann, redirect_to: url, smtp_url: `smtp://${trapAddress}`, avatar_url: url, webhook: url },
      { ...ann, email: 'bo@example.org', full_name: `Bo ${trapAddress}` },
      { ...ann, full_name: url },
      { ...ann, email: `ann@${trapAddress}` },
      { ...ann, email: `ann@[127.0.0.1]` },
      { ...ann, email: url },
    ];
    for (const body of bodies) {
      const { status } = await fixture.call(body, fixture.admin, {
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${fixture.admin}`,
          Host: trapAddress,
          Origin: `http://${trapAddress}`,
          Referer: url,
          'X-Forwarded-Host': trapAddress,
        },
      });
      expect([200, 400]).toContain(status);
    }
    await new Promise<void>((resolve) => trapServer.close(() => resolve()));
    expect(connections).toBe(0);
    expect(fixture.mailServer.messages.length).toBeGreaterThan(0);
    for (const { raw } of fixture.mailServer.messages) expect(raw).not.toContain(url);
  });

  it(
    'saves the email in the local mailbox without a mail server and logs this once',
    { tags: ['FN-16'] },
    async () => {
      const unsent = await openInvitationFixture(engine);
      const callerToken = await unsent.createUser({ administrator: true });
      for (const email of ['ann@example.org', 'bo@example.org']) {
        expect(await (await unsent.call({ ...ann, email }, callerToken)).json()).toMatchObject({
          success: true,
        });
      }
      expect(fs.readdirSync(toMailboxDirectory(unsent.config))).toHaveLength(2);
      expect(unsent.logged().match(/SMTP_URL is not set/g)).toHaveLength(1);
      await unsent.close();
    },
  );
});
