/** Rows of docs/interaction.md that no other test covers. */
import type { Page } from '@playwright/test';
import { openAccounts, rowFor } from '../support/accounts-page.ts';
import { openAdmins } from '../support/admins-page.ts';
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { emailField, passwordField } from '../support/forms.ts';
import { account, insertRows, unique } from '../support/api.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test(
  'sets attributes for password managers and phones in the sign-in form, and accepts pasted text',
  { tag: ['@I18', '@I19'] },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 375, height: 700 });
    await page.goto('/auth');
    // The type `email` would convert an international domain.
    await expect(emailField(page)).not.toHaveAttribute('type', 'email');
    await expect(emailField(page)).toHaveAttribute('inputmode', 'email');
    await expect(emailField(page)).toHaveAttribute('autocomplete', 'username');
    await expect(emailField(page)).toHaveAttribute('spellcheck', 'false');
    await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password');
    expect(await styleOf(page, 'input[inputmode=email]', 'font-size')).toBe('16px');
    await page.evaluate(() => navigator.clipboard.writeText('pasted by a manager'));
    await passwordField(page).focus();
    await page.keyboard.press('Control+v');
    await expect(passwordField(page)).toHaveValue('pasted by a manager');
  },
);

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  test(
    'aligns digits, formats dates and shows one primary button above a list',
    { tag: ['@I2', '@I5'] },
    async ({ page, instance }) => {
      const name = unique('numbered');
      await insertRows(instance, 'accounts', [account(name)]);
      const primary = page.getByRole('main').locator('button[data-variant=default]');
      const rightEdge = async (): Promise<number> => {
        await expect(primary).toHaveCount(1);
        const box = await primary.boundingBox();
        return (box?.x ?? 0) + (box?.width ?? 0);
      };
      await openAdmins(page);
      const there = await rightEdge();
      await page.getByRole('link', { name: 'Accounts', exact: true }).click();
      await expect(rowFor(page, name)).toBeVisible();
      expect(await rightEdge()).toBe(there);
      expect(there).toBeGreaterThan(1200);
      expect(await styleOf(page, 'tbody td', 'font-variant-numeric')).toContain('tabular-nums');
      await expect(rowFor(page, name).locator('time')).toHaveAttribute('title', /\d:\d\d.*UTC/s);
    },
  );

  test('shows the same focus ring on every control', { tag: '@I8' }, async ({ page, instance }) => {
    await insertRows(instance, 'accounts', [account(unique('ringed'))]);
    await openAccounts(page);
    const rings = new Set<string>();
    for (let stops = 0; stops < 24; stops += 1) {
      await page.keyboard.press('Tab');
      const ring = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        const style = getComputedStyle(element);
        const moves =
          /\b(?:all|outline)/.test(style.transitionProperty) && parseFloat(style.transitionDuration) > 0;
        const ground = element.closest('aside') === null ? 'page' : 'sidebar';
        return `${ground}: ${style.outlineStyle} ${style.outlineWidth}${moves ? ' moving' : ''} ${style.outlineColor}`;
      });
      if (ring !== null) rings.add(ring);
    }
    const styles = [...rings].toSorted();
    expect(styles).toEqual([
      expect.stringMatching(/^page: solid 2px rgb/),
      expect.stringMatching(/^sidebar: solid 2px rgb/),
    ]);
  });

  test('shows shortcuts next to their controls', { tag: '@I12' }, async ({ page }) => {
    await page.goto('/admin/logs');
    await expect(page.getByRole('banner').getByText('Ctrl+K')).toBeVisible();
    const toggle = page.getByRole('button', { name: 'Toggle Sidebar' });
    await expect(async () => {
      await page.mouse.move(600, 600);
      await toggle.hover();
      await expect(page.getByRole('tooltip')).toContainText('Ctrl+B', { timeout: 1500 });
    }).toPass();
  });

  test('delays the spinner', { tag: '@I24' }, async ({ page }) => {
    const { release } = await holdRequests(page, /\/rest\/v1\/user_roles/);
    await page.goto('/admin/platform-admins');
    const spinner = page.getByRole('main').getByRole('status', { name: 'Loading' });
    await spinner.waitFor({ state: 'attached' });
    const { property, delay } = await spinner.evaluate((element) => {
      const style = getComputedStyle(element);
      return { property: style.transitionProperty, delay: style.transitionDelay };
    });
    expect(property).toContain('opacity');
    expect(delay).toBe('0.2s');
    release();
    await expect(spinner).toHaveCount(0);
  });

  test(
    'keeps a success toast while the pointer is over it, and an error toast until it is dismissed',
    { tag: '@I31' },
    async ({ page }) => {
      await page.clock.install({ time: Date.now() });
      await page.goto('/admin/styleguide');
      await page.getByRole('button', { name: 'Show Toast' }).click();
      await page.getByRole('button', { name: 'Show Destructive Toast' }).click();
      const success = toastWith(page, 'Team notified');
      await success.hover();
      await page.clock.runFor(30_000);
      await expect(success).toBeVisible();
      await page.mouse.move(300, 100);
      await page.clock.runFor(8000);
      await expect(success).toHaveCount(0);
      await page.clock.runFor(60_000);
      await expect(toastWith(page, 'Team not notified')).toBeVisible();
    },
  );

  test('restores the scroll position of a list on Back', { tag: '@I35' }, async ({ page, instance }) => {
    const word = unique('scrolled');
    await insertRows(
      instance,
      'accounts',
      Array.from({ length: 30 }, (_, n) => account(`${word} ${n}`)),
    );
    await openAccounts(page, `?q=${word}`);
    const frame = page.getByRole('region', { name: 'Accounts' });
    await frame.evaluate((element) => element.scrollTo({ top: 500, behavior: 'instant' }));
    await page.getByRole('link', { name: 'Logs', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
    await page.goBack();
    await expect.poll(() => frame.evaluate((element) => element.scrollTop)).toBe(500);
  });
});
