/** The name of the product: the setting PRODUCT_NAME replaces it everywhere, and the build contains none. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { toastWith } from '../support/console-fixtures.ts';
import { expect, setUpFirstAdministrator, test as base } from '../support/fixtures.ts';
import { startInstance } from '../support/instance.ts';

const test = base.extend({
  instance: [
    async ({ browser: _browser }, use) => {
      const instance = await startInstance({
        environment: { PRODUCT_NAME: 'Zeta Test', RATE_LIMITS: 'off' },
      });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test(
  'is that of the setting in the sidebar, the title, the toasts and the screens',
  { tag: ['@C012', '@C046', '@C123', '@C301'] },
  async ({ page, instance }) => {
    await setUpFirstAdministrator(page, instance);
    await expect(toastWith(page, 'Password set successfully')).toContainText('Welcome to Zeta Test!');
    await expect(page.getByRole('complementary').getByText('Zeta Test', { exact: true })).toBeVisible();
    await expect(page).toHaveTitle(/Zeta Test/);
    await page.goto('/admin/styleguide');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Zeta Test Design System');
    await page.goto('/admin/notifications');
    await expect(page.getByLabel('Sender Name')).toHaveValue('Zeta Test');
    expect(await (await fetch(`${instance.url}/auth`)).text()).not.toContain('Lanternrock');
  },
);

test('is not in the build', { tag: '@C012' }, () => {
  const dist = fileURLToPath(new URL('../../apps/console/dist', import.meta.url));
  const texts = fs
    .readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg)$/.test(entry.name));
  expect(texts.length).toBeGreaterThan(5);
  for (const { parentPath, name } of texts)
    expect(fs.readFileSync(path.join(parentPath, name), 'utf8').includes('Lanternrock'), name).toBe(false);
});
