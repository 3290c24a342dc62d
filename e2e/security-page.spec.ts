/** The security page around second steps: sessions, linked sign-ins, and the states of its parts. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { answerWith, expect, failedLoad, hold, test, toastWith } from './support/console-test.ts';
import type { Person } from './support/people.ts';
import { itemsOf, openSecurity, section } from './support/security-page.ts';

test.describe('sessions', () => {
  const sessions = 'Where you are signed in';

  test('one other session, then all others, are signed out', async ({
    people,
    openBrowser,
    product,
    request,
  }) => {
    const person = await people.make();
    const elsewhere: Person[] = [];
    for (const device of [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6) Version/18.6 Mobile/1 Safari/604.1',
      'curl/8.5.0',
    ]) {
      const answer = await request.post(`${product.url}/auth/v1/token?grant_type=password`, {
        headers: { apikey: product.anonKey(), 'User-Agent': device },
        data: { email: person.email, password: 'lantern on the pier 7' },
      });
      elsewhere.push({ ...person, session: (await answer.json()) as Person['session'] });
    }
    const page = await openBrowser(person);
    await openSecurity(page);
    // This one, the one in which the password was set, and the two.
    await expect(itemsOf(page, sessions)).toHaveCount(4);
    await expect(itemsOf(page, sessions).first()).toContainText('This device');
    await expect(itemsOf(page, sessions).first().getByRole('button')).toHaveCount(0);
    await expect(itemsOf(page, sessions).filter({ hasText: 'Safari on iPhone' })).toContainText('127.0.0.1');

    const [phone] = elsewhere;
    const lost = await openBrowser(phone ?? null);
    await lost.goto('/admin/logs');
    await expect(lost.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: /^Sign out Safari on iPhone at / }).click();
    await page
      .getByRole('alertdialog', { name: 'Sign out Safari on iPhone?' })
      .getByRole('button', { name: 'Sign out device' })
      .click();
    await expect(toastWith(page, 'Signed out there')).toBeVisible();
    await expect(itemsOf(page, sessions)).toHaveCount(3);

    await page.getByRole('button', { name: 'Sign out others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out others' }).click();
    await expect(toastWith(page, 'Signed out everywhere else')).toBeVisible();
    await expect(itemsOf(page, sessions)).toHaveCount(1);
    await expect(section(page, sessions)).toContainText('You are signed in nowhere else.');
    await expect(page.getByRole('button', { name: 'Sign out others' })).toHaveCount(0);
    for (const { session } of elsewhere) {
      const answer = await request.get(`${product.url}/auth/v1/user`, {
        headers: { apikey: product.anonKey(), Authorization: `Bearer ${session.access_token}` },
      });
      expect(answer.status()).toBe(403);
    }
    await page.reload();
    await expect(itemsOf(page, sessions)).toHaveCount(1);
  });
});

test.describe('linked sign-ins', () => {
  test.use({ as: 'plain' });

  test('the only one stays', async ({ page }) => {
    await openSecurity(page);
    await expect(itemsOf(page, 'Linked sign-ins')).toContainText('Email and password');
    await expect(itemsOf(page, 'Linked sign-ins')).toContainText('It is your only one, so it stays.');
    await expect(section(page, 'Linked sign-ins').getByRole('button')).toHaveCount(0);
  });

  test('one of two is unlinked by name', async ({ page, people }) => {
    const { id, email } = await people.plain();
    const identity = (provider: string) => ({
      identity_id: `00000000-0000-4000-8000-00000000000${provider.length}`,
      id: provider,
      user_id: id,
      provider,
      identity_data: { email: `robin@${provider}.example` },
      created_at: '2026-05-01T08:00:00Z',
    });
    let identities = [identity('email'), identity('google')];
    await page.route(/\/auth\/v1\/user$/, (route) =>
      route.fulfill({
        json: {
          id,
          email,
          aud: 'authenticated',
          app_metadata: {},
          user_metadata: {},
          identities,
          created_at: '2026-05-01T08:00:00Z',
        },
      }),
    );
    await page.route(/\/auth\/v1\/user\/identities\//, (route) => {
      identities = identities.slice(0, 1);
      return route.fulfill({ json: {} });
    });
    await openSecurity(page);
    await page.getByRole('button', { name: 'Unlink Google' }).click();
    const question = page.getByRole('alertdialog', { name: 'Unlink Google?' });
    await expect(question).toContainText('robin@google.example');
    const asked = page.waitForRequest((request) => request.method() === 'DELETE');
    await question.getByRole('button', { name: 'Unlink sign-in' }).click();
    expect((await asked).url()).toContain(identity('google').identity_id);
    await expect(toastWith(page, 'Sign-in unlinked')).toBeVisible();
    await expect(itemsOf(page, 'Linked sign-ins')).toHaveCount(1);
  });
});

test.describe('states of the page', () => {
  test.use({ as: 'plain' });

  test('the footer menu leads there, also without a role', async ({ page }) => {
    await page.goto('/admin/logs');
    await page.getByRole('complementary').getByRole('button', { name: 'Pat Plain' }).click();
    await page.getByRole('menuitem', { name: 'Security' }).click();
    await expect(page).toHaveURL(/\/admin\/me\/security$/);
    await expect(page).toHaveTitle(/^Security/);
    await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeFocused();
  });

  test('shapes of rows while it loads, an error with Retry in one part only', async ({
    page,
    expectMessage,
  }) => {
    expectMessage(failedLoad(500));
    const held = await hold(page, /\/auth\/v1\/user\/sessions/);
    await openSecurity(page);
    await expect(section(page, 'Where you are signed in').locator('[data-skeleton]').first()).toBeVisible();
    await expect(itemsOf(page, 'Linked sign-ins')).toHaveCount(1);
    held.release();
    await expect(itemsOf(page, 'Where you are signed in').first()).toBeVisible();

    await answerWith(page, /\/auth\/v1\/passkeys/, 500, {
      code: 'unexpected_failure',
      message: 'The service is resting',
    });
    await page.reload();
    const passkeys = section(page, 'Passkeys');
    await expect(passkeys).toContainText('Your passkeys could not be loaded');
    await expect(itemsOf(page, 'Linked sign-ins')).toHaveCount(1);
    await page.unroute(/\/auth\/v1\/passkeys/);
    await passkeys.getByRole('button', { name: 'Retry' }).click();
    await expect(passkeys).toContainText('No passkeys yet.');
  });

  test('without network what was loaded stays, and a change says why it failed', async ({
    page,
    context,
    expectMessage,
  }) => {
    expectMessage(/ERR_INTERNET_DISCONNECTED/);
    await openSecurity(page);
    await expect(section(page, 'Passkeys')).toContainText('No passkeys yet.');
    await page.getByRole('button', { name: 'Add authenticator app' }).hover();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await page.keyboard.press('Enter');
    await expect(
      page.getByText('The service cannot be reached. Check your connection and try again.'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(itemsOf(page, 'Linked sign-ins')).toHaveCount(1);
    await context.setOffline(false);
  });

  for (const width of [1280, 375]) {
    for (const theme of ['light', 'dark']) {
      test(`X15 accessibility rules hold at ${width} px, ${theme}`, async ({ page }) => {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({
          reducedMotion: 'reduce',
          colorScheme: theme === 'dark' ? 'dark' : 'light',
        });
        await openSecurity(page);
        await expect(itemsOf(page, 'Linked sign-ins')).toHaveCount(1);
        await expect(section(page, 'Passkeys')).toContainText('No passkeys yet.');
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Add authenticator app' }).click();
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
        await expectAccessible(page);
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(wide, 'sideways scrolling').toBe(0);
        await page.keyboard.press('Escape');
      });
    }
  }
});

async function expectAccessible(page: Page): Promise<void> {
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode(true).analyze();
  expect(
    violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target.join(' ')}`)),
  ).toEqual([]);
}
