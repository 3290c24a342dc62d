/** The session watch, in which a page learns that its session has ended. */
import { expect, failedLoad, sessionWatch, test } from '../support/console-fixtures.ts';
import { openAdmins } from '../support/admins-page.ts';
import { signOutToForm } from '../support/forms.ts';

test('signs a removed administrator out of an idle tab', async ({ users, openBrowser, expectMessage }) => {
  const user = await users.create({ fullName: 'Ida Idle' });
  const otherPage = await openBrowser(user);
  const watch = otherPage.waitForRequest(sessionWatch);
  await openAdmins(otherPage);
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  await watch;
  await users.remove(user.email);
  await expect(otherPage).toHaveURL(/\/auth(\?|$)/);
  await expect(otherPage.getByText(user.email)).toHaveCount(0);
});

test('ends the session watch before it signs out', async ({ users, openBrowser }) => {
  const user = await users.create({ fullName: 'Wanda Watch' });
  const page = await openBrowser(user);
  const watch = page.waitForRequest(sessionWatch);
  await page.goto('/admin/logs');
  const request = await watch;
  await page.route(/\/auth\/v1\/logout/, async (route) => {
    const response = await route.fetch();
    // Keeps the page open until the page has ended the session watch, or the service has responded to it.
    await request.response();
    await route.fulfill({ response });
  });
  await signOutToForm(page, user.fullName);
  expect(await request.response()).toBeNull();
});
