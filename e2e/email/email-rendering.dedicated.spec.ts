/**
 * Renders every email from the local mailbox as an email client would, in both themes, wide and narrow.
 * With TEST_LONG the test results contain screenshots of all emails.
 */
import type { Page, Request, TestInfo } from '@playwright/test';
import type { Email } from 'postal-mime';
import { violationsOn } from '../support/accessibility.ts';
import { expect, test as base } from '../support/console-fixtures.ts';
import type { TestUsers } from '../support/users.ts';
import { requestOk } from '../support/api.ts';
import { startInstance, type Instance } from '../support/instance.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';

const test = base.extend({
  instance: [
    async ({ browser: _browser }, use) => {
      const instance = await startInstance({ environment: { RATE_LIMITS: 'off', SIGNUP: 'on' } });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** A name of maximum length without a space. */
const longName = `Wilhelmina${'w'.repeat(90)}`;

const kinds = {
  invitation: 'You have been invited to Lanternrock',
  'password set': 'Your Lanternrock password was set',
  recovery: 'Reset your Lanternrock password',
  'magic link': 'Sign in to Lanternrock',
  reauthentication: 'Your code for Lanternrock',
  'e-mail change': 'Confirm your email address change for Lanternrock',
  test: 'Test email from Lanternrock',
  confirmation: 'Confirm your email address for Lanternrock',
} as const;

/** Makes the instance send each kind of email once to a user with this name. */
async function sendAll(instance: Instance, users: TestUsers, fullName: string): Promise<Email[]> {
  const before = (await instance.mails()).length;
  const { email, session } = await users.create({ fullName });
  const token = session.access_token;
  await requestOk(instance, '/auth/v1/recover', { body: { email } });
  // Another user, because a new link replaces the previous one of a user.
  const other = await users.create({ fullName });
  await requestOk(instance, '/auth/v1/otp', { body: { email: other.email, create_user: false } });
  await requestOk(instance, '/auth/v1/reauthenticate', { token });
  await requestOk(instance, '/functions/v1/send-test-mail', { body: {}, token });
  const next = `next-${'n'.repeat(40)}-${email}`;
  await requestOk(instance, '/auth/v1/user', { method: 'PUT', body: { email: next }, token });
  const signup = { email: `new-${email}`, password: 'lantern on the pier 7', data: { full_name: fullName } };
  await requestOk(instance, '/auth/v1/signup', { body: signup });
  const sent = async (): Promise<Email[]> => (await instance.mails()).slice(before);
  const subjects = async (): Promise<string[]> => (await sent()).map((mail) => mail.subject ?? '');
  await expect.poll(subjects).toEqual(expect.arrayContaining(Object.values(kinds)));
  return sent();
}

/** Renders the HTML of an email on an empty page, where only the email can cause requests. */
async function render(page: Page, mail: string): Promise<void> {
  await page.goto('about:blank');
  await page.setContent(mail);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Checks an email with axe, without the rules for complete pages. */
const findViolations = (page: Page): Promise<string[]> =>
  violationsOn(page, { disabledRules: ['landmark-one-main', 'region'] });

const views = [
  ['light', 720],
  ['dark', 720],
  ['light', 375],
  ['dark', 375],
] as const;

const long = Boolean(process.env['TEST_LONG']);

/**
 * Checks an email in all views. The result of axe depends on the colors more than on width and text, so
 * without TEST_LONG axe runs once for each theme, and only if `rules` is true.
 */
async function checkEmail(
  page: Page,
  info: TestInfo,
  { name, mail, rules }: { readonly name: string; readonly mail: string; readonly rules: boolean },
): Promise<void> {
  const requestedUrls: string[] = [];
  const record = (request: Request): void => void requestedUrls.push(request.url());
  page.on('request', record);
  await render(page, mail);
  for (const [colorScheme, width] of views) {
    const where = `${name} ${colorScheme} ${width}`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 720 });
    if (long) await page.screenshot({ path: info.outputPath(`${where}.png`), fullPage: true });
    expect.soft(await horizontalOverflow(page), where).toBe(0);
    if (long || (rules && width === 720)) expect.soft(await findViolations(page), where).toEqual([]);
  }
  page.off('request', record);
  expect.soft(requestedUrls.filter((url) => url !== 'about:blank')).toEqual([]);
}

for (const [name, fullName] of [
  ['an ordinary name', 'Ann Lee'],
  ['a very long name', longName],
] as const) {
  test(
    `renders every email for ${name} without requests, overflow or axe violations`,
    { tag: '@FN-05' },
    async ({ page, instance, users }, info) => {
      test.setTimeout(180_000);
      const mails = await sendAll(instance, users, fullName);
      for (const [kind, subject] of Object.entries(kinds)) {
        const mail = mails.find((candidate) => candidate.subject === subject);
        await checkEmail(page, info, { name: kind, mail: mail?.html ?? '', rules: fullName !== longName });
        expect.soft(await page.locator('a').count(), kind).toBe(mail?.text?.includes('http') ? 1 : 0);
      }
    },
  );
}

test(
  'renders every template of the mailbox preview without requests or overflow',
  { tag: '@FN-05' },
  async ({ page, instance }, info) => {
    test.setTimeout(180_000);
    await page.goto(instance.mailboxLink());
    await page.getByRole('link', { name: 'Templates' }).click();
    // The example email reports a changed password, not a first one.
    const shown = { ...kinds, 'password set': 'Your Lanternrock password was changed' };
    for (const subject of Object.values(shown)) {
      await expect(page.getByRole('heading', { name: new RegExp(`^\\w+: ${subject}$`) })).toBeVisible();
    }
    const frames = page.locator('iframe');
    const templates = await frames.evaluateAll((all) =>
      all.map((frame) => ({
        name: frame.getAttribute('title') ?? '',
        mail: frame.getAttribute('srcdoc') ?? '',
      })),
    );
    expect(templates.length).toBeGreaterThanOrEqual(Object.keys(kinds).length);
    for (const { name, mail } of templates) await checkEmail(page, info, { name, mail, rules: false });
  },
);
