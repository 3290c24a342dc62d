/** Passkeys, security keys and phones: adding them on the security page, and signing in with them. */
import { respondWith, expect, failedLoad, test, toastWith } from './support/console-fixtures.ts';
import {
  addAuthenticator,
  enterPassword,
  itemsIn,
  openSecurity,
  section,
  signOut,
  acceptSuggestedName,
  accounts,
  secondFactorHeading,
  twoFactorTitle,
} from './support/security-page.ts';

test.describe('passkeys and security keys', () => {
  // They belong to the name that people type, not to a network address.
  test.use({ baseURL: async ({ product }, use) => use(product.url.replace('127.0.0.1', 'localhost')) });

  test('a passkey signs in, has a name, and is removed', async ({ page, people, expectMessage }) => {
    expectMessage(failedLoad(400));
    const person = await people.make();
    await addAuthenticator(page, 'internal');
    await enterPassword(page, person.email);
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add passkey' });
    await expect(dialog.getByLabel('Name')).toHaveValue('Chrome on Linux');
    await acceptSuggestedName(page);
    await expect(toastWith(page, 'Passkey added')).toBeVisible();
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

    await signOut(page, person.fullName);
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
    await signOut(page, person.fullName);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByText('This passkey is not registered. Use another sign-in method.')).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
  });

  test('a security key is the second step', async ({ page, people }) => {
    const person = await people.make();
    await addAuthenticator(page, 'usb');
    await enterPassword(page, person.email);
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add security key' }).click();
    await acceptSuggestedName(page);
    await expect(toastWith(page, 'Security key added')).toBeVisible();
    await expect(itemsIn(page, twoFactorTitle)).toContainText('Security key');
    await signOut(page, person.fullName);
    await enterPassword(page, person.email);
    await page.getByRole('button', { name: 'Use security key' }).click();
    await expect(accounts(page)).toBeVisible();
  });
});

test.describe('phones, where the server sends messages', () => {
  const challengeId = '00000000-0000-4000-8000-0000000000c1';
  const factorId = '00000000-0000-4000-8000-0000000000f1';
  const wrong = { error_code: 'mfa_verification_failed', msg: 'Invalid MFA Phone code entered' };

  test('a phone is added by a code, and giving up takes it back', async ({
    people,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const page = await openBrowser(await people.make());
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
    await expect(dialog.getByText('Incorrect code. Check the message and try again.')).toBeVisible();
    const removed = page.waitForRequest((request) => request.method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await removed).url()).toContain(factorId);
    await expect(section(page, twoFactorTitle)).toContainText('No second factor yet');
  });

  test('of several second steps one is chosen; a message goes out on request', async ({
    people,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const person = await people.make();
    const factor = (id: string, type: string, name: string) => ({
      id,
      factor_type: type,
      friendly_name: name,
      status: 'verified',
    });
    const user = {
      ...person.session.user,
      app_metadata: {},
      factors: [
        factor('a1', 'totp', 'Duty phone'),
        factor(factorId, 'phone', 'Private phone'),
        factor('u1', 'mystery', 'From tomorrow'),
      ],
    };
    const page = await openBrowser({ ...person, session: { ...person.session, user } });
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
