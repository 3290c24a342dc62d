/** Signing in with a second factor: the console stays closed until the code is right. */
import { TOTP } from 'otpauth';
import { expect, failedLoad, test, toastWith } from './support/console-test.ts';
import { emailField, expectFieldError, passwordField } from './support/forms.ts';
import { type Person, secret, storageKey } from './support/people.ts';
import { call, mustCall } from './support/platform.ts';
import type { Product } from './support/fixtures.ts';

interface Enrolled {
  readonly id: string;
  readonly totp: { readonly secret: string };
}

/** Gives the person a verified code generator; the codes of the step it was verified with are spent. */
async function enroll(product: Product, person: Person): Promise<TOTP> {
  const token = person.session.access_token;
  const body = { factor_type: 'totp', friendly_name: 'Pier phone' };
  const factor = (await mustCall(product, '/auth/v1/factors', { token, body })) as Enrolled;
  const totp = new TOTP({ secret: factor.totp.secret });
  const challenge = (await mustCall(product, `/auth/v1/factors/${factor.id}/challenge`, {
    token,
    method: 'POST',
  })) as { id: string };
  await mustCall(product, `/auth/v1/factors/${factor.id}/verify`, {
    token,
    body: { challenge_id: challenge.id, code: totp.generate() },
  });
  return totp;
}

/** A code of the step after the current one, which the service takes as well. */
const nextCode = (totp: TOTP): string => totp.generate({ timestamp: Date.now() + 30_000 });

const levelOf = (accessToken: string): unknown =>
  (JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { aal?: unknown }).aal;

test('C184 C185 C186 the code is asked for on /auth, before anything opens', async ({
  page,
  people,
  product,
  expectMessage,
}) => {
  for (const status of [400, 403, 422]) expectMessage(failedLoad(status));
  const person = await people.make();
  expect(levelOf(person.session.access_token)).toBe('aal1');
  const totp = await enroll(product, person);
  await page.goto('/auth');
  await emailField(page).fill(person.email);
  await passwordField(page).fill(secret);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const code = page.getByRole('textbox', { name: /code/i });
  await expect(code).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(toastWith(page, 'Welcome back!')).toHaveCount(0);

  const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(product));
  const half = (JSON.parse(stored ?? '{}') as { access_token: string }).access_token;
  const refused = await call(product, '/rest/v1/accounts?select=id', { token: half });
  expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } });
  await page.goto('/admin/accounts');
  await expect(page).toHaveURL(/\/auth/);

  await code.fill('000000');
  await code.press('Enter');
  await expectFieldError(
    code,
    'This code is wrong or was used already. Wait for the next one and try again.',
  );
  await expect(page).toHaveURL(/\/auth/);
  await code.fill(nextCode(totp));
  await code.press('Enter');
  await expect(page).toHaveURL(/\/admin\/accounts/);
  await expect(toastWith(page, 'Welcome back!')).toBeVisible();
  const full = await page.evaluate((key) => localStorage.getItem(key), storageKey(product));
  expect(levelOf((JSON.parse(full ?? '{}') as { access_token: string }).access_token)).toBe('aal2');
});

test('C069 the half-finished sign-in can be given up', async ({ page, people, product }) => {
  const person = await people.make();
  await enroll(product, person);
  await page.goto('/auth');
  await emailField(page).fill(person.email);
  await passwordField(page).fill(secret);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('button', { name: 'Use another account' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(await page.evaluate((key) => localStorage.getItem(key), storageKey(product))).toBeNull();
});
