/** The view menu on a backend without the extensions: plain orders and filters, and no export. */
import { expect, requestsTo, test } from '../support/foreign-test.ts';
import { account } from '../support/api.ts';

test('sorts and filters by the required columns, prints, and offers no export', async ({ page, backend }) => {
  backend.tables['accounts'] = ['Beta', 'Alpha'].map((name, index) => ({
    ...account(name),
    id: `00000000-0000-4000-8000-00000000000${index}`,
    created_at: new Date(1_700_000_000_000 + index).toISOString(),
    updated_at: new Date(1_700_000_000_000).toISOString(),
  }));
  await page.goto('/admin/accounts?sort=name.asc');
  await expect(page.getByText('Page 1 of 1 (2 total)')).toBeVisible();
  await expect.poll(() => requestsTo(backend, /order=name\.asc(?:,|%2C)id\.asc/).length).toBeGreaterThan(0);
  expect(requestsTo(backend, /name_key/)).toEqual([]);
  await page.getByRole('button', { name: 'View' }).click();
  const menu = page.getByRole('dialog', { name: 'View' });
  await menu.getByLabel('Status').selectOption('Suspended');
  await expect(page.getByText('No accounts match your filters')).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
  expect(requestsTo(backend, /\/functions\//)).toEqual([]);
});
