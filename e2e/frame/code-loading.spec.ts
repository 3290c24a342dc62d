/** Code that loads on demand: errors, time limit, preloading. */
import { openAccounts } from '../support/accounts-page.ts';
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { requestsTo } from '../support/forms.ts';

test.use({ as: 'administrator' });

test('shows an error if code cannot be loaded, and opens the part when it can', async ({ page }) => {
  await page.clock.install();
  const pending = await holdRequests(page, /\/assets\/user-menu-list/);
  const tooltips = await holdRequests(page, /\/assets\/tooltip-layer/);
  await page.goto('/admin/logs');
  await page.getByRole('button', { name: 'Administrator' }).click();
  const problem = toastWith(page, 'A part of this page could not be loaded');
  await page.clock.fastForward(6000);
  await expect(problem).toBeVisible();
  // The load of another part does not remove the error.
  tooltips.release();
  await expect(async () => {
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Toggle Sidebar' }).hover();
    await expect(page.getByText(/^Toggle sidebar \(/)).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(problem).toBeVisible();
  pending.release();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await expect(problem).toHaveCount(0);
});

test('preloads no code while the user waits for a screen, or with a metered connection', async ({ page }) => {
  await page.clock.install();
  // Without the calls of functions: the frame asks whether the user needs a second factor.
  const code = requestsTo(page, /\/assets\/(?!functions-|module-).*\.(?:js|css)$/);
  const screen = await holdRequests(page, /\/assets\/styleguide-screen.*\.js/);
  await page.goto('/admin/logs');
  await page.getByRole('link', { name: 'Styleguide' }).click();
  await expect
    .poll(() => code.filter((request) => /styleguide/.test(request.url())).length)
    .toBeGreaterThan(0);
  await page.waitForLoadState('load');
  const before = code.length;
  await page.clock.runFor(10_000);
  expect(code.slice(before).map((request) => request.url())).toEqual([]);
  screen.release();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Design System');

  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await openAccounts(page);
  await expect(page.getByRole('button', { name: 'Add Account' })).toBeEnabled();
  const loaded = code.length;
  await page.clock.runFor(10_000);
  expect(code.slice(loaded).map((request) => request.url())).toEqual([]);
});

test('shows an error if the code of a screen does not arrive, and the screen after Retry', async ({
  page,
  expectMessage,
}) => {
  expectMessage(/This part of the page could not be loaded/);
  await page.clock.install();
  const { release } = await holdRequests(page, /\/assets\/styleguide-screen.*\.js/);
  await page.goto('/admin/styleguide');
  await expect(page.getByRole('button', { name: 'Administrator' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
  await page.clock.runFor(20_000);
  await expect(page.getByText('This part of the page could not be loaded.')).toBeVisible();
  release();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Design System');
});

test('keeps a distance to the edges if the code of the not-found screen cannot be loaded', async ({
  page,
  expectMessage,
}) => {
  expectMessage(/Failed to load resource|This part of the page could not be loaded/);
  await page.route(/\/assets\/not-found-screen/, (route) => route.abort());
  await page.goto('/admin/nothing-here');
  const title = page.getByRole('heading', { level: 1 });
  await expect(page.getByText('This screen could not be shown')).toBeVisible();
  const { x = 0, y = 0 } = (await title.boundingBox()) ?? {};
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(16);
});
