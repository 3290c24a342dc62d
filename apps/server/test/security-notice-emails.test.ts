/** Security notices as they arrive: time, device, network and what to do, for the API, the secret key and commands. */
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { adminsCommand } from '../src/cli/commands/admins.ts';
import { captureOutput } from './support/command-output.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0';
const fromHarbor = { 'User-Agent': firefox, 'X-Forwarded-For': '203.0.113.77' };

eachEngine('emails of security notices', (engine) => {
  let mailServer: MailServer;
  let test: TestService;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  beforeAll(async () => {
    mailServer = await startMailServer();
    test = await startTestService(engine, {
      settings: { SMTP_URL: mailServer.url, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMITS: 'on' },
    });
    auth = createAuthRequester(test);
  });
  afterAll(async () => {
    await test.close();
    await mailServer.close();
  });
  beforeEach(async () => {
    ann = await test.createUser();
    bearer = (await test.signIn(ann)).access_token;
  });

  const newest = async (to = ann.email): Promise<Email> => {
    await test.service.outbox.idle();
    const message = mailServer.messages.filter((sent) => sent.to[0] === to).at(-1);
    return PostalMime.parse(message?.raw ?? '');
  };
  const changePassword = (headers: Record<string, string>) =>
    auth('PUT', '/user', { bearer, body: { password: `lantern ${Math.random()}` }, headers });
  const utc = /^When: \w+,? \d{1,2} \w+ \d{4} at \d\d:\d\d UTC( \(.+\))?$/m;

  it('say when, with which device, from which network, and what to do', async () => {
    expect((await changePassword(fromHarbor)).status).toBe(200);
    const { subject, text, html } = await newest();
    expect(subject).toBe('Your Lanternrock password was changed');
    expect(text).toMatch(utc);
    expect(text).toContain('Device: Firefox on Windows\nNetwork: 203.0.113.0/24\n');
    expect(text).toContain('If this was not you, reset your password immediately');
    expect(text).toContain('Open your security settings:\nhttp://localhost:3000/admin/me/security\n');
    expect(text).toContain(`"lanternrock admins sign-out ${ann.email}"`);
    expect(html?.match(/href=/g)).toHaveLength(1);
    for (const part of [text, html]) expect(part).not.toContain('203.0.113.77');
  });

  it.each([
    ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
    ['192.168.1.20', 'A private network'],
    ['fd00::1', 'A private network'],
    ['::1', 'The computer that runs the service'],
  ])('show the network of %s as %s', async (ip, shown) => {
    await changePassword({ ...fromHarbor, 'X-Forwarded-For': ip });
    expect((await newest()).text).toContain(`Network: ${shown}\n`);
  });

  it.each([
    ['<a href="https://evil.example">x</a>', 'Unknown device'],
    ['evil.example/1.0 \u202e', 'evil.\u2060example'],
    ['curl/8.5.0', 'curl'],
    [`${'Version/1'.repeat(2000)} Safari`, 'Version'],
  ])('show the user agent %j as %s', async (userAgent, shown) => {
    const header = Buffer.from(userAgent).toString('latin1');
    await changePassword({ ...fromHarbor, 'User-Agent': header });
    const { text, html } = await newest();
    expect(text).toContain(`Device: ${shown}\n`);
    expect(html?.match(/href=/g)).toHaveLength(1);
    expect(html).not.toContain('<a href="https://evil');
  });

  it('name the secret key', async () => {
    const { id } = await addSecondFactor(auth, bearer, () => new Date());
    expect((await newest()).text).toContain('Device: ');
    await auth('DELETE', `/admin/users/${ann.id}/factors/${id}`, { bearer: test.serviceRoleKey });
    const { subject, text } = await newest();
    expect(subject).toBe('A second factor was removed from your Lanternrock account');
    expect(text).toContain('From: A program with the secret key of the service\n');
  });

  it('name the command line, and lead administrators to the list', async () => {
    const admin = await test.createUser({ isAdministrator: true });
    await addSecondFactor(auth, bearer, () => new Date());
    const output = captureOutput(test.config.DATA_DIR);
    expect(await adminsCommand.parse(['reset-factors', ann.email]).run(test.service, output)).toBe(0);
    const own = await newest();
    expect(own.text).toMatch(utc);
    expect(own.text).toContain('From: The command line of the service\n');
    expect(own.text).not.toContain('Device:');
    const other = await newest(admin.email);
    expect(other.text).toContain('From: The command line of the service\n');
    expect(other.text).toContain('http://localhost:3000/admin/platform-admins\n');
  });

  it('show the last of the failed attempts', async () => {
    for (let count = 0; count < 5; count += 1) {
      const { status } = await auth('POST', '/token?grant_type=password', {
        body: { email: ann.email, password: 'wrong password' },
        headers: fromHarbor,
      });
      expect(status).toBe(400);
    }
    const { subject, text } = await newest();
    expect(subject).toBe('Failed attempts to sign in to Lanternrock');
    expect(text).toContain('None of these attempts succeeded.');
    expect(text).toContain('Device: Firefox on Windows\nNetwork: 203.0.113.0/24\n');
    expect(text).toMatch(/Last attempt:\nWhen: /);
  });

  it('do not say that the password held when only the second factor was wrong', async () => {
    const factor = await addSecondFactor(auth, bearer, () => new Date());
    const { access_token } = await test.signIn(ann);
    for (let count = 0; count < 5; count += 1) {
      const { status } = await factor.verify(access_token, await factor.challenge(access_token), 'wrong');
      expect(status).toBe(422);
    }
    const { subject, text = '' } = await newest();
    expect(subject).toBe('A sign-in to Lanternrock stopped at your second factor');
    const [plain, help] = [text.replaceAll(/\s+/g, ' '), `"lanternrock admins sign-out ${ann.email}"`];
    expect(plain).toContain('The first step, such as your password, was correct.');
    expect(plain).toContain(
      'another person knows your password or can use one of your other sign-in methods. Change',
    );
    expect(plain).toContain(help);
    expect(plain).not.toContain('no action is needed');
  });

  it('say that a session is in use when a change was not confirmed, after five wrong passwords of a sign-in', async () => {
    for (let count = 0; count < 5; count += 1)
      await auth('POST', '/token?grant_type=password', { body: { email: ann.email, password: 'wrong' } });
    expect((await newest()).subject).toBe('Failed attempts to sign in to Lanternrock');
    for (let count = 0; count < 5; count += 1) {
      const body = { password: 'new lantern password', current_password: 'wrong' };
      expect((await auth('PUT', '/user', { bearer, body })).status).toBe(400);
    }
    const { subject, text = '' } = await newest();
    expect(subject).toBe('Failed attempts to confirm a change in your Lanternrock account');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'another person is using one of your devices or sessions.',
    );
  });
});
