/** Setup of authenticator apps and recovery codes on the security screen, and sign-in with them. */
import { readFileSync } from 'node:fs';
import type { Response } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { signOutToForm } from '../support/forms.ts';
import {
  addApp,
  totpCode,
  enterPassword,
  finishApp,
  itemsIn,
  openSecurity,
  section,
  accounts,
  secondFactorHeading,
  secondFactorsTitle,
} from '../support/security-page.ts';

test.describe('authenticator app', () => {
  test('is added, required at sign-in, and removed by name', async ({
    users,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const user = await users.create();
    const page = await openBrowser(user);
    await openSecurity(page);
    await expect(section(page, secondFactorsTitle)).toContainText('No second factor yet');
    await expect(section(page, 'Recovery codes')).toContainText('Add a second factor first');
    const secret = await addApp(page);
    await expect(toastWith(page, 'Authenticator app added')).toContainText(
      'Any sessions on other devices have ended.',
    );
    await expect(itemsIn(page, secondFactorsTitle)).toHaveCount(1);
    await expect(itemsIn(page, secondFactorsTitle)).toContainText('Duty phone');
    await expect(page.getByRole('heading', { name: secondFactorsTitle })).toBeFocused();

    await signOutToForm(page, user.fullName);
    await enterPassword(page, user.email);
    await expect(secondFactorHeading(page)).toBeVisible();
    await page.goto('/admin/accounts');
    await expect(secondFactorHeading(page)).toBeVisible();
    await page.getByLabel('Code').fill('12345');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter the six-digit code')).toBeVisible();
    await page.getByLabel('Code').fill('000 000');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This code is incorrect or was already used.')).toBeVisible();
    await expect(page.getByLabel('Code')).toBeFocused();
    await page.getByLabel('Code').fill(totpCode(secret, 1));
    await page.keyboard.press('Enter');
    await expect(accounts(page)).toBeVisible();
    await expect(toastWith(page, 'Welcome back!')).toBeVisible();

    await openSecurity(page);
    await page.getByRole('button', { name: 'Remove Duty phone' }).click();
    const confirmation = page.getByRole('alertdialog', { name: 'Remove Duty phone?' });
    await expect(confirmation).toContainText('your password alone signs you in');
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Remove Duty phone' })).toBeFocused();
    await page.keyboard.press('Enter');
    await confirmation.getByRole('button', { name: 'Remove second factor' }).click();
    await expect(toastWith(page, 'Second factor removed')).toBeVisible();
    await expect(section(page, secondFactorsTitle)).toContainText('No second factor yet');
    await expect(page.getByRole('heading', { name: secondFactorsTitle })).toBeFocused();

    await signOutToForm(page, user.fullName);
    await enterPassword(page, user.email);
    await expect(accounts(page)).toBeVisible();
  });

  test('keeps the session if tabs are rejected before the response has arrived', async ({
    users,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(403));
    expectMessage(/The profile could not be loaded/);
    const page = await openBrowser(await users.create());
    const other = await page.context().newPage();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const verified = new Promise<void>((resolve) => {
      void page.route(/\/factors\/.+\/verify$/, async (route) => {
        const response = await route.fetch();
        resolve();
        await released;
        await route.fulfill({ response });
      });
    });
    // A read that the service processes after the verification.
    await page.route(/\/rest\/v1\/profiles/, (route) => verified.then(() => route.continue()));
    await other.goto('/admin/accounts');
    await expect(accounts(other)).toBeVisible();
    await openSecurity(page);

    const isRejected = (response: Response): boolean => response.status() === 403;
    const rejected = [page.waitForResponse(isRejected), other.waitForResponse(isRejected)];
    const added = addApp(page);
    await verified;
    await other.reload();
    await Promise.all(rejected);
    await expect(secondFactorHeading(other)).toBeVisible();
    release();
    await added;
    await expect(toastWith(page, 'Authenticator app added')).toBeVisible();
    await expect(accounts(other)).toBeVisible();
    await page.reload();
    await expect(itemsIn(page, secondFactorsTitle)).toContainText('Duty phone');
  });

  test('rejects an incorrect first code, and Cancel frees the name', async ({
    users,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const page = await openBrowser(await users.create());
    await page.goto('/admin/me/security?add=app');
    const dialog = page.getByRole('dialog', { name: 'Add authenticator app' });
    await dialog.getByLabel('Name').fill('  ');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Enter a name')).toBeVisible();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await dialog.getByLabel('Name').fill('Spare phone');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('img')).toHaveJSProperty('complete', true);
    expect(
      await dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(0);
    await expect(dialog.getByLabel('Code')).toBeFocused();
    await dialog.getByLabel('Code').fill('000000');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('This code is incorrect or was already used.')).toBeVisible();
    const unenrolled = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect((await unenrolled).status()).toBe(200);
    await expect(page).toHaveURL(/security$/);
    await expect(section(page, secondFactorsTitle)).toContainText('No second factor yet');
    await addApp(page, 'Spare phone');
    await expect(itemsIn(page, secondFactorsTitle)).toContainText('Spare phone');
  });

  test('can reuse the name after a reload, and requires the other factor after removal of the used one', async ({
    users,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const page = await openBrowser(await users.create());
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Duty phone');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    const first = await addApp(page);
    await page.getByRole('button', { name: 'Add second factor' }).click();
    await page.getByRole('menuitem', { name: 'Add authenticator app' }).click();
    await finishApp(page, 'Spare phone');
    await expect(toastWith(page, 'Authenticator app added')).toContainText('You can also use its code');
    await expect(itemsIn(page, secondFactorsTitle)).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove Spare phone' }).click();
    const confirmation = page.getByRole('alertdialog');
    await expect(confirmation).toContainText('you must verify another second factor next');
    await confirmation.getByRole('button', { name: 'Remove second factor' }).click();
    await expect(secondFactorHeading(page)).toBeVisible();
    await page.getByLabel('Code').fill(totpCode(first, 1));
    await page.keyboard.press('Enter');
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await expect(itemsIn(page, secondFactorsTitle)).toHaveCount(1);
    await expect(itemsIn(page, secondFactorsTitle)).toContainText('Duty phone');
  });
});

test('accepts a recovery code once', async ({ users, openBrowser, expectMessage }) => {
  expectMessage(failedLoad(422));
  const user = await users.create();
  const page = await openBrowser(user);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await finishApp(page, 'Duty phone');
  // The first factor leads to its recovery codes.
  const offer = page.getByRole('alertdialog', { name: 'Generate recovery codes now?' });
  await expect(offer).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await offer.getByRole('button', { name: 'Generate recovery codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  const items = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(items).toHaveCount(10);
  const codes = await items.allInnerTexts();
  await expect(items.first()).toHaveAttribute('translate', 'no');
  expect(new Set(codes).size).toBe(10);
  await dialog.getByRole('button', { name: 'Copy codes' }).click();
  await expect(dialog.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  await page.evaluate(() => {
    globalThis.print = () => void (document.documentElement.dataset['printed'] = 'yes');
  });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as file' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
  expect(lines.slice(0, 3)).toEqual([
    expect.stringContaining('recovery codes'),
    expect.stringContaining(`For ${user.email}, generated on`),
    '',
  ]);
  expect(lines.slice(3, -1)).toEqual(codes);
  await dialog.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(`For ${user.email}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.keyboard.press('Escape');
  await expect(items).toHaveCount(10);
  // They cannot be shown again, so Back does not reopen the dialog of the app, and a reload asks.
  await page.goBack();
  const question = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await (await question).dismiss();
  await expect(items).toHaveText(codes);
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'I have saved these codes' }).click();
  await expect(section(page, 'Recovery codes')).toContainText('10 of 10 codes left');
  await expect(page.locator('body')).not.toContainText(codes[0] ?? '');

  const [code = ''] = codes;
  await signOutToForm(page, user.fullName);
  await enterPassword(page, user.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code.toLowerCase().replaceAll('-', ' '));
  await page.keyboard.press('Enter');
  await expect(accounts(page)).toBeVisible();
  await expect(toastWith(page, 'You used a recovery code')).toContainText('9 of 10 recovery codes are left.');
  await openSecurity(page);
  await expect(section(page, 'Recovery codes')).toContainText('9 of 10 codes left');

  await signOutToForm(page, user.fullName);
  await enterPassword(page, user.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This recovery code is incorrect or was already used.')).toBeVisible();
  await page.route(/\/factors\/recovery-codes$/, (route) =>
    route.fulfill({ json: { id: 'x', type: 'recovery_code', total: 10, remaining: 1 } }),
  );
  await page.getByLabel('Recovery code').fill(codes[1] ?? '');
  await page.keyboard.press('Enter');
  await expect(accounts(page)).toBeVisible();
  const few = toastWith(page, 'You used a recovery code');
  await expect(few).toContainText('1 of 10 recovery codes is left. Generate new codes before you run out.');
  expect(await violationsOn(page)).toEqual([]);
  await page.unroute(/\/factors\/recovery-codes$/);
  await few.getByRole('button', { name: 'Generate new codes' }).click();
  await expect(page).toHaveURL(/\/admin\/me\/security$/);
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Generate new codes' }).click();
  await expect(dialog).toBeVisible();
  await expect(dialog).not.toContainText(codes[2] ?? '');
  await dialog.getByRole('button', { name: 'I have saved these codes' }).click();
  await expect(section(page, 'Recovery codes')).toContainText('10 of 10 codes left');
});
