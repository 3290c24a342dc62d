/** The setup steps of a new instance. Uses a dedicated instance, because other tests change what is done. */
import type { Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { expect, respondWith, test as base, toastWith } from '../support/console-fixtures.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import { pressOn } from '../support/tab-to.ts';
import { setupDismissalKey, storageStateFor, type TestUser } from '../support/users.ts';

const test = base.extend({
  // The fixture of the other tests dismisses the steps.
  storageState: async ({ users, instance }, use) => {
    await users.renewAdministrator();
    await use(withSteps(instance, await users.administrator()));
  },
});
test.use({ dedicatedInstance: 'setup checklist', localMailbox: true });

const withSteps = (
  instance: Parameters<typeof storageStateFor>[0],
  user: TestUser,
): ReturnType<typeof storageStateFor> => {
  const state = storageStateFor(instance, user.session);
  const keep = (item: { name: string }): boolean => item.name !== setupDismissalKey(user.id);
  return {
    ...state,
    origins: state.origins.map((origin) => ({ ...origin, localStorage: origin.localStorage.filter(keep) })),
  };
};

const checklist = (page: Page) => page.getByRole('region', { name: 'Set up Lanternrock' });
const step = (page: Page, title: string) => checklist(page).getByRole('listitem').filter({ hasText: title });
const toggle = (page: Page) => page.getByRole('button', { name: /^Setup \(\d of 6\)$/ });
const list = (page: Page) => page.getByRole('region', { name: 'Accounts', exact: true });
const setupRequest = /\/functions\/v1\/setup-steps$/;

const response = (done: readonly string[], other = {}) => ({
  is_new: true,
  done,
  invitation_pending: false,
  ...other,
});

test('lead through a new instance, each with one press', async ({ page }) => {
  test.slow();
  await page.goto('/admin/accounts');
  await expect(page.getByText('No accounts yet', { exact: true })).toBeVisible();
  await expect(checklist(page)).toContainText('0 of 6 steps are done.');
  await expect(checklist(page).getByRole('listitem')).toHaveCount(6);
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 375],
    ['dark', 375],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await violationsOn(page), `${theme} ${width}`).toEqual([]);
    await saveScreenshot(page, `setup-${theme}-${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  // The name.
  await pressOn(page, step(page, 'Your name').getByRole('link', { name: 'Enter your name' }));
  const nameDialog = page.getByRole('dialog', { name: 'Change your name' });
  await expect(nameDialog.getByRole('textbox')).toHaveValue('Administrator');
  await nameDialog.getByRole('textbox').fill('Ann Lee');
  await page.keyboard.press('Enter');
  await expect(nameDialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/admin\/me\/security$/);
  await page.goto('/admin/accounts');

  // The sender, below the notice about the missing mail server.
  await expect(step(page, 'Your name')).toContainText('Done');
  await expect(step(page, 'Mail server').getByRole('link', { name: 'Show email settings' })).toHaveAttribute(
    'href',
    '/admin/notifications',
  );
  await pressOn(page, step(page, 'Sender of emails').getByRole('link', { name: 'Set the sender' }));
  await expect(page.getByRole('note').filter({ hasText: 'No mail server is set up' })).toBeVisible();
  await page.getByLabel('Sender Email Address').fill('alerts@example.org');
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Settings saved')).toBeVisible();
  await page.goBack();
  await expect(checklist(page)).toContainText('2 of 6 steps are done.');

  // The second factor opens its dialog, and the second administrator the one for an invitation.
  await pressOn(page, step(page, 'Your second factor').getByRole('link', { name: 'Add a second factor' }));
  await expect(page.getByRole('dialog', { name: /authenticator app/i })).toBeVisible();
  await page.goto('/admin/accounts');
  await pressOn(
    page,
    step(page, 'Second administrator').getByRole('link', { name: 'Invite an administrator' }),
  );
  const invite = page.getByRole('dialog', { name: 'Invite New Administrator' });
  await invite.getByLabel('Full Name').fill('Bo Ek');
  await invite.getByLabel('Email').fill('bo@example.org');
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Invitation saved, not sent')).toBeVisible();
  await page.goto('/admin/accounts');
  await expect(step(page, 'Second administrator')).toContainText('An invitation waits for its acceptance.');
  await pressOn(page, step(page, 'Second administrator').getByRole('link', { name: 'Show invitations' }));
  await expect(page.getByRole('row', { name: /bo@example.org/ })).toBeVisible();
});

test(
  'the empty list has its own button, and the first account keeps the steps open',
  { tag: '@I29' },
  async ({ page }) => {
    await page.goto('/admin/accounts');
    const first = list(page).getByRole('button', { name: 'Create first account' });
    await pressOn(page, first);
    const dialog = page.getByRole('dialog', { name: 'Add New Account' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(first).toBeFocused();

    await pressOn(page, step(page, 'First account').getByRole('button', { name: 'Create first account' }));
    await dialog.getByLabel('Account Name').fill('Vail Ski Patrol');
    await dialog.getByLabel('Type').selectOption('organization');
    await dialog.getByLabel('Account Name').press('Enter');
    await expect(page.getByRole('row', { name: /Vail Ski Patrol/ })).toBeVisible();
    await expect(step(page, 'First account')).toContainText('Done');
    await expect(list(page).getByRole('button', { name: 'Create first account' })).toHaveCount(0);
    await saveScreenshot(page, 'setup-one-account');

    // Above accounts the steps start collapsed, so that no row moves.
    await page.reload();
    const row = page.getByRole('row', { name: /Vail Ski Patrol/ });
    const place = await row.boundingBox();
    await expect(toggle(page)).toHaveAttribute('aria-expanded', 'false');
    expect(await row.boundingBox()).toEqual(place);
    await expect(checklist(page)).toHaveCount(0);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await horizontalOverflow(page)).toBe(0);
      expect(await violationsOn(page)).toEqual([]);
      await saveScreenshot(page, `setup-collapsed-${width}`);
    }
    await pressOn(page, toggle(page));
    await expect(toggle(page)).toHaveAttribute('aria-expanded', 'true');
    await expect(checklist(page)).toBeVisible();
  },
);

test('are gone when the user has dismissed them, and for this user only', async ({
  page,
  users,
  instance,
  browser,
}) => {
  const other = await users.create({ fullName: 'Cy Cole' });
  await page.goto('/admin/accounts');
  await toggle(page).click();
  await pressOn(page, checklist(page).getByRole('button', { name: 'Dismiss the setup steps' }));
  await expect(checklist(page)).toHaveCount(0);
  await expect(toggle(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeFocused();

  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.clock.install();
  await page.reload();
  await expect(page.getByRole('table', { name: 'Accounts' })).toBeVisible();
  await page.clock.runFor(5000);
  expect(requests.filter((url) => setupRequest.test(url))).toEqual([]);

  const context = await browser.newContext({ storageState: withSteps(instance, other) });
  const second = await context.newPage();
  await second.goto(`${instance.url}/admin/accounts`);
  await expect(toggle(second)).toBeVisible();
  await context.close();
});

test('are gone when all are done, and after an error', async ({ page, expectMessage }) => {
  expectMessage(/status of 500/);
  const steps = ['name', 'mail_server', 'sender', 'second_factor', 'second_administrator'];
  const states = [
    [200, response([...steps, 'first_account'])],
    [200, { unknown: true }],
    [500, { error: 'x', code: 'unexpected_failure' }],
  ] as const;
  for (const [status, body] of states) {
    await respondWith(page, setupRequest, status, body);
    const answered = page.waitForResponse(setupRequest);
    await page.goto('/admin/accounts');
    await answered;
    await expect(page.getByRole('row', { name: /Vail Ski Patrol/ })).toBeVisible();
    await expect(toggle(page)).toHaveCount(0);
    await expect(checklist(page)).toHaveCount(0);
    await page.unroute(setupRequest);
  }
  await respondWith(page, setupRequest, 200, response(steps.slice(1)));
  await page.goto('/admin/accounts');
  await expect(toggle(page)).toHaveAccessibleName('Setup (5 of 6)');
});

test('are read once on an instance that is not new', async ({ page }) => {
  await respondWith(page, setupRequest, 200, response([], { is_new: false }));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const answered = page.waitForResponse(setupRequest);
  await page.goto('/admin/accounts');
  await answered;
  await expect(page.getByRole('row', { name: /Vail Ski Patrol/ })).toBeVisible();
  await expect(toggle(page)).toHaveCount(0);
  await page.clock.install();
  await page.reload();
  await expect(page.getByRole('row', { name: /Vail Ski Patrol/ })).toBeVisible();
  await page.clock.runFor(5000);
  expect(requests.filter((url) => setupRequest.test(url))).toHaveLength(1);
});

test('are not read for a user without the role', async ({ users, instance, browser }) => {
  const context = await browser.newContext({ storageState: withSteps(instance, await users.plain()) });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.clock.install();
  await page.goto(`${instance.url}/admin/accounts`);
  await expect(page.getByText('No accounts yet', { exact: true })).toBeVisible();
  await expect(page.getByRole('note')).toContainText('Ask an administrator for access.');
  await expect(page.getByRole('button', { name: 'Create first account' })).toHaveCount(0);
  await page.clock.runFor(5000);
  expect(requests.filter((url) => setupRequest.test(url))).toEqual([]);
  await context.close();
});

/** Saves a screenshot if SCREENSHOTS names a directory. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS'];
  if (directory) await page.screenshot({ path: `${directory}/firstrun-${name}.png`, fullPage: true });
}
