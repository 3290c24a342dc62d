/** `lanternrock doctor` on healthy and on damaged instances. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { doctorCommand } from '../src/cli/commands/doctor.ts';
import type { Config } from '../src/config/settings.ts';
import { checkGreeting, checkSender } from '../src/doctor/email-and-site.ts';
import { runChecks } from '../src/doctor/run-checks.ts';
import type { CheckResult } from '../src/doctor/check-result.ts';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { captureOutput } from './support/command-output.ts';
import { startMailServer } from './support/mail-server.ts';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

eachEngine('lanternrock doctor', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
    await service.createUser({ isAdministrator: true });
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => service.close());

  const runDoctor = async (settings: Partial<Config> = {}): Promise<CheckResult[]> =>
    runChecks({ config: { ...service.config, ...settings }, database: service.database, now: new Date() });
  const about = (results: readonly CheckResult[], subject: string): string[] =>
    results
      .filter((result) => result.subject === subject)
      .map(({ status, message }) => `${status}: ${message}`);

  it('reports no failed check on a healthy instance and changes nothing', async () => {
    const before = await service.fingerprint();
    const files = fs.readdirSync(service.config.DATA_DIR, { recursive: true }).length;
    const results = await runDoctor();
    expect(results.filter(({ status }) => status === 'failed')).toEqual(
      // The tests run Postgres without fsync, which the doctor reports.
      engine === 'embedded' ? [] : [expect.objectContaining({ subject: 'durability' })],
    );
    expect(about(results, 'migrations')).toEqual(['ok: up to date']);
    expect(about(results, 'database user')).toEqual([]);
    expect(about(results, 'size')).toEqual(
      engine === 'embedded' ? [expect.stringMatching(/^ok: database \d+ MiB, write-ahead log \d+ MiB$/)] : [],
    );
    expect(about(results, 'administrators')).toEqual(['ok: 1 with the role platform_admin']);
    expect(about(results, 'keys')).toEqual(['ok: the signing key is 0 days old']);
    expect(about(results, 'clock')).toEqual([
      'ok: agrees with the file system of DATA_DIR',
      'ok: agrees with the database',
    ]);
    expect(about(results, 'email')).toEqual([
      'warning: SMTP_URL is not set: emails are saved in the local mailbox and are not sent',
    ]);
    for (const { status, fix } of results) expect(fix === null).toBe(status === 'ok');
    expect(await service.fingerprint()).toBe(before);
    expect(fs.readdirSync(service.config.DATA_DIR, { recursive: true }).length).toBe(files);
  });

  it('reports second factors that the current key cannot decrypt', { tags: ['REL-21'] }, async () => {
    const auth = createAuthRequester(service);
    const user = await service.createUser();
    const { access_token: bearer } = await service.signIn(user);
    await addSecondFactor(auth, bearer, () => new Date());
    expect(about(await runDoctor(), 'second factors')).toEqual(['ok: 1 authenticator app can be decrypted']);
    const other = await runDoctor({ SECRETS_KEY: randomBytes(32).toString('base64url') });
    expect(about(other, 'second factors')).toEqual([
      'failed: 1 of 1 authenticator app cannot be decrypted with this key',
    ]);
    const empty = path.join(service.config.DATA_DIR, 'elsewhere');
    if (engine === 'embedded') {
      const none = await runDoctor({ SECRETS_KEY: '', DATA_DIR: empty });
      expect(about(none, 'second factors')[0]).toMatch(/^failed: 1 of 1/);
      expect(fs.existsSync(path.join(empty, 'keys'))).toBe(false);
    }
    await service.database.query(sql`delete from auth.users where id = ${user.id}`);
  });

  it('warns of settings that are risky or misspelled, and of a greeting that mail servers reject', async () => {
    expect(about(await runDoctor({ RATE_LIMITS: true }), 'settings')).toEqual([
      'ok: this command has no risky or unknown settings',
    ]);
    vi.stubEnv('SMTP_ULR', 'smtp://x.example');
    const settings: Partial<Config> = {
      PROFILE: 'compat',
      RATE_LIMITS: false,
      TEST_OTPS: ['+41790000000=123456'],
    };
    expect(about(await runDoctor(settings), 'settings')).toEqual([
      'warning: SMTP_ULR is not a setting and has no effect. Did you mean SMTP_URL?',
      'warning: PROFILE=compat has permissive defaults, such as sign-up for anyone and no rate limits',
      'warning: rate limits are off, so passwords and codes can be guessed',
      'warning: TEST_OTPS: 1 phone number can sign in with a fixed code',
    ]);
    vi.unstubAllEnvs();
    const config = { ...service.config, SMTP_URL: 'smtp://mail.example.org' };
    const greet = (changes: Partial<typeof config>, machine: string): string => {
      const { status, message } = checkGreeting({ ...config, ...changes }, machine);
      return `${status}: ${message.replace('the service introduces itself to the mail server as ', '')}`;
    };
    expect(
      ['console', 'localhost.localdomain', 'x.local', 'db1.internal'].map((name) => greet({}, name)),
    ).toEqual(Array.from({ length: 4 }, () => 'warning: [127.0.0.1], which many mail servers reject'));
    expect(greet({}, 'host.example.org')).toBe('ok: host.example.org');
    const mailFrom = { MAIL_FROM: 'alerts@mail.example.org' };
    expect(greet(mailFrom, 'host.example.org')).toBe('ok: mail.example.org');
    expect(greet({ ...mailFrom, SITE_URL: 'https://10.1.2.3' }, 'console')).toBe('ok: mail.example.org');
    const site = { ...mailFrom, SITE_URL: 'https://console.example.org:8443' };
    expect(greet(site, 'console')).toBe('ok: console.example.org');
    expect(greet({ ...site, SMTP_EHLO_NAME: 'relay.example.org' }, 'console')).toBe('ok: relay.example.org');
    expect(checkGreeting({ ...config, SMTP_URL: 'smtp://127.0.0.1' }, 'console').status).toBe('ok');
  });

  it('prints a line per check and sets the exit code when a check failed', async () => {
    const output = captureOutput('/');
    const code = await doctorCommand.parse([]).run(service.service, output);
    expect(code).toBe(engine === 'embedded' ? 0 : 1);
    expect(output.all.at(-1)).toMatch(/^\d+ ok, \d+ warnings, [01] failed$/);
    expect(output.all.join('\n')).not.toContain(service.serviceRoleKey);
  });

  it('reports migrations that are missing, changed or from a newer version', async () => {
    const { database } = service;
    await database.query(
      sql`insert into platform.migrations (name, checksum) values ('migrations/9_new.sql', '')`,
    );
    expect(about(await runDoctor(), 'migrations')).toEqual(['failed: unknown: migrations/9_new.sql']);
    await database.query(sql`delete from platform.migrations where name = 'migrations/9_new.sql'`);
    const [row] = await database.query<{ name: string; checksum: string }>(
      sql`delete from platform.migrations where name like '%deliveries%' returning name, checksum`,
    );
    expect(about(await runDoctor(), 'migrations')).toEqual(['warning: 1 pending']);
    await database.query(
      sql`insert into platform.migrations (name, checksum) values (${row?.name}, 'other')`,
    );
    expect(about(await runDoctor(), 'migrations')[0]).toMatch(
      /^failed: changed after they were applied: .*deliveries/,
    );
    await database.query(
      sql`update platform.migrations set checksum = ${row?.checksum} where name = ${row?.name}`,
    );
    expect(about(await runDoctor(), 'migrations')).toEqual(['ok: up to date']);
  });

  it('reports a table without forced policies', { tags: ['OPS-21', 'RLS-07'] }, async () => {
    await service.database.query(sql`create table public.forgotten (id integer)`);
    expect(about(await runDoctor(), 'policies')).toEqual([
      'failed: row level security is not forced on forgotten',
    ]);
    await service.database.query(sql`drop table public.forgotten`);
    expect(about(await runDoctor(), 'policies')).toEqual([
      'ok: row level security is forced on all tables of the schema public',
    ]);
  });

  it('reports a role that bypasses row level security', { tags: ['OPS-21'] }, async () => {
    // Roles belong to the whole server, which all tests share with Postgres.
    if (engine === 'postgres') return;
    await service.database.query(sql`alter role anon bypassrls`);
    expect(about(await runDoctor(), 'roles')).toEqual(['failed: anon can bypass row level security']);
    await service.database.query(sql`alter role anon nobypassrls`);
    expect(about(await runDoctor(), 'roles')).toEqual(['ok: API roles cannot bypass row level security']);
  });

  it('reports keys that are old, unreadable or readable by others', async () => {
    const later = new Date(Date.now() + 400 * 86_400_000);
    const old = await runChecks({ config: service.config, database: service.database, now: later });
    expect(about(old, 'keys')).toEqual(['warning: the signing key is 400 days old']);
    if (engine === 'postgres') {
      const other = await runDoctor({ SECRETS_KEY: randomBytes(32).toString('base64url') });
      expect(about(other, 'keys')[0]).toMatch(/^failed: SECRETS_KEY does not match/);
      return;
    }
    const file = path.join(service.config.DATA_DIR, 'keys', 'signing-keys.json');
    fs.chmodSync(file, 0o644);
    expect(about(await runDoctor(), 'files')).toEqual([`warning: other users can read ${file}`]);
    fs.chmodSync(file, 0o620);
    expect(about(await runDoctor(), 'files')).toEqual([`warning: other users can write ${file}`]);
    fs.chmodSync(file, 0o600);
    expect(about(await runDoctor(), 'files')[0]).toMatch(/^ok/);
  });

  it('creates no missing key', async () => {
    const directory = fs.mkdtempSync(path.join(service.config.DATA_DIR, 'empty-'));
    fs.mkdirSync(path.join(directory, 'keys'));
    // A signing key without the key of the second factors, as after an incomplete move.
    fs.writeFileSync(path.join(directory, 'keys', 'signing-keys.json'), '[]');
    await runDoctor({
      DATA_DIR: directory,
      SECRETS_KEY: engine === 'embedded' ? '' : service.config.SECRETS_KEY,
    });
    expect(fs.readdirSync(directory, { recursive: true })).toEqual(['keys', 'keys/signing-keys.json']);
    fs.rmSync(directory, { recursive: true });
  });

  it('reports clock differences', { tags: ['REL-10'] }, async () => {
    const { now } = Date;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
    expect(about(await runDoctor(), 'clock')[0]).toMatch(
      /^warning: the file system of DATA_DIR differs from this machine by 10 s/,
    );
    clock.mockImplementation(() => now() + 70_000);
    const wrong = about(await runDoctor(), 'clock');
    expect(wrong[0]).toMatch(/^warning: the file system of DATA_DIR differs from this machine by 70 s/);
    if (engine === 'postgres')
      expect(wrong[1]).toMatch(/^warning: the database differs from this machine by 70 s/);
  });

  it('connects to the mail server and reports its errors', async () => {
    const server = await startMailServer({ kind: 'accept' }, { password: 'right' });
    const withUser = (password: string): string => server.url.replace('//', `//robin:${password}@`);
    expect(about(await runDoctor({ SMTP_URL: withUser('right') }), 'email')[0]).toMatch(
      /^ok: 127.0.0.1 accepts/,
    );
    const rejected = about(await runDoctor({ SMTP_URL: withUser('wrong') }), 'email')[0];
    expect(rejected).toMatch(/^failed: the mail server reported an error: Invalid login/);
    expect(rejected).not.toContain('wrong');
    expect(server.messages).toEqual([]);
    await server.close();
    expect(about(await runDoctor({ SMTP_URL: server.url }), 'email')[0]).toMatch(/^failed: .*ECONNREFUSED/);
    expect(about(await runDoctor({ SITE_URL: 'https://a.example' }), 'email')[0]).toMatch(
      /^warning: SMTP_URL is not set/,
    );
  });

  it('reports an undeliverable sender address and email links to localhost', async () => {
    const server = await startMailServer({ kind: 'accept' });
    const settings = { SMTP_URL: server.url };
    expect(about(await runDoctor(settings), 'sender')).toEqual([
      'warning: emails are sent from no-reply@localhost.localdomain, which most mail servers reject',
    ]);
    expect(about(await runDoctor(settings), 'site URL')[1]).toMatch(
      /^warning: email links point to localhost/,
    );
    expect(about(await runDoctor({ ...settings, MAIL_FROM: 'desk@example.org' }), 'sender')).toEqual([
      'ok: desk@example.org; security notices: desk@example.org',
    ]);
    const saved = { name: 'Rescue', address: 'rescue@example.org' };
    expect(checkSender(saved, { ...service.config, ...settings })).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('security notices are sent from rescue@example.org, too'),
    });
    await server.close();
    expect(about(await runDoctor(), 'sender')).toEqual([]);
    expect(about(await runDoctor(), 'site URL')).toHaveLength(1);
  });

  it('reports a URL without encryption and an untrusted proxy', async () => {
    expect(about(await runDoctor({ SITE_URL: 'http://console.example.org' }), 'site URL')[0]).toMatch(
      /^failed/,
    );
    const behind = await runDoctor({ SITE_URL: 'https://console.example.org' });
    expect(about(behind, 'site URL')).toEqual(['ok: https://console.example.org']);
    expect(about(behind, 'proxy')[0]).toMatch(/^warning: no proxy is trusted/);
    expect(about(await runDoctor({ HOST: '0.0.0.0' }), 'proxy')[0]).toMatch(/^warning: HOST=0.0.0.0/);
    expect(about(await runDoctor({ HOST: '::1' }), 'proxy')).toEqual([]);
  });

  it('continues when the database does not open', async () => {
    const results = await runChecks({
      config: service.config,
      database: { error: 'it does not respond' },
      now: new Date(),
    });
    expect(about(results, 'database')).toEqual(['failed: it does not respond']);
    expect(about(results, 'email')).toHaveLength(1);
  });
});
