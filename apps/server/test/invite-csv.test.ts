/** `invite --csv` with a whole list, repeated runs, email errors and email quotas. */
import fs from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { UsageError } from '../src/cli/usage-error.ts';
import { inviteCommand } from '../src/cli/commands/invite.ts';
import { removeAdministrator } from '../src/administrators/administrators.ts';
import { captureOutput } from './support/command-output.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';
import { asService } from '../src/administrators/email-action.ts';

const head = 'email,name\n';

eachEngine('invite --csv', (engine) => {
  let mailServer: MailServer;
  let service: TestService;
  beforeAll(async () => {
    mailServer = await startMailServer();
    service = await startTestService(engine, { settings: { SMTP_URL: mailServer.url, MAILS_PER_HOUR: '8' } });
    await service.createUser({ isAdministrator: true, email: 'administrator@example.org' });
  });
  afterAll(async () => {
    await service.close();
    await mailServer.close();
  });
  beforeEach(async () => {
    mailServer.behavior = { kind: 'accept' };
    mailServer.messages.length = 0;
    await service.database.query(sql`delete from private.deliveries`);
    await service.database.query(sql`delete from private.invitations`);
    await service.database.query(sql`delete from auth.users where email <> 'administrator@example.org'`);
  });

  interface RunResult {
    readonly code: number;
    /** Returns `line N: message` of each row. */
    readonly rows: readonly string[];
    readonly last: string;
    readonly problems: readonly string[];
    readonly all: string;
  }

  const run = async (csv: string, flags: string[] = [], stopAfter = Infinity): Promise<RunResult> => {
    fs.writeFileSync(path.join(service.config.DATA_DIR, 'invitees.csv'), csv);
    const output = captureOutput(service.config.DATA_DIR, stopAfter);
    const code = await inviteCommand.parse(['--csv', 'invitees.csv', ...flags]).run(service.service, output);
    const { lines, problems } = output;
    const rows = lines.flatMap((line) => {
      const found = /^line (\d+) +\S+ +(.+)$/.exec(line);
      return found ? [`${found[1]}: ${found[2]}`] : [];
    });
    return { code, rows, last: lines.at(-1) ?? '', problems, all: [...lines, ...problems].join('\n') };
  };
  /** Emails except the notices to the administrator, who hears of each invitation. */
  const invitations = () => mailServer.messages.filter(({ to }) => !to.includes('administrator@example.org'));
  const recipients = (): string[] => invitations().flatMap(({ to }) => to);
  const anHourLater = () =>
    service.database.query(
      sql`update private.deliveries set attempted_at = attempted_at - interval '61 minutes'`,
    );
  const list = (count: number): string =>
    head + Array.from({ length: count }, (_, index) => `p${index}@example.org,Person ${index}\n`).join('');

  it('reads one address in every form in which lists contain it', async () => {
    const rows = [
      'a@groß.example',
      'a@groß\u200b.example',
      'A@xn--gro-7ka.example',
      'mailto:b@例え.jp',
      'b@xn--r8jz45g.jp',
    ];
    const { rows: results } = await run(head + rows.map((email) => `${email},Ann Lee\n`).join(''));
    expect(results).toEqual([
      '2: invited',
      '3: repeats line 2',
      '4: repeats line 2',
      '5: invalid: Invalid email address: remove "mailto:"',
      '6: invited',
    ]);
    // The mail server of the tests shows names of domains in Unicode.
    expect(recipients()).toEqual(['a@groß.example', 'b@例え.jp']);
  });

  it('takes a text like a formula as text, as the form does, and as no email address', async () => {
    const csv = `${head}=1+1@example.org,Ann Lee\n=1+1,Ann Lee\nbo@example.org,=1+1\n`;
    expect((await run(csv)).rows).toEqual(['2: invited', '3: invalid: Invalid email address', '4: invited']);
    const stored = await service.database.query(
      sql`select email, full_name from private.invitations order by email`,
    );
    expect(stored).toEqual([
      { email: '=1+1@example.org', full_name: 'Ann Lee' },
      { email: 'bo@example.org', full_name: '=1+1' },
    ]);
  });

  it('reports the result of each row, and invites no user twice when it runs again', async () => {
    const csv = `${head}ann@example.org,Ann Lee\n Ann@Example.ORG ,Ann again\nunknown,Bo Ek\nadministrator@example.org,The Administrator\nx@example.org,X\nbo@example.org,"Ek, Bo"\n`;
    const first = await run(csv);
    expect(first.rows).toEqual([
      '2: invited',
      '3: repeats line 2',
      '4: invalid: Invalid email address',
      '5: already an administrator',
      '6: invalid: Full name must be at least 2 characters',
      '7: invited',
    ]);
    expect(first.last).toBe('Done: 2 invited, 1 already an administrator, 1 repeated, 2 invalid.');
    expect(first.code).toBe(1);
    expect(recipients()).toEqual(['ann@example.org', 'bo@example.org']);
    const before = await service.fingerprint();
    const second = await run(csv);
    expect(second.rows.slice(0, 2)).toEqual(['2: pending, no further email', '3: repeats line 2']);
    expect(second.last).toBe('Done: 2 pending, 1 already an administrator, 1 repeated, 2 invalid.');
    expect(invitations()).toHaveLength(2);
    expect(await service.fingerprint()).toBe(before);
  });

  it('--dry-run reports the same and changes nothing', async () => {
    const before = await service.fingerprint();
    const result = await run(list(7), ['--dry-run']);
    expect(result.all).toContain(
      '7 rows, 7 to invite. The email quota (MAILS_PER_HOUR=8) allows 6 emails now.',
    );
    expect(result.rows).toHaveLength(7);
    expect(result.last).toBe('Dry run, nothing was changed: 7 invited.');
    expect(result.code).toBe(0);
    expect(mailServer.messages).toEqual([]);
    expect(await service.fingerprint()).toBe(before);
  });

  it('respects the email quota, reports when it continues, and continues there', async () => {
    // Their notices of the invitations use none of the six emails that the command allows.
    for (const name of ['bo', 'cy', 'di'])
      await service.createUser({ isAdministrator: true, email: `${name}@administrators.example` });
    const first = await run(list(8));
    expect(first.rows.slice(5)).toEqual(['7: invited', '8: not sent (see below)', '9: not sent (see below)']);
    expect(first.last).toBe('Done: 6 invited, 2 not sent.');
    expect(first.problems).toEqual([
      expect.stringMatching(
        /^The email quota \(MAILS_PER_HOUR\) is reached\. The next email can be sent at \d{4}-\d\d-\d\dT[\d:.]+Z\. Run the same command again to continue\.$/,
      ),
    ]);
    expect(first.code).toBe(1);
    const records = await service.database.query(sql`select from private.invitations`);
    expect(records).toHaveLength(6);
    await anHourLater();
    const second = await run(list(8));
    expect(second.last).toBe('Done: 2 invited, 6 pending.');
    expect(second.code).toBe(0);
    expect(recipients().filter((to) => /^p[67]@/.test(to))).toEqual(['p6@example.org', 'p7@example.org']);
  });

  it('resends only rejected emails', async () => {
    mailServer.behavior = { kind: 'reject recipient', code: 550 };
    const first = await run(list(1));
    expect(first.rows).toEqual([expect.stringMatching(/^2: invited, email not sent: .*550/)]);
    expect(first.code).toBe(1);
    mailServer.behavior = { kind: 'accept' };
    const second = await run(list(2));
    expect(second.rows).toEqual(['2: invited again', '3: invited']);
    expect(second.code).toBe(0);
  });

  it('invites again after expiry', async () => {
    await run(list(1));
    await service.database.query(
      sql`update private.invitations set expires_at = now() - interval '1 minute'`,
    );
    expect((await run(list(1))).rows).toEqual(['2: invited again']);
    expect(invitations()).toHaveLength(2);
  });

  it('goes on while the mail server is unavailable: tries three emails and queues the rest', async () => {
    mailServer.behavior = { kind: 'reject message', code: 451 };
    const result = await run(list(5));
    expect(result.last).toBe('Done: 5 queued.');
    expect(result.rows.slice(2)).toEqual([
      expect.stringMatching(/^4: invited, email queued: 451 /),
      '5: invited, email queued',
      '6: invited, email queued',
    ]);
    expect(result.problems).toEqual([]);
    expect(result.code).toBe(0);
    expect(await service.database.query(sql`select from private.invitations`)).toHaveLength(5);
    expect((await run(list(5))).last).toBe('Done: 5 pending.');
    await service.service.outbox.idle();
    mailServer.behavior = { kind: 'accept' };
    mailServer.messages.length = 0;
    await anHourLater();
    // A second ago, because the clock of the worker has milliseconds and the column microseconds.
    await service.database.query(
      sql`update private.deliveries set due_at = now() - interval '1 second' where status = 'waiting'`,
    );
    await service.service.outbox.idle();
    expect(invitations()).toHaveLength(5);
  });

  it('reverts no revocation, removal or ban', async () => {
    await run(list(3));
    await service.service.invitations.revoke({ email: 'p0@example.org', authorize: asService });
    const second = await service.database.query<{ id: string }>(
      sql`update auth.users set encrypted_password = 'x', raw_app_meta_data = '{}' where email = 'p1@example.org' returning id`,
    );
    await service.database.query(sql`select private.accept_invitation(${second[0]?.id ?? ''})`);
    await removeAdministrator(service.database, { email: 'p1@example.org', authorize: asService });
    await service.database.query(
      sql`update auth.users set banned_until = 'infinity' where email = 'p2@example.org'`,
    );
    const before = await service.fingerprint();
    const result = await run(list(3));
    expect(result.rows).toEqual([
      '2: not invited: revoked invitation',
      '3: not invited: removed administrator',
      '4: not invited: banned user',
    ]);
    expect(result.code).toBe(1);
    expect(await service.fingerprint()).toBe(before);
  });

  it('two concurrent runs email every user once', async () => {
    const runs = await Promise.all([run(list(5)), run(list(5))]);
    expect(recipients().sort()).toEqual(Array.from({ length: 5 }, (_, index) => `p${index}@example.org`));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  });

  it('stops when the output is closed', async () => {
    const result = await run(list(5), [], 2);
    expect(recipients()).toEqual(['p0@example.org', 'p1@example.org']);
    expect(result.problems[0]).toMatch(/^The command was interrupted\./);
  });

  it('takes note and expiry from the file, names the inviter of --as, and reports invalid ones', async () => {
    const csv =
      'expires;note;email;full_name\n' +
      '3d;"Line one\n- line two";ann@example.org;Ann Lee\n' +
      ';;bo@example.org;Bo Ek\n' +
      'tomorrow;;cy@example.org;Cy Orr\n' +
      `;${'n'.repeat(501)};di@example.org;Di Fox\n` +
      '2000-01-01T00:00Z;;ed@example.org;Ed Ash\n';
    const result = await run(csv, ['--as', 'Administrator@example.org']);
    expect(result.rows).toEqual([
      '2: invited',
      '4: invited',
      '5: invalid: Expiry must be a duration such as 12h or 3d, or a time such as 2026-12-01T18:00Z',
      '6: invalid: The note must be at most 500 characters',
      '7: invalid: Choose an expiry between 1 hour and 30 days from now',
    ]);
    const [toAnn, toBo] = await Promise.all(
      invitations().map(async ({ raw }) => (await PostalMime.parse(raw)).text?.replaceAll('\u2060', '')),
    );
    expect(toAnn).toContain('Note from Test Person:\n> Line one\n> - line two\n');
    expect(toBo).toContain('Test Person has invited you to Lanternrock');
    expect(toBo).not.toContain('Note from');
    const stored = await service.database.query(
      sql`select i.email, i.note, extract(epoch from i.expires_at - i.invited_at)::int / 86400 as days, d.inviter_kind, d.inviter
          from private.invitations i join private.deliveries d on d.invitation_id = i.id order by i.email`,
    );
    const inviter = { inviter_kind: 'command_line', inviter: 'Test Person' };
    expect(stored).toEqual([
      { email: 'ann@example.org', note: 'Line one\n- line two', days: 3, ...inviter },
      { email: 'bo@example.org', note: null, days: 7, ...inviter },
    ]);
  });

  it('invites one user with a note and an expiry, and keeps them when they are not given', async () => {
    const invite = (...args: string[]) =>
      inviteCommand
        .parse(['ann@example.org', '--name', 'Ann Lee', ...args])
        .run(service.service, captureOutput(service.config.DATA_DIR));
    const stored = async () =>
      (await service.database.query(sql`select note, term_seconds from private.invitations`))[0];
    expect(await invite('--note', 'Welcome', '--expires', '12h')).toBe(0);
    expect(await invite()).toBe(0);
    expect(await stored()).toEqual({ note: 'Welcome', term_seconds: 43_200 });
    expect(invitations()).toHaveLength(2);
    for (const { raw } of invitations())
      expect((await PostalMime.parse(raw)).text).toContain('Note:\n> Welcome\n');
    const before = await service.fingerprint();
    for (const args of [
      ['--expires', '31d'],
      ['--expires', 'soon'],
      ['--note', 'a'.repeat(501)],
      ['--as', 'nobody@example.org'],
    ])
      await expect(invite(...args)).rejects.toThrow(UsageError);
    expect(await service.fingerprint()).toBe(before);
  });

  it('an administrator whose role has ended is invited again', async () => {
    await run(list(1));
    const [user] = await service.database.query<{ id: string }>(
      sql`update auth.users set encrypted_password = 'x', raw_app_meta_data = '{}' where email = 'p0@example.org' returning id`,
    );
    await service.database.query(sql`select private.accept_invitation(${user?.id ?? ''})`);
    expect((await run(list(1))).rows).toEqual(['2: already an administrator']);
    await service.database.query(
      sql`update public.user_roles set ends_at = now() - interval '1 minute' where user_id = ${user?.id ?? ''}`,
    );
    expect((await run(list(1))).rows).toEqual(['2: invited again']);
  });

  it.each<[string, string, string[]]>([
    ['a note in addition to the file', `${head}ann@example.org,Ann Lee\n`, ['--note', 'x']],
    ['an invalid file', `${head}ann@example.org,Ann Lee\nbo@example.org,"Bo`, []],
    ['a name in addition to the file', `${head}ann@example.org,Ann Lee\n`, ['--name', 'Ann']],
    ['an email address in addition to the file', `${head}ann@example.org,Ann Lee\n`, ['ann@example.org']],
  ])('%s is rejected and changes nothing', async (_name, csv, more) => {
    const before = await service.fingerprint();
    await expect(run(csv, more)).rejects.toThrow(UsageError);
    expect(mailServer.messages).toEqual([]);
    expect(await service.fingerprint()).toBe(before);
  });
});
