/** Locators, steps and virtual authenticators for tests of the security screen. */
import { expect, type Locator, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { testPassword } from './users.ts';

/** Title of the section with the second factors. */
export const secondFactorsTitle = 'Two-factor authentication';
/** Heading of the screen after a sign-in. */
export const accounts = (page: Page): Locator => page.getByRole('heading', { name: 'Accounts', level: 1 });
export const secondFactorHeading = (page: Page): Locator =>
  page.getByRole('heading', { name: "Confirm It's You" });

export async function openSecurity(page: Page): Promise<void> {
  await page.goto('/admin/me/security');
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible();
}

export const section = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: title, exact: true });
export const itemsIn = (page: Page, title: string): Locator => section(page, title).getByRole('listitem');

/**
 * Returns the code of an authenticator app.
 *
 * @param stepsAhead time steps of 30 s after the current one, because the service accepts each code once
 */
export function totpCode(secret: string, stepsAhead = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  return totp.generate({ timestamp: Date.now() + stepsAhead * 30_000 });
}

/** Adds the first authenticator app. Returns its secret. */
export async function addApp(page: Page, name = 'Duty phone'): Promise<string> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const secret = await finishApp(page, name);
  await declineCodes(page);
  return secret;
}

/** Closes the dialog that offers recovery codes after the first second factor. */
export async function declineCodes(page: Page): Promise<void> {
  const offer = page.getByRole('alertdialog', { name: 'Generate recovery codes now?' });
  await offer.getByRole('button', { name: 'Later' }).click();
  await expect(offer).toHaveCount(0);
}

/** Completes the open dialog. Returns the secret of the app. */
export async function finishApp(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Add authenticator app' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img')).toBeVisible();
  const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '');
  await dialog.getByLabel('Code').fill(totpCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog).toHaveCount(0);
  return secret;
}

/** Submits the suggested name. Waits for the focus first, because an earlier Enter reaches the opener. */
export async function acceptSuggestedName(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
}

/** Signs in with the password. */
export async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/**
 * Adds a virtual authenticator to the browser: a device for passkeys ('internal') or a security key ('usb').
 *
 * @param options.verifiesUser false for a key without PIN, which only checks that a person is present
 */
export async function addAuthenticator(
  page: Page,
  transport: 'internal' | 'usb',
  { verifiesUser = true } = {},
): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: verifiesUser,
      isUserVerified: verifiesUser,
      automaticPresenceSimulation: true,
    },
  });
}
