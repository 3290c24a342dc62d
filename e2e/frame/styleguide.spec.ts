/** All demos of the styleguide by mouse and by keyboard. */
import type { Locator, Page } from '@playwright/test';
import { expect, test, toastWith } from '../support/console-fixtures.ts';
import { requestsTo } from '../support/forms.ts';
import { expectFocusIn } from '../support/focus.ts';

test.use({ as: 'administrator' });

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

async function openStyleguide(page: Page): Promise<void> {
  await page.goto('/admin/styleguide');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test(
  'shows title and subtitle, and sends no data request',
  { tag: ['@C009', '@C123', '@C124'] },
  async ({ page }) => {
    await page.goto('/admin/logs');
    await expect(page.getByRole('button', { name: 'Administrator' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    const requests = requestsTo(page, /\/(rest|functions)\/v1\/(?!session-watch)/);
    await page.getByRole('link', { name: 'Styleguide' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lanternrock Design System');
    await expect(
      page.getByText('Emergency Response Platform Component Library', { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('table')).toBeVisible();
    expect(requests).toHaveLength(0);
  },
);

test(
  "copies the setup guide, shows 'Copied!' for two seconds and a toast",
  { tag: ['@C125', '@C126', '@C127', '@I32'] },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install({ time: await page.evaluate(() => Date.now()) });
    await openStyleguide(page);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 5000));
    await page.getByRole('button', { name: 'Copy Setup Guide', exact: true }).click();
    const copied = page.getByRole('button', { name: 'Copied!', exact: true });
    await expect(copied).toBeVisible();
    // The clock is fixed, so that the two seconds are exact.
    await page.clock.runFor(100);
    await expect(toastWith(page, /design system setup copied/i)).toBeVisible();
    const guide = await page.evaluate(() => navigator.clipboard.readText());
    expect(guide).toMatch(/install/i);
    expect(guide.length).toBeGreaterThan(200);
    await page.clock.runFor(1800);
    await expect(copied).toBeVisible();
    await page.clock.runFor(200);
    await expect(page.getByRole('button', { name: 'Copy Setup Guide', exact: true })).toBeVisible();
  },
);

test('shows colors, buttons, badges, alerts and cards', { tag: '@C128' }, async ({ page }) => {
  await openStyleguide(page);
  for (const name of ['Colors', 'Buttons', 'Badges', 'Alerts', 'Cards'])
    await expect(section(page, name)).toBeVisible();
  for (const variant of ['default', 'secondary', 'destructive', 'outline']) {
    await expect(section(page, 'Badges').locator(`[data-variant=${variant}]`)).toBeVisible();
    await expect(section(page, 'Buttons').locator(`[data-variant=${variant}]`).first()).toBeVisible();
  }
  await expect(section(page, 'Alerts').locator('[data-variant=destructive]')).toBeVisible();
});

test('form elements accept input', { tag: '@C129' }, async ({ page }) => {
  await openStyleguide(page);
  const form = section(page, 'Form Elements');
  await form.getByLabel('Team Name').fill('Ridge 2');
  await form.getByLabel('Notes').fill('abc');
  await form.getByLabel('Region').selectOption({ label: 'Coast' });
  await form.getByRole('radio', { name: 'Urgent' }).check();
  await form.getByRole('checkbox', { name: /Share position/ }).check();
  await form.getByRole('switch', { name: 'Paging' }).click();
  await expect(form.getByRole('status')).toHaveText(
    /Ridge 2, coast, urgent, sharing on, paging off, 3 characters/,
  );
});

test('the dialog opens, traps the focus and returns it on close', { tag: '@C130' }, async ({ page }) => {
  await openStyleguide(page);
  const opener = section(page, 'Dialog').getByRole('button');
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expectFocusIn(dialog);
  for (let tab = 0; tab < 6; tab += 1) {
    await page.keyboard.press('Tab');
    await expectFocusIn(dialog);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
});

test('the dropdown works by mouse and keyboard', { tag: '@C130' }, async ({ page }) => {
  await openStyleguide(page);
  const demo = section(page, 'Dropdown');
  const opener = demo.getByRole('button');
  await opener.click();
  await page.getByRole('menuitem').first().click();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(demo).toContainText('Call Team');
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(demo).toContainText('Send Position');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expectFocusIn(page.getByRole('menu'));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('popover and tooltip open and close', { tag: '@C130' }, async ({ page }) => {
  await openStyleguide(page);
  const opener = section(page, 'Popover').getByRole('button');
  await opener.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const described = section(page, 'Tooltip').getByRole('button').first();
  await described.hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await opener.focus();
  await page.keyboard.press('Tab');
  await expect(described).toBeFocused();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});

test('shows both kinds of toasts', { tag: ['@C131', '@C295', '@I31'] }, async ({ page }) => {
  await openStyleguide(page);
  const demo = section(page, 'Toasts');
  for (const button of await demo.getByRole('button').all()) await button.click();
  const list = page.getByRole('region', { name: 'Notifications' });
  await expect(list.locator('[data-variant=default]').first()).toBeVisible();
  await expect(list.locator('[data-variant=destructive]').first()).toBeVisible();
  await expect(list.getByRole('alert').first()).toBeVisible();
  await expect(list.getByRole('status').first()).toBeVisible();
});

test('tabs and accordion work by mouse and keyboard', { tag: '@C132' }, async ({ page }) => {
  await openStyleguide(page);
  const tabs = section(page, 'Tabs');
  await tabs.getByRole('tab').nth(1).click();
  await expect(tabs.getByRole('tab').nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(tabs.getByRole('tabpanel', { name: 'Members' })).toContainText('48 members');
  await page.keyboard.press('ArrowRight');
  // During the transition both panels exist.
  await expect(tabs.getByRole('tabpanel', { name: 'Equipment' })).toContainText('Nine sleds');
  const accordion = section(page, 'Accordion');
  const first = accordion.getByRole('button').first();
  await first.click();
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await expect(accordion.getByText('All members on duty')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(first).toHaveAttribute('aria-expanded', 'false');
  await expect(accordion.getByText('All members on duty')).toHaveCount(0);
});

test('shows skeleton, avatar and progress', { tag: '@C133' }, async ({ page }) => {
  await openStyleguide(page);
  await expect(section(page, 'Skeleton').locator('[data-skeleton]').first()).toBeAttached();
  const avatars = section(page, 'Avatar');
  await expect(avatars.locator('img')).toHaveCount(1);
  await expect(avatars.getByText('HI', { exact: true })).toBeVisible();
  const progress = section(page, 'Progress').getByRole('progressbar');
  await expect(progress).toHaveAttribute('aria-valuenow', '60');
  await section(page, 'Progress').getByRole('button', { name: 'More' }).click();
  await expect(progress).toHaveAttribute('aria-valuenow', '70');
});

const table = (page: Page): Locator => page.getByRole('table');
const rows = (page: Page): Locator => table(page).locator('tbody').getByRole('row');
const column = async (page: Page, index: number): Promise<string[]> =>
  rows(page).evaluateAll((all, at) => all.map((row) => row.children[at]?.textContent ?? ''), index);

test(
  'shows columns, values and pages of the sample table',
  { tag: ['@C134', '@C135', '@C146', '@C151', '@C152'] },
  async ({ page }) => {
    await openStyleguide(page);
    await expect(table(page).getByRole('columnheader')).toHaveText(['Name', 'Email', 'Role', 'Status']);
    const perPage = section(page, 'Data Table').getByLabel('Rows per page');
    await expect(perPage.getByRole('option')).toHaveText(['10', '25', '50']);
    const next = page.getByRole('button', { name: 'Next', exact: true });
    const previous = page.getByRole('button', { name: 'Previous', exact: true });
    await expect(previous).toBeDisabled();
    await expect(rows(page)).toHaveCount(10);
    for (let turns = 0; turns < 20 && (await next.isEnabled()); turns += 1) {
      for (const role of await column(page, 2)) expect(['Admin', 'User']).toContain(role);
      for (const status of await column(page, 3)) expect(['Active', 'Inactive']).toContain(status);
      await next.click();
      await expect(previous).toBeEnabled();
    }
    await expect(next).toBeDisabled();
  },
);

test(
  'returns to page 1 after a change of search, filter or page size',
  { tag: ['@C136', '@C137', '@C138', '@C144', '@C145', '@C147'] },
  async ({ page }) => {
    await openStyleguide(page);
    const demo = section(page, 'Data Table');
    const next = demo.getByRole('button', { name: 'Next', exact: true });
    const pageText = demo.getByText(/^Page \d+ of \d+/);
    const [first] = await column(page, 0);
    const changes: (() => Promise<unknown>)[] = [
      () => demo.getByRole('searchbox').fill('e'),
      () => demo.getByLabel('Role').selectOption({ label: 'User' }),
      () => demo.getByLabel('Rows per page').selectOption('25'),
    ];
    for (const change of changes) {
      await openStyleguide(page);
      await next.click();
      await expect(pageText).toHaveText(/^Page 2 of/);
      await change();
      await expect(pageText).toHaveText(/^Page 1 of/);
    }
    await openStyleguide(page);
    await demo.getByRole('searchbox').fill(first ?? '');
    await expect(rows(page)).toHaveCount(1);
    await demo.getByRole('searchbox').fill('');
    await demo.getByLabel('Status').selectOption({ label: 'Inactive' });
    expect(new Set(await column(page, 3))).toEqual(new Set(['Inactive']));
    await demo.getByLabel('Status').selectOption('all');
    await expect(rows(page)).toHaveCount(10);
    await demo.getByRole('searchbox').fill('no such user');
    await expect(demo.getByText('No rows match your filters')).toBeVisible();
    await demo.getByRole('button', { name: 'Clear filters' }).press('Enter');
    await expect(rows(page)).toHaveCount(10);
    await expect(demo.getByRole('region')).toBeFocused();
  },
);

test(
  'moves items in the dual list box and keeps both lists sorted',
  { tag: ['@C139', '@C140', '@C141', '@C142'] },
  async ({ page }) => {
    await openStyleguide(page);
    const demo = section(page, 'Dual List Box');
    const available = demo.getByRole('listbox', { name: /Available/ });
    const selected = demo.getByRole('listbox', { name: /Selected/ });
    const start = ['Event Medical', 'Lifeguard Service', 'Park Service', 'Search and Rescue'];
    await expect(available.getByRole('option')).toHaveText(start);
    await expect(selected.getByRole('option')).toHaveText(['Harbor Master', 'Ski Patrol']);
    await available.getByRole('option', { name: 'Park Service' }).click();
    await demo.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(available.getByRole('option')).toHaveText([
      'Event Medical',
      'Lifeguard Service',
      'Search and Rescue',
    ]);
    await expect(selected.getByRole('option')).toHaveText(['Harbor Master', 'Park Service', 'Ski Patrol']);
    // By keyboard: list, arrow key, Enter.
    await selected.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(available.getByRole('option')).toHaveText(start);
    await demo.getByRole('button', { name: 'Add all' }).click();
    const everything = [...start, 'Harbor Master', 'Ski Patrol'].sort();
    await expect(selected.getByRole('option')).toHaveText(everything);
    await demo.getByRole('button', { name: 'Remove all' }).click();
    await expect(available.getByRole('option')).toHaveText(everything);
  },
);
