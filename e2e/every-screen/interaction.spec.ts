/** Interaction rules that apply to every screen. */
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { dialog, openAccounts, openDialog, panel, rowFor, rows } from '../support/accounts-page.ts';
import { openAdmins, resend } from '../support/admins-page.ts';
import { emailField, passwordField, requestsTo } from '../support/forms.ts';
import { account, insertRows, listRows, unique } from '../support/api.ts';
import { testPassword } from '../support/users.ts';

test.describe('before hydration', () => {
  for (const press of ['Enter', 'Sign In'] as const) {
    test(
      `holds a submit with ${press}, and sends it afterwards`,
      { tag: ['@C014', '@C022'] },
      async ({ page, users }) => {
        const { email } = await users.plain();
        const { release } = await holdRequests(page, /\/assets\/.*\.js$/);
        await page.goto('/auth', { waitUntil: 'commit' });
        await emailField(page).fill(email);
        await passwordField(page).fill(testPassword);
        if (press === 'Enter') await passwordField(page).press('Enter');
        else await page.getByRole('button', { name: 'Sign In' }).click();
        await expect(page).toHaveURL(/\/auth$/);
        await expect(passwordField(page)).toHaveValue(testPassword);
        release();
        await expect(page).toHaveURL(/\/admin\/accounts$/);
      },
    );
  }

  test('holds a press on Forgot password', async ({ page }) => {
    const { release } = await holdRequests(page, /\/assets\/.*\.js$/);
    await page.goto('/auth', { waitUntil: 'commit' });
    await emailField(page).fill('early@example.org');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    release();
    await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
    await expect(emailField(page)).toHaveValue('early@example.org');
  });

  test('repeats the last press only, and no submit of input that has changed since', async ({ page }) => {
    const signIns = requestsTo(page, /grant_type=password/);
    const { release } = await holdRequests(page, /\/assets\/.*\.js$/);
    await page.goto('/auth', { waitUntil: 'commit' });
    await emailField(page).fill('early@example.org');
    await passwordField(page).fill(testPassword);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-held');
    await passwordField(page).press('End');
    await page.keyboard.type('x');
    await expect(page.locator('html')).not.toHaveAttribute('data-held');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    release();
    await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
    expect(signIns).toEqual([]);
  });

  test('lets a submit load the page again if its script cannot be loaded', async ({
    page,
    expectMessage,
  }) => {
    expectMessage(/net::ERR_FAILED/);
    const script = /\/assets\/auth.*\.js$/;
    let fail = (): void => undefined;
    const failed = new Promise<void>((resolve) => (fail = resolve));
    await page.route(script, async (route) => {
      await failed;
      await route.abort('failed');
    });
    await page.goto('/auth', { waitUntil: 'commit' });
    await emailField(page).fill('early@example.org');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-held');
    fail();
    await expect(page.locator('html')).not.toHaveAttribute('data-held');
    await page.unroute(script);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(emailField(page)).toHaveValue('');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  });

  test('keeps the input', async ({ page }) => {
    const { release } = await holdRequests(page, /\/assets\/.*\.js$/);
    await page.goto('/auth', { waitUntil: 'commit' });
    await emailField(page).fill('early@example.org');
    release();
    await page.waitForLoadState('load');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
    await expect(emailField(page)).toHaveValue('early@example.org');
  });
});

test.describe('theme', () => {
  test.use({ as: 'administrator', colorScheme: 'dark' });

  test(
    'applies the system theme, or the chosen one, before the first paint',
    { tag: '@I41' },
    async ({ page }) => {
      // The bundle is blocked, so only the boot script can set the theme.
      await page.route(/\/assets\/.*\.js$/, () => undefined);
      await page.goto('/admin/logs', { waitUntil: 'commit' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await page.evaluate(() => localStorage.setItem('theme', 'light'));
      await page.goto('/auth', { waitUntil: 'commit' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    },
  );
});

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  test(
    'closes the panel and the dialog on Back, then leaves the screen, and sets the title',
    { tag: ['@C097', '@I34', '@I35'] },
    async ({ page, instance }) => {
      const name = unique('history');
      await insertRows(instance, 'accounts', [account(name)]);
      await page.goto('/admin/logs');
      await expect(page).toHaveTitle('Logs - Lanternrock');
      await page.getByRole('link', { name: 'Accounts' }).click();
      await expect(page).toHaveTitle('Accounts - Lanternrock');
      await rowFor(page, name).getByRole('link').click();
      await expect(panel(page, name)).toBeVisible();
      await page.goBack();
      await expect(panel(page, name)).toHaveCount(0);
      await expect(page).toHaveURL(/\/admin\/accounts$/);
      await openDialog(page);
      await page.goBack();
      await expect(dialog(page)).toHaveCount(0);
      await page.goBack();
      await expect(page).toHaveURL(/\/admin\/logs/);
    },
  );

  test(
    'highlights a created account in the list and shows one toast',
    { tag: ['@C282', '@I30', '@I38'] },
    async ({ page }) => {
      const name = unique('fresh');
      await openAccounts(page);
      const form = await openDialog(page);
      await form.getByLabel('Account Name').fill(name);
      await form.getByLabel('Type').selectOption('organization');
      await form.getByRole('button', { name: 'Create Account' }).click();
      await expect(rowFor(page, name)).toHaveAttribute('data-created', '');
      await expect(page.getByText(`${name} has been successfully created.`)).toHaveCount(1);
      await expect(toastWith(page, 'Account created')).toHaveCount(1);
    },
  );

  test('keeps the width of a pending button', { tag: ['@C107', '@I15'] }, async ({ page }) => {
    await openAccounts(page);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(unique('width'));
    await form.getByLabel('Type').selectOption('organization');
    const before = await form.getByRole('button', { name: 'Create Account' }).boundingBox();
    const { release } = await holdRequests(page, /\/rest\/v1\/accounts(\?|$)/);
    await form.getByRole('button', { name: 'Create Account' }).click();
    const busy = form.getByRole('button', { name: 'Creating...' });
    await expect(busy).toBeVisible();
    expect((await busy.boundingBox())?.width).toBeGreaterThanOrEqual(Math.floor(before?.width ?? 0));
    release();
    await expect(dialog(page)).toHaveCount(0);
  });

  test(
    'shows rows at the position of their skeletons',
    { tag: ['@C148', '@I1', '@I23'] },
    async ({ page, instance }) => {
      await insertRows(instance, 'accounts', [account(unique('shift'))]);
      const { release } = await holdRequests(page, /\/rest\/v1\/accounts/);
      await page.goto('/admin/accounts');
      const skeleton = await page.locator('[data-skeleton-row]').first().boundingBox();
      release();
      await expect(page.locator('[data-skeleton-row]')).toHaveCount(0);
      const row = await rows(page).first().boundingBox();
      expect(row?.y).toBe(skeleton?.y);
      expect(row?.height).toBe(skeleton?.height);
      expect(row?.height).toBeGreaterThanOrEqual(40);
      expect(row?.height).toBeLessThanOrEqual(48);
    },
  );

  test('keeps rows during a refetch', { tag: ['@C282', '@I27'] }, async ({ page, instance }) => {
    const [listed, created] = [unique('listed'), unique('created')];
    await insertRows(instance, 'accounts', [account(listed)]);
    await openAccounts(page);
    await expect(rowFor(page, listed)).toBeVisible();
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(created);
    await form.getByLabel('Type').selectOption('organization');
    const { release } = await holdRequests(page, /\/rest\/v1\/accounts\?.*order=/);
    const refetch = page.waitForRequest(/\/rest\/v1\/accounts\?.*order=/);
    await form.getByRole('button', { name: 'Create Account' }).click();
    await refetch;
    await expect(rowFor(page, listed)).toBeVisible();
    await expect(page.locator('[data-skeleton-row]')).toHaveCount(0);
    release();
    await expect(rowFor(page, created)).toBeVisible();
  });

  test(
    'opens the link of a row in a new tab on Ctrl+click',
    { tag: '@I14' },
    async ({ page, context, instance }) => {
      const name = unique('tab');
      await insertRows(instance, 'accounts', [account(name)]);
      await openAccounts(page, `?q=${name}`);
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        rowFor(page, name)
          .getByRole('link')
          .click({ modifiers: ['Control'] }),
      ]);
      await expect(panel(opened, name)).toBeVisible();
      await expect(panel(page, name)).toHaveCount(0);
    },
  );

  test('keeps a search text that looks like a number or like JSON', async ({ page }) => {
    for (const text of ['662E41', '007', 'true', 'null', '"112"', '[1]', '{"a":1}', '50%', 'a+b', '🏔️']) {
      await openAccounts(page, `?q=${encodeURIComponent(text)}`);
      await expect(page.getByRole('searchbox')).toHaveValue(text);
    }
    // Also written by the router, and read again.
    await page.getByRole('searchbox').fill(' 1e3 ');
    await expect(page).toHaveURL(/[?&]q=\+1e3\+/);
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue(' 1e3 ');
  });

  test('ignores invalid search params', async ({ page }) => {
    await openAccounts(page, '?type=foo&rows=7&q=&new=maybe&account=');
    await expect(page.getByLabel('Rows per page')).toHaveValue('10');
    await expect(page.getByLabel('Type', { exact: true })).toHaveValue('all');
    await page.goto('/admin/accounts?account=00000000-0000-4000-8000-000000000000');
    await expect(
      page.getByText('This account does not exist or you do not have access to it.'),
    ).toBeVisible();
  });

  test('shows the first result of a search that begins at the end of the list', async ({
    page,
    instance,
  }) => {
    const name = unique('scrolled');
    await insertRows(
      instance,
      'accounts',
      Array.from({ length: 60 }, (_, index) => account(`${name} ${index}`)),
    );
    await openAccounts(page, `?q=${name}`);
    await rowFor(page, `${name} 59`).getByRole('link').focus();
    await page.keyboard.press('End');
    await expect(page.getByRole('row').last().getByRole('link')).toBeFocused();
    const list = page.locator('[data-scroll-restoration-id="accounts"]');
    expect(await list.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
    await page.getByRole('searchbox').pressSequentially(' ');
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(0);
  });

  test('shows that the browser is offline, keeps the data, and shows a failed save', async ({
    page,
    context,
    instance,
    expectMessage,
  }) => {
    expectMessage(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    const name = unique('offline');
    await openAccounts(page);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(name);
    await form.getByLabel('Type').selectOption('organization');
    await context.setOffline(true);
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(toastWith(page, 'Error creating account')).toContainText('cannot be reached');
    await expect(form.getByLabel('Account Name')).toHaveValue(name);
    // The first check can still reach the service. The next ones follow after one, two and four seconds.
    await expect(page.getByText('You are offline.', { exact: false })).toBeVisible({ timeout: 20_000 });
    await context.setOffline(false);
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(dialog(page)).toHaveCount(0);
    expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toHaveLength(1);
  });

  test(
    'queues a fourth toast, drops none, and keeps errors',
    { tag: '@I31' },
    async ({ page, users, expectMessage }) => {
      expectMessage(failedLoad(500));
      const emails = [1, 2, 3, 4].map(() => `${unique('fourth')}@example.org`);
      for (const email of emails) await users.invite(email, 'Fay Fourth');
      await openAdmins(page);
      const resending = /\/functions\/v1\/send-user-invitation/;
      const failWith = (message: string) =>
        respondWith(page, resending, 500, { code: 'unexpected_failure', message });
      for (const [index, email] of emails.entries()) {
        await failWith(`Not now ${index}`);
        await resend(page, email).click();
        await expect(toastWith(page, `Not now ${index}`)).toBeVisible();
        await expect(toastWith(page, 'Failed to resend invitation')).toHaveCount(Math.min(index + 1, 3));
      }
      await expect(page.getByText('1 more')).toBeVisible();
      // A retry replaces the toast of its action only.
      await failWith('Still not');
      await resend(page, emails[0] ?? '').click();
      await expect(toastWith(page, 'Still not')).toBeVisible();
      await expect(toastWith(page, 'Failed to resend invitation')).toHaveCount(3);
      await expect(page.getByText('1 more')).toBeVisible();
      await expect(toastWith(page, 'Not now 0')).toHaveCount(0);
      await page.getByRole('button', { name: 'Dismiss all' }).click();
      await expect(toastWith(page, 'Failed to resend invitation')).toHaveCount(0);
    },
  );

  test(
    'shows a success for its whole time while newer errors wait',
    { tag: '@I31' },
    async ({ page, users, expectMessage }) => {
      expectMessage(failedLoad(500));
      await page.clock.install();
      const emails = [1, 2, 3, 4].map(() => `${unique('pushed')}@example.org`);
      for (const email of emails) await users.invite(email, 'Pia Pushed');
      await openAdmins(page);
      await resend(page, emails[0] ?? '').click();
      await expect(toastWith(page, 'Email resent!')).toBeVisible();
      await respondWith(page, /\/functions\/v1\/send-user-invitation/, 500, {
        code: 'unexpected_failure',
        message: 'Not now',
      });
      for (const email of emails.slice(1)) await resend(page, email).click();
      await expect(page.getByText('1 more')).toBeVisible();
      await expect(toastWith(page, 'Email resent!')).toBeVisible();
      await expect(toastWith(page, 'Not now')).toHaveCount(2);
      await page.clock.fastForward(10_000);
      await expect(toastWith(page, 'Email resent!')).toHaveCount(0);
      await expect(toastWith(page, 'Not now')).toHaveCount(3);
      await expect(page.getByText('1 more')).toHaveCount(0);
    },
  );
});

test.describe('reduced motion', () => {
  test.use({ as: 'administrator', contextOptions: { reducedMotion: 'reduce' } });

  test('animates nothing', { tag: '@I40' }, async ({ page, instance }) => {
    const name = unique('still');
    await insertRows(instance, 'accounts', [account(name)]);
    await openAccounts(page, `?q=${name}`);
    await rowFor(page, name).getByRole('link').click();
    await expect(panel(page, name)).toBeVisible();
    const moving = await panel(page, name).evaluate((element) => {
      const style = getComputedStyle(element);
      return (
        style.transitionProperty !== 'none' &&
        style.transitionDuration.split(',').some((time) => parseFloat(time) > 0.01)
      );
    });
    expect(moving).toBe(false);
  });
});
