/**
 * Every mail that the product sends, taken out of the mailbox and drawn as a mail program would: in both
 * themes, wide and narrow. With TEST_LONG pictures of all of them lie in the test's results.
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
  product: [
    async ({ browser: _browser }, use) => {
      const product = await startInstance({ environment: { RATE_LIMITS: 'off', SIGNUP: 'on' } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** As long as names may be, and without a space to break at. */
const longName = `Wilhelmina${'w'.repeat(90)}`;

const kinds = {
  invitation: 'You have been invited to Lanternrock',
  'password set': 'Your Lanternrock password was set',
  recovery: 'Reset your Lanternrock password',
  'magic link': 'Sign in to Lanternrock',
  reauthentication: 'Your code for Lanternrock',
  'e-mail change': 'Confirm your new email address for Lanternrock',
  test: 'Test email from Lanternrock',
  confirmation: 'Confirm your email address for Lanternrock',
} as const;

/** Has the product send each of them once, to one person, who has an ordinary name or a very long one. */
async function sendAll(product: Instance, people: TestUsers, fullName: string): Promise<Email[]> {
  const before = (await product.mails()).length;
  const { email, session } = await people.make({ fullName });
  const token = session.access_token;
  await requestOk(product, '/auth/v1/recover', { body: { email } });
  // Somebody else: a person gets one of these two at a time.
  const other = await people.make({ fullName });
  await requestOk(product, '/auth/v1/otp', { body: { email: other.email, create_user: false } });
  await requestOk(product, '/auth/v1/reauthenticate', { token });
  await requestOk(product, '/functions/v1/send-test-mail', { body: {}, token });
  const next = `next-${'n'.repeat(40)}-${email}`;
  await requestOk(product, '/auth/v1/user', { method: 'PUT', body: { email: next }, token });
  const signup = { email: `new-${email}`, password: 'lantern on the pier 7', data: { full_name: fullName } };
  await requestOk(product, '/auth/v1/signup', { body: signup });
  const sent = async (): Promise<Email[]> => (await product.mails()).slice(before);
  const subjects = async (): Promise<string[]> => (await sent()).map((mail) => mail.subject ?? '');
  await expect.poll(subjects).toEqual(expect.arrayContaining(Object.values(kinds)));
  return sent();
}

/** Draws the mail's HTML on an empty page, where nothing but the mail can ask for anything. */
async function draw(page: Page, mail: string): Promise<void> {
  await page.goto('about:blank');
  await page.setContent(mail);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** A mail is no page of a site: programs put it into one of their own. */
const unreadable = (page: Page): Promise<string[]> =>
  violationsOn(page, { without: ['landmark-one-main', 'region'] });

const views = [
  ['light', 720],
  ['dark', 720],
  ['light', 375],
  ['dark', 375],
] as const;

const long = Boolean(process.env['TEST_LONG']);

/**
 * In all views. What the accessibility rules find depends on the colours, hardly on the width or the
 * words: without TEST_LONG they are asked once for each theme, and only where `rules` says so.
 */
async function lookAt(
  page: Page,
  info: TestInfo,
  { name, mail, rules }: { readonly name: string; readonly mail: string; readonly rules: boolean },
): Promise<void> {
  const asked: string[] = [];
  const note = (request: Request): void => void asked.push(request.url());
  page.on('request', note);
  await draw(page, mail);
  for (const [colorScheme, width] of views) {
    const where = `${name} ${colorScheme} ${width}`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 720 });
    if (long) await page.screenshot({ path: info.outputPath(`${where}.png`), fullPage: true });
    expect.soft(await horizontalOverflow(page), where).toBe(0);
    if (long || (rules && width === 720)) expect.soft(await unreadable(page), where).toEqual([]);
  }
  page.off('request', note);
  expect.soft(asked.filter((address) => address !== 'about:blank')).toEqual([]);
}

for (const [name, fullName] of [
  ['an ordinary name', 'Ann Lee'],
  ['a very long name', longName],
] as const) {
  test(`FN-05 with ${name} every mail loads nothing, fits, and can be read in both themes`, async ({
    page,
    product,
    people,
  }, info) => {
    test.setTimeout(180_000);
    const mails = await sendAll(product, people, fullName);
    for (const [kind, subject] of Object.entries(kinds)) {
      const mail = mails.find((candidate) => candidate.subject === subject);
      await lookAt(page, info, { name: kind, mail: mail?.html ?? '', rules: fullName !== longName });
      expect.soft(await page.locator('a').count(), kind).toBe(mail?.text?.includes('http') ? 1 : 0);
    }
  });
}

test('FN-05 so does every template of the preview in the mailbox', async ({ page, product }, info) => {
  test.setTimeout(180_000);
  await page.goto(product.mailboxLink());
  await page.getByRole('link', { name: 'Templates' }).click();
  // The example of a changed password is somebody's second one.
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
  for (const { name, mail } of templates) await lookAt(page, info, { name, mail, rules: false });
});
