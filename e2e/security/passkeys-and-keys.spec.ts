/** Passkeys, security keys and phones on the security screen and at sign-in. */
import { respondWith, expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { signOutToForm } from '../support/forms.ts';
import { enroll, nextCode } from '../support/second-factor.ts';
import {
  addAuthenticator,
  declineCodes,
  enterPassword,
  itemsIn,
  openSecurity,
  section,
  acceptSuggestedName,
  accounts,
  secondFactorHeading,
  secondFactorsTitle,
} from '../support/security-page.ts';

test.describe('passkeys and security keys', () => {
  // WebAuthn requires a host name, not an IP address.
  test.use({ baseURL: async ({ instance }, use) => use(instance.url.replace('127.0.0.1', 'localhost')) });

  test('adds, names and removes a passkey, which signs the user in', async ({
    page,
    users,
    expectMessage,
  }) => {
    expectMessage(failedLoad(400));
    expectMessage(failedLoad(500));
    const user = await users.create();
    await addAuthenticator(page, 'internal');
    await enterPassword(page, user.email);
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add passkey' });
    await expect(dialog.getByLabel('Name')).toHaveValue('Chrome on Linux');
    await acceptSuggestedName(page);
    await expect(toastWith(page, 'Passkey added')).toContainText('You can now sign in with the passkey ');
    await expect(itemsIn(page, 'Passkeys')).toContainText('Chrome on Linux');

    await page.getByRole('button', { name: 'Add passkey' }).click();
    await acceptSuggestedName(page);
    await expect(dialog.getByText('This device or key is already registered.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(itemsIn(page, 'Passkeys')).toHaveCount(1);

    await page.getByRole('button', { name: 'Rename Chrome on Linux' }).click();
    await page.getByRole('dialog', { name: 'Rename passkey' }).getByLabel('Name').fill('Station laptop');
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Passkey renamed')).toBeVisible();
    await expect(itemsIn(page, 'Passkeys')).toContainText('Station laptop');

    await signOutToForm(page, user.fullName);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(accounts(page)).toBeVisible();
    await expect(toastWith(page, 'Welcome back!')).toBeVisible();
    await openSecurity(page);
    await expect(itemsIn(page, 'Passkeys')).toContainText('last used');

    await page.getByRole('button', { name: 'Remove Station laptop' }).click();
    await page
      .getByRole('alertdialog', { name: 'Remove passkey Station laptop?' })
      .getByRole('button', { name: 'Remove passkey' })
      .click();
    await expect(section(page, 'Passkeys')).toContainText('No passkeys yet.');
    await respondWith(
      page,
      /\/auth\/v1\/passkeys\//,
      500,
      { message: 'The service is unavailable' },
      'PATCH',
    );
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await dialog.getByLabel('Name').fill('Tablet');
    await acceptSuggestedName(page);
    await expect(toastWith(page, 'Passkey added')).toHaveCount(1);
    await expect(toastWith(page, 'Passkey added')).not.toContainText('Tablet');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
    await expect(section(page, 'Passkeys')).toContainText('No passkeys yet.');
    await signOutToForm(page, user.fullName);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByText('This passkey could not be used. Use another sign-in method.')).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
  });

  test('signs in a user with a second factor by a passkey, without a code', async ({
    page,
    users,
    instance,
  }) => {
    const user = await users.create();
    const { totp } = await enroll(instance, user);
    await addAuthenticator(page, 'internal');
    await enterPassword(page, user.email);
    await expect(secondFactorHeading(page)).toBeVisible();
    await page.getByLabel('Code').fill(nextCode(totp));
    await page.keyboard.press('Enter');
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await acceptSuggestedName(page);
    await expect(itemsIn(page, 'Passkeys')).toContainText('Counts as two factors');
    await signOutToForm(page, user.fullName);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await expect(itemsIn(page, secondFactorsTitle)).toContainText('Pier phone');
  });

  test('uses a security key as second factor', async ({ page, users }) => {
    const user = await users.create();
    await addAuthenticator(page, 'usb');
    await enterPassword(page, user.email);
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add security key' }).click();
    await acceptSuggestedName(page);
    await expect(toastWith(page, 'Security key added')).toBeVisible();
    await declineCodes(page);
    await expect(itemsIn(page, secondFactorsTitle)).toContainText('Security key');
    await signOutToForm(page, user.fullName);
    await enterPassword(page, user.email);
    await page.getByRole('button', { name: 'Use security key' }).click();
    await expect(accounts(page)).toBeVisible();
  });
});

test.describe('phones', () => {
  const challengeId = '00000000-0000-4000-8000-0000000000c1';
  const factorId = '00000000-0000-4000-8000-0000000000f1';
  const wrong = { error_code: 'mfa_verification_failed', msg: 'Invalid MFA Phone code entered' };

  test('adds a phone by a code, and removes it on Cancel', async ({ users, openBrowser, expectMessage }) => {
    expectMessage(failedLoad(422));
    const page = await openBrowser(await users.create());
    await respondWith(page, /\/auth\/v1\/settings/, 200, {
      external: { email: true, phone: true },
      passkeys_enabled: false,
    });
    await respondWith(page, /\/auth\/v1\/factors$/, 200, {
      id: factorId,
      type: 'phone',
      friendly_name: 'Phone',
    });
    await respondWith(page, /\/factors\/[^/]+\/challenge$/, 200, {
      id: challengeId,
      type: 'phone',
      expires_at: 4_000_000_000,
    });
    await respondWith(page, /\/factors\/[^/]+\/verify$/, 422, wrong);
    await respondWith(page, /\/factors\/[^/]+$/, 200, { id: factorId }, 'DELETE');
    await openSecurity(page);
    await expect(section(page, 'Passkeys')).toHaveCount(0);
    await page.getByRole('button', { name: 'Add phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add phone' });
    await dialog.getByLabel('Phone number').fill('079 123');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Enter the phone number with its country code')).toBeVisible();
    await dialog.getByLabel('Phone number').fill('+41 79 123 45 67');
    const enrolled = page.waitForRequest(/\/factors$/);
    await page.keyboard.press('Enter');
    expect((await enrolled).postDataJSON()).toEqual({
      friendly_name: 'Phone',
      factor_type: 'phone',
      phone: '+41791234567',
    });
    await dialog.getByLabel('Code').fill('123456');
    const verified = page.waitForRequest(/\/verify$/);
    await page.keyboard.press('Enter');
    expect((await verified).postDataJSON()).toEqual({ challenge_id: challengeId, code: '123456' });
    await expect(
      dialog.getByText('This code is incorrect or can no longer be used. Check the message, or start again.'),
    ).toBeVisible();
    const removed = page.waitForRequest((request) => request.method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await removed).url()).toContain(factorId);
    await expect(section(page, secondFactorsTitle)).toContainText('No second factor yet');
  });

  test('selects one of several second factors and sends a text message on request', async ({
    users,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const created = await users.create();
    const factor = (id: string, type: string, name: string) => ({
      id,
      factor_type: type,
      friendly_name: name,
      status: 'verified',
    });
    const user = {
      ...created.session.user,
      app_metadata: {},
      factors: [
        factor('a1', 'totp', 'Duty phone'),
        factor(factorId, 'phone', 'Private phone'),
        factor('u1', 'mystery', 'From tomorrow'),
      ],
    };
    const page = await openBrowser({ ...created, session: { ...created.session, user } });
    let sent = 0;
    await page.route(/\/challenge$/, (route) => {
      sent += 1;
      return route.fulfill({ json: { id: challengeId, type: 'phone', expires_at: 4_000_000_000 } });
    });
    await respondWith(page, /\/auth\/v1\/user$/, 200, user, 'GET');
    await respondWith(page, /\/verify$/, 422, wrong);
    await page.goto('/auth');
    await expect(secondFactorHeading(page)).toBeVisible();
    await expect(page.getByLabel('Second factor').locator('option')).toHaveText([
      'Duty phone',
      'Private phone',
    ]);
    await page.getByLabel('Second factor').selectOption('Private phone');
    expect(sent).toBe(0);
    await page.getByRole('button', { name: 'Send code to my phone' }).click();
    await expect(page.getByLabel('Code')).toBeFocused();
    expect(sent).toBe(1);
    await page.getByLabel('Code').fill('123456');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This code is incorrect or was already used.')).toBeVisible();
    await page.getByRole('button', { name: 'Send another code' }).click();
    await expect.poll(() => sent).toBe(2);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await expect(page.getByLabel('Recovery code')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter one of your recovery codes')).toBeVisible();
    await page.getByRole('button', { name: 'Use your second factor' }).click();
    await expect(page.getByLabel('Second factor')).toHaveValue(factorId);
  });
});

test('names the reason why an IP address can have no passkeys', async ({ page, users }) => {
  const user = await users.create();
  await addAuthenticator(page, 'internal');
  await enterPassword(page, user.email);
  await expect(accounts(page)).toBeVisible();
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await acceptSuggestedName(page);
  await expect(page.getByText(/do not work at an IP address\. Open http:\/\/localhost/)).toBeVisible();
});
