/** Notification settings. Uses Postgres, so that SQL can change the table directly. */
import { respondWith, expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { expectFieldError, isNoValidate, requestsTo } from '../support/forms.ts';
import { unique } from '../support/api.ts';
import type { Page } from '@playwright/test';

test.use({ external: true, as: 'administrator' });

const settingsUrl = /\/rest\/v1\/notification_settings/;
const empty = 'delete from public.notification_settings';
const stored = 'select id, sender_email, sender_name from public.notification_settings order by created_at';
const insert =
  'insert into public.notification_settings (sender_email, sender_name, created_at) values ($1, $2, $3) returning id';

const address = (page: Page) => page.getByLabel('Sender Email Address', { exact: true });
const senderName = (page: Page) => page.getByLabel('Sender Name', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings', exact: true });

async function openSettings(page: Page): Promise<void> {
  await page.goto('/admin/notifications');
  await expect(save(page)).toBeVisible();
}

test(
  'shows the product name as default sender and stores nothing without a row',
  { tag: ['@C120', '@C121', '@C122', '@C301', '@C260'] },
  async ({ page, sql }) => {
    await sql(empty);
    const read = page.waitForRequest(settingsUrl);
    await openSettings(page);
    const query = new URL((await read).url()).searchParams;
    expect(query.get('limit')).toBe('1');
    await expect(page.getByRole('heading', { name: 'Email Configuration', exact: true })).toBeVisible();
    await expect(address(page)).toHaveValue('');
    await expect(senderName(page)).toHaveValue('Lanternrock');
    expect(await sql(stored)).toEqual([]);
  },
);

test(
  'inserts a row on the first save and updates it on the next one',
  { tag: ['@C007', '@C199', '@C200', '@C261', '@C262', '@C292'] },
  async ({ page, sql }) => {
    await sql(empty);
    await openSettings(page);
    const inserted = page.waitForRequest(
      (request) => settingsUrl.test(request.url()) && request.method() === 'POST',
    );
    await address(page).fill(' Alerts@Example.org ');
    await senderName(page).fill('  Harbor Alerts ');
    await save(page).click();
    const post = await inserted;
    expect(post.postDataJSON()).toEqual({ sender_email: 'alerts@example.org', sender_name: 'Harbor Alerts' });
    expect(post.headers()['prefer']).toContain('return=representation');
    await expect(toastWith(page, 'Settings saved')).toContainText(
      'Notification settings have been updated successfully',
    );
    const [row] = await sql(stored);
    expect(row).toMatchObject({ sender_email: 'alerts@example.org', sender_name: 'Harbor Alerts' });

    const updated = page.waitForRequest(
      (request) => settingsUrl.test(request.url()) && request.method() === 'PATCH',
    );
    await senderName(page).fill('Pier Alerts');
    await senderName(page).press('Enter');
    const patch = await updated;
    expect(new URL(patch.url()).searchParams.get('id')).toBe(`eq.${String(row?.['id'])}`);
    expect(patch.postDataJSON()).toEqual({ sender_email: 'alerts@example.org', sender_name: 'Pier Alerts' });
    await expect.poll(() => sql(stored)).toEqual([{ ...row, sender_name: 'Pier Alerts' }]);
    await page.reload();
    await expect(senderName(page)).toHaveValue('Pier Alerts');
    await expect(address(page)).toHaveValue('alerts@example.org');
  },
);

test('shows and updates the first of two rows', { tag: ['@C169', '@C201'] }, async ({ page, sql }) => {
  await sql(empty);
  const [first] = await sql(insert, ['first@example.org', 'First', '2031-01-01T00:00:00Z']);
  await sql(insert, ['second@example.org', 'Second', '2031-01-02T00:00:00Z']);
  await openSettings(page);
  await expect(address(page)).toHaveValue('first@example.org');
  await senderName(page).fill('First of two');
  await save(page).click();
  await expect(toastWith(page, 'Settings saved')).toBeVisible();
  expect(await sql(stored)).toEqual([
    { id: first?.['id'], sender_email: 'first@example.org', sender_name: 'First of two' },
    expect.objectContaining({ sender_email: 'second@example.org', sender_name: 'Second' }),
  ]);
});

test('edits a row that has no values', async ({ page, sql }) => {
  await sql(empty);
  const [row] = await sql(insert, ['stored@example.org', 'Stored', '2031-01-01T00:00:00Z']);
  // Another backend can permit null.
  await page.route(settingsUrl, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({
          json: [{ id: row?.['id'], sender_email: null, sender_name: null, updated_at: null }],
        })
      : route.continue(),
  );
  await openSettings(page);
  await expect(address(page)).toHaveValue('');
  await address(page).fill('pier@example.org');
  await senderName(page).fill('Pier');
  await save(page).click();
  await expect(toastWith(page, 'Settings saved')).toBeVisible();
  expect(await sql(stored)).toEqual([
    { id: row?.['id'], sender_email: 'pier@example.org', sender_name: 'Pier' },
  ]);
});

test(
  'shows errors at the email and name fields',
  { tag: ['@C218', '@C219', '@C220', '@C221'] },
  async ({ page, sql }) => {
    await sql(empty);
    await openSettings(page);
    const writes = requestsTo(page, settingsUrl, 'POST');
    await address(page).fill('abc');
    await senderName(page).fill('   ');
    await save(page).click();
    await expectFieldError(address(page), 'Must be a valid email address');
    await expectFieldError(senderName(page), 'Sender name is required');
    await expect(address(page)).toBeFocused();
    expect(await isNoValidate(address(page))).toBe(true);
    await senderName(page).fill('n'.repeat(101));
    await save(page).click();
    await expectFieldError(senderName(page), 'String must contain at most 100 character(s)');
    await senderName(page).fill('n'.repeat(100));
    await save(page).click();
    await expect(senderName(page)).not.toHaveAttribute('aria-invalid', 'true');
    expect(writes).toHaveLength(0);
    expect(await sql(stored)).toEqual([]);
  },
);

test('shows a failed load with Retry', { tag: ['@C290', '@C295'] }, async ({ page, sql, expectMessage }) => {
  expectMessage(failedLoad(500));
  await sql(empty);
  await respondWith(page, settingsUrl, 500, {
    code: 'XX000',
    message: 'unavailable',
    details: null,
    hint: null,
  });
  await page.goto('/admin/notifications');
  const failure = toastWith(page, 'Error');
  await expect(failure).toContainText('Failed to load notification settings', { timeout: 20_000 });
  await expect(failure).toHaveAttribute('data-variant', 'destructive');
  await page.unroute(settingsUrl);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(save(page)).toBeVisible();
});

for (const [message, description] of [
  ['The settings are resting', 'The settings are resting'],
  ['', 'Failed to save notification settings'],
] as const) {
  test(
    `keeps the input after a failed save with the message "${message}"`,
    { tag: ['@C291', '@C295', '@X06', '@I37', '@I45'] },
    async ({ page, sql, expectMessage }) => {
      expectMessage(failedLoad(500));
      await sql(empty);
      await openSettings(page);
      await respondWith(
        page,
        settingsUrl,
        500,
        { code: 'XX000', message, details: null, hint: null },
        'POST',
      );
      await address(page).fill('kept@example.org');
      await save(page).click();
      const failure = toastWith(page, 'Error');
      await expect(failure).toContainText(description);
      await expect(failure).toHaveAttribute('data-variant', 'destructive');
      await expect(address(page)).toHaveValue('kept@example.org');
      expect(await sql(stored)).toEqual([]);
    },
  );
}

test(
  'rejects a save after a concurrent change and overwrites nothing',
  { tag: ['@C201', '@X05'] },
  async ({ page, sql }) => {
    await sql(empty);
    await sql(insert, ['old@example.org', 'Old', '2031-01-01T00:00:00Z']);
    await openSettings(page);
    await senderName(page).fill('Mine');
    await sql(`update public.notification_settings set sender_name = 'Theirs'`);
    await save(page).click();
    await expect(toastWith(page, 'Error')).toBeVisible();
    await expect(page.getByText('Current settings: Theirs <old@example.org>')).toBeVisible();
    await expect(senderName(page)).toHaveValue('Mine');
    expect(await sql(stored)).toEqual([expect.objectContaining({ sender_name: 'Theirs' })]);
  },
);

test('asks for confirmation before it leaves a changed form', { tag: '@X06' }, async ({ page, sql }) => {
  await sql(empty);
  await openSettings(page);
  const name = unique('unsaved');
  await senderName(page).fill(name);
  await page.getByRole('link', { name: 'Logs' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: 'Keep editing' }).click();
  await expect(senderName(page)).toHaveValue(name);
  await page.getByRole('link', { name: 'Logs' }).click();
  await confirmation.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL(/\/admin\/logs/);
  expect(await sql(stored)).toEqual([]);
});
