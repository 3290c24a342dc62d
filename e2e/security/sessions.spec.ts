/** Lists and revokes sessions on the security screen. */
import { expect, failedLoad, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { type TestUser, testPassword } from '../support/users.ts';
import { itemsIn, openSecurity, section } from '../support/security-page.ts';

test.describe('sessions', () => {
  const sessions = 'Active sessions';

  test('signs out one other session, then all others', async ({
    users,
    openBrowser,
    instance,
    request,
    expectMessage,
  }) => {
    // The page of the revoked session detects it after some seconds.
    for (const status of [400, 401]) expectMessage(failedLoad(status));
    const user = await users.create();
    const otherSessions: TestUser[] = [];
    for (const device of [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6) Version/18.6 Mobile/1 Safari/604.1',
      'curl/8.5.0',
    ]) {
      const response = await request.post(`${instance.url}/auth/v1/token?grant_type=password`, {
        headers: { apikey: instance.anonKey(), 'User-Agent': device },
        data: { email: user.email, password: 'lantern on the pier 7' },
      });
      otherSessions.push({ ...user, session: (await response.json()) as TestUser['session'] });
    }
    const page = await openBrowser(user);
    await openSecurity(page);
    // The current session and the two others.
    await expect(itemsIn(page, sessions)).toHaveCount(3);
    await expect(itemsIn(page, sessions).first()).toContainText('This device');
    await expect(itemsIn(page, sessions).first()).toContainText('Active now');
    // Not renewed since their sign-in.
    await expect(section(page, sessions).getByText(/renewed|used/)).toHaveCount(0);
    await expect(section(page, sessions)).toContainText(
      'A session renews itself about every 60 minutes while it is in use.',
    );
    await expect(itemsIn(page, sessions).first().getByRole('button')).toHaveCount(0);
    await expect(itemsIn(page, sessions).filter({ hasText: 'Safari on iPhone' })).toContainText('127.0.0.1');

    const [phone] = otherSessions;
    const lost = await openBrowser(phone ?? null);
    await lost.goto('/admin/logs');
    await expect(lost.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
    const reading = await holdRequests(page, /\/auth\/v1\/user\/sessions$/);
    await page.getByRole('button', { name: /^Sign out Safari on iPhone at / }).click();
    const question = page.getByRole('alertdialog', { name: 'Sign out Safari on iPhone?' });
    await question.getByRole('button', { name: 'Sign out device' }).click();
    await expect(toastWith(page, 'Session ended')).toBeVisible();
    // The dialog of another session does not wait until the sessions are read again.
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toHaveCount(0);
    await page.getByRole('button', { name: /^Sign out (?!Safari|others)/ }).click();
    const next = page.getByRole('alertdialog');
    await expect(next.getByRole('button', { name: 'Sign out device' })).toBeEnabled();
    await next.getByRole('button', { name: 'Cancel' }).click();
    reading.release();
    await expect(itemsIn(page, sessions)).toHaveCount(2);

    await page.getByRole('button', { name: 'Sign out others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out others' }).click();
    await expect(toastWith(page, 'Signed out everywhere else')).toBeVisible();
    await expect(itemsIn(page, sessions)).toHaveCount(1);
    await expect(section(page, sessions)).toContainText('You have no other sessions.');
    await expect(page.getByRole('button', { name: 'Sign out others' })).toHaveCount(0);
    for (const { session } of otherSessions) {
      const response = await request.get(`${instance.url}/auth/v1/user`, {
        headers: { apikey: instance.anonKey(), Authorization: `Bearer ${session.access_token}` },
      });
      expect(response.status()).toBe(403);
    }
    await page.reload();
    await expect(itemsIn(page, sessions)).toHaveCount(1);
  });

  test('moves the focus to the first session that Show all added', async ({
    users,
    openBrowser,
    instance,
    request,
  }) => {
    const user = await users.create();
    const login = { email: user.email, password: testPassword };
    for (let count = 0; count < 7; count += 1) {
      const url = `${instance.url}/auth/v1/token?grant_type=password`;
      const response = await request.post(url, { headers: { apikey: instance.anonKey() }, data: login });
      expect(response.status()).toBe(200);
    }
    const page = await openBrowser(user);
    await openSecurity(page);
    await expect(itemsIn(page, sessions)).toHaveCount(6);
    await page.getByRole('button', { name: 'Show all 8' }).press('Enter');
    await expect(itemsIn(page, sessions)).toHaveCount(8);
    await expect(itemsIn(page, sessions).nth(6)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(itemsIn(page, sessions).nth(6).getByRole('button')).toBeFocused();
  });
});
