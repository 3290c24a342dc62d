/**
 * Renders emails as an email client would, in both themes, wide and narrow: those of common flows from the local mailbox, and
 * the template of each kind. With TEST_LONG the test results contain screenshots of all of them.
 */
import type { Page, Request, TestInfo } from '@playwright/test';
import type { Email } from 'postal-mime';
import { emailKinds } from '../../apps/server/src/mail/email-job.ts';
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

/** The kinds of the emails that `sendAll` causes, with their subjects. */
const kinds = {
  invitation: 'You have been invited to Lanternrock',
  'password set': 'Your Lanternrock password was set',
  recovery: 'Reset your Lanternrock password',
  'magic link': 'Sign in to Lanternrock',
  reauthentication: 'Your code for Lanternrock',
  'email change': 'Confirm your email address change for Lanternrock',
  test: 'Test email from Lanternrock',
  confirmation: 'Confirm your email address for Lanternrock',
} as const;

/** Makes the instance send an email of each of `kinds` to users with this name. Returns all emails that it has sent. */
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
  const subjects = async (): Promise<string[]> => (await sent()).map(({ subject }) => subject ?? '');
  await expect.poll(subjects).toEqual(expect.arrayContaining(Object.values(kinds)));
  return sent();
}

/** Renders the HTML of an email on an empty page, where only the email can cause requests. */
async function render(page: Page, html: string): Promise<void> {
  await page.goto('about:blank');
  await page.setContent(html);
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
  { name, html, rules }: { readonly name: string; readonly html: string; readonly rules: boolean },
): Promise<void> {
  const requestedUrls: string[] = [];
  const record = (request: Request): void => void requestedUrls.push(request.url());
  page.on('request', record);
  await render(page, html);
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

for (const [title, fullName] of [
  ['renders emails for an ordinary name without requests, overflow or axe violations', 'Ann Lee'],
  ['renders emails for a very long name without requests or overflow', longName],
] as const) {
  test(title, { tag: '@FN-05' }, async ({ page, instance, users }, info) => {
    test.setTimeout(180_000);
    const emails = await sendAll(instance, users, fullName);
    for (const [kind, subject] of Object.entries(kinds)) {
      const email = emails.find((candidate) => candidate.subject === subject);
      await checkEmail(page, info, { name: kind, html: email?.html ?? '', rules: fullName !== longName });
      expect.soft(await page.locator('a').count(), kind).toBe(email?.text?.includes('http') ? 1 : 0);
    }
  });
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
        html: frame.getAttribute('srcdoc') ?? '',
      })),
    );
    expect(templates.map(({ name }) => name)).toEqual([...emailKinds]);
    for (const { name, html } of templates) await checkEmail(page, info, { name, html, rules: false });
  },
);
