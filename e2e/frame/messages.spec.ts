/** A toast shows the latest result of its action, on the screen of the action. */
import { openAccounts, openDialog, rowFor as accountRow } from '../support/accounts-page.ts';
import {
  dialog as inviteDialog,
  fillInvitation,
  openAdmins,
  resend,
  rowFor as invitationOf,
} from '../support/admins-page.ts';
import { openPanel } from '../support/admins-panel.ts';
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import { isClockAhead } from '../support/page-conditions.ts';

test.use({ as: 'administrator' });

const unavailable = { code: 'PGRST000', message: 'The database is starting', details: null, hint: null };

test('replaces the error of an action by its success, and shows neither on the next screen', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(503));
  const posts = /\/rest\/v1\/accounts(\?|$)/;
  await openAccounts(page);
  const form = await openDialog(page);
  const name = unique('retried');
  await form.getByLabel('Account Name').fill(name);
  await form.getByLabel('Type').selectOption('organization');
  await respondWith(page, posts, 503, unavailable, 'POST');
  await form.getByRole('button', { name: 'Create Account' }).click();
  await expect(toastWith(page, 'Error creating account')).toBeVisible();
  await page.unroute(posts);
  await form.getByRole('button', { name: 'Create Account' }).click();
  await expect(toastWith(page, 'Account created')).toBeVisible();
  await expect(toastWith(page, 'Error creating account')).toHaveCount(0);
});

test('removes the error of an invitation when a retry succeeds', async ({ page, expectMessage }) => {
  expectMessage(failedLoad(503));
  const calls = /\/functions\/v1\/send-user-invitation/;
  await openAdmins(page);
  const form = await fillInvitation(page, 'Rae Retry', `${unique('retry')}@example.org`);
  await respondWith(page, calls, 503, { code: 'database_unavailable', message: 'The database is starting' });
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(toastWith(page, 'Failed to send invitation')).toBeVisible();
  await page.unroute(calls);
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(toastWith(page, 'Invitation sent!')).toBeVisible();
  await expect(toastWith(page, 'Failed to send invitation')).toHaveCount(0);
  await expect(inviteDialog(page)).toHaveCount(0);
});

test('removes the error of a load when a retry succeeds, and on navigation', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(503));
  const reads = /\/rest\/v1\/notification_settings\?/;
  await respondWith(page, reads, 503, unavailable, 'GET');
  await page.goto('/admin/notifications');
  const failure = toastWith(page, 'Failed to load notification settings');
  await expect(failure).toBeVisible();
  await page.unroute(reads);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('button', { name: 'Save Settings' })).toBeVisible();
  await expect(failure).toHaveCount(0);
  await respondWith(page, reads, 503, unavailable, 'PATCH');
  await respondWith(page, reads, 503, unavailable, 'POST');
  await page.getByLabel('Sender Email Address').fill('desk@example.org');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toastWith(page, 'Error')).toBeVisible();
  await page.getByRole('link', { name: 'Logs' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  await expect(toastWith(page, 'Error')).toHaveCount(0);
});

test('shows no expiry for an accepted invitation', async ({ page, users }) => {
  const { email } = await users.create({ fullName: 'Kit Kept' });
  await openAdmins(page);
  const panel = await openPanel(page, email, 'Kit Kept');
  await expect(panel.getByText('Password set')).toBeVisible();
  await expect(panel.getByText('Expires')).toHaveCount(0);
});

for (const width of [820, 375]) {
  test(`at ${width} px shows email, status and Resend without horizontal scrolling`, async ({
    page,
    users,
  }) => {
    const email = `${unique('a.rather.long.address.of-one-tester')}@mountain-rescue.example.org`;
    await users.invite(email, 'Nora Narrow');
    await page.setViewportSize({ width, height: 900 });
    await openAdmins(page);
    const row = invitationOf(page, email);
    await expect(row.getByText('pending').locator('visible=true')).toBeInViewport({ ratio: 1 });
    await expect(row.getByText(email).locator('visible=true')).toBeInViewport({ ratio: 1 });
    await expect(row.getByRole('button', { name: 'Resend' })).toBeInViewport({ ratio: 1 });
    const frame = page.getByRole('region', { name: 'Admins' });
    expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await horizontalOverflow(page)).toBe(0);
  });
}

test('collapses the sidebar by default between 768 and 1024 px', async ({ page, instance }) => {
  await insertRows(instance, 'accounts', [account(unique('sidebar'))]);
  await page.setViewportSize({ width: 820, height: 900 });
  await openAccounts(page);
  const sidebar = page.locator('#sidebar');
  await expect(sidebar).toHaveAttribute('data-state', 'collapsed');
  await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
  await expect(sidebar).toHaveAttribute('data-state', 'expanded');
  await page.reload();
  await expect(sidebar).toHaveAttribute('data-state', 'expanded');
});

test('a toast removed under the pointer keeps neither the others nor the focus', async ({ page, users }) => {
  const emails = [unique('first'), unique('second')].map((name) => `${name}@example.org`);
  for (const email of emails) await users.invite(email, 'Tia Toast');
  await page.clock.install();
  await openAdmins(page);
  const resent = toastWith(page, 'Email resent!');
  for (const [index, email] of emails.entries()) {
    await resend(page, email).click();
    await expect(resent).toHaveCount(index + 1);
  }
  // No leave event follows, because the element under the pointer is gone.
  await resent.first().getByRole('button', { name: 'Dismiss notification' }).click();
  await expect(resent).toHaveCount(1);
  expect(await page.evaluate(() => document.activeElement?.closest('[data-toast]') ?? null)).toBeNull();
  await page.mouse.move(5, 5);
  await page.clock.fastForward(8000);
  await expect(resent).toHaveCount(0);
});

for (const width of [1280, 1024, 800])
  test(`at ${width} px, a toast stays where it is when a panel opens, and moves no list`, async ({
    page,
    instance,
  }) => {
    const name = unique('steady');
    await insertRows(instance, 'accounts', [account(name)]);
    await page.setViewportSize({ width, height: 800 });
    await openAccounts(page, `?q=${name}`);
    const list = page.getByRole('region', { name: 'Accounts' });
    const place = await list.boundingBox();
    await accountRow(page, name).getByRole('link').click();
    const panel = page.getByRole('dialog', { name });
    await panel.getByRole('button', { name: 'Archive', exact: true }).click();
    const archived = toastWith(page, 'Account archived');
    await expect(archived).toBeVisible();
    const beside = await archived.boundingBox();
    const edge = await panel.boundingBox();
    expect((beside?.x ?? 0) + (beside?.width ?? 0)).toBeLessThanOrEqual(edge?.x ?? 0);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    expect(await archived.boundingBox()).toEqual(beside);
    expect(await list.boundingBox()).toEqual(place);
    await accountRow(page, name).getByRole('link').click();
    await expect(panel).toBeVisible();
    expect(await archived.boundingBox()).toEqual(beside);
  });

test('a toast that appears under a resting pointer disappears, and a press on it takes no focus', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/admin/styleguide');
  const show = page.getByRole('region', { name: 'Toasts', exact: true }).getByRole('button').first();
  const toasts = page.locator('li[data-toast]');
  await show.click();
  const place = await toasts.first().boundingBox();
  await toasts.first().getByRole('button', { name: 'Dismiss notification' }).click();
  await expect(toasts).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.closest('[data-toast]') ?? null)).toBeNull();
  await page.mouse.move((place?.x ?? 0) + 20, (place?.y ?? 0) + 20);
  await show.press('Enter');
  await expect(toasts).toHaveCount(1);
  await page.clock.fastForward(12_000);
  await expect(toasts).toHaveCount(0);
});

test('a focused toast that newer ones hide does not keep them', async ({ page, users }) => {
  const emails = [1, 2, 3, 4].map((number) => `${unique(`hidden${number}`)}@example.org`);
  for (const email of emails) await users.invite(email, 'Tia Toast');
  await page.clock.install();
  await openAdmins(page);
  const resent = toastWith(page, 'Email resent!');
  const [first = '', ...others] = emails;
  await resend(page, first).click();
  await expect(resent).toHaveCount(1);
  const { release } = await holdRequests(page, /send-user-invitation/);
  for (const email of others) await resend(page, email).click();
  await page.mouse.move(5, 5);
  await resent.getByRole('button', { name: 'Dismiss notification' }).focus();
  let responses = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('/send-user-invitation')) responses += 1;
  });
  release();
  await expect.poll(() => responses).toBe(3);
  await expect(async () => {
    await page.clock.fastForward(8000);
    await expect(page.locator('[data-toast]')).toHaveCount(0, { timeout: 1000 });
  }).toPass();
});

test('a held Enter undoes one change', async ({ page, instance }) => {
  const names = [unique('held'), unique('held')];
  await insertRows(
    instance,
    'accounts',
    names.map((name) => account(name)),
  );
  const archived = toastWith(page, 'Account archived');
  await openAccounts(page);
  for (const [index, name] of names.entries()) {
    await accountRow(page, name).getByRole('link').click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await expect(archived).toHaveCount(index + 1);
  }
  await archived.first().getByRole('button', { name: 'Undo' }).focus();
  // A user reaches the button by key. Without one, the double-click guard ignores an Enter soon after a click.
  await page.keyboard.press('Shift');
  await page.keyboard.down('Enter');
  await expect(archived).toHaveCount(1);
  // A second event without a key up is a repetition.
  for (let count = 0; count < 3; count += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(toastWith(page, 'Change undone')).toHaveCount(1);
  await expect(archived).toHaveCount(1);
});

test('a mouse press on Undo undoes one change, and moves the focus to no other Undo', async ({
  page,
  instance,
}) => {
  const names = [unique('mouse'), unique('mouse')];
  await insertRows(
    instance,
    'accounts',
    names.map((name) => account(name)),
  );
  const archived = toastWith(page, 'Account archived');
  await page.clock.install();
  await openAccounts(page);
  for (const [index, name] of names.entries()) {
    await accountRow(page, name).getByRole('link').click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await expect(archived).toHaveCount(index + 1);
  }
  await archived.first().getByRole('button', { name: 'Undo' }).click();
  await expect(toastWith(page, 'Change undone')).toHaveCount(1);
  await expect(archived).toHaveCount(1);
  expect(await page.evaluate(() => document.activeElement?.closest('[data-toast]') ?? null)).toBeNull();
});

test('a relative time stays right in a panel that stays open', async ({
  page,
  context,
  instance,
  expectMessage,
}) => {
  test.skip(isClockAhead, 'Relative times follow the clock of the device.');
  const name = unique('relative');
  const [row] = await insertRows(instance, 'accounts', [account(name)]);
  await page.clock.install();
  await page.goto(`/admin/accounts?account=${String(row?.['id'])}`);
  const updated = page.getByRole('dialog', { name }).getByRole('definition').getByText('(');
  await expect(updated).toContainText('(now)');
  // A response would correct the time of the page.
  expectMessage(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await page.clock.fastForward('03:00');
  await expect(updated).toContainText('(3 minutes ago)');
});
