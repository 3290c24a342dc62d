/** The person's own security page, and the second step of signing in. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { answerWith, expect, failedLoad, hold, test, toastWith } from './support/console-test.ts';
import type { Person } from './support/people.ts';
import {
  addApp,
  addAuthenticator,
  codeOf,
  enterPassword,
  finishApp,
  itemsOf,
  openSecurity,
  section,
  signOut,
} from './support/security-page.ts';

const twoStep = 'Two-step sign-in';
const accounts = (page: Page) => page.getByRole('heading', { name: 'Accounts', level: 1 });
const secondStep = (page: Page) => page.getByRole('heading', { name: "Confirm It's You" });

test.describe('an authenticator app', () => {
  test('R36 A36 is added, asked for when signing in, and removed by name', async ({
    people,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(404));
    expectMessage(failedLoad(422));
    const person = await people.make();
    const page = await openBrowser(person);
    await openSecurity(page);
    await expect(section(page, twoStep)).toContainText('No second step yet');
    await expect(section(page, 'Recovery codes')).toContainText('Add one first');
    const secret = await addApp(page);
    await expect(toastWith(page, 'Authenticator app added')).toBeVisible();
    await expect(itemsOf(page, twoStep)).toHaveCount(1);
    await expect(itemsOf(page, twoStep)).toContainText('Duty phone');

    await signOut(page, person.fullName);
    await enterPassword(page, person.email);
    await expect(secondStep(page)).toBeVisible();
    await page.goto('/admin/accounts');
    await expect(secondStep(page)).toBeVisible();
    await page.getByLabel('Code').fill('12345');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter the six digits of the code')).toBeVisible();
    await page.getByLabel('Code').fill('000 000');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This code is wrong or was used already.')).toBeVisible();
    await expect(page.getByLabel('Code')).toBeFocused();
    await page.getByLabel('Code').fill(codeOf(secret, 1));
    await page.keyboard.press('Enter');
    await expect(accounts(page)).toBeVisible();
    await expect(toastWith(page, 'Welcome back!')).toBeVisible();

    await openSecurity(page);
    await page.getByRole('button', { name: 'Remove Duty phone' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove Duty phone?' });
    await expect(question).toContainText('your password alone opens the console');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Remove Duty phone' })).toBeFocused();
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Remove second step' }).click();
    await expect(toastWith(page, 'Second step removed')).toBeVisible();
    await expect(section(page, twoStep)).toContainText('No second step yet');
    await expect(page.getByRole('heading', { name: twoStep })).toBeFocused();

    await signOut(page, person.fullName);
    await enterPassword(page, person.email);
    await expect(accounts(page)).toBeVisible();
  });

  test('a wrong first code changes nothing, and giving up leaves the name free', async ({
    people,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(404));
    expectMessage(failedLoad(422));
    const page = await openBrowser(await people.make());
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
    await expect(dialog.getByText('This code is wrong.')).toBeVisible();
    const forgotten = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect((await forgotten).status()).toBe(200);
    await expect(page).toHaveURL(/security$/);
    await expect(section(page, twoStep)).toContainText('No second step yet');
    await addApp(page, 'Spare phone');
    await expect(itemsOf(page, twoStep)).toContainText('Spare phone');
  });

  test('after a reload the same name is free again; removing the one just used asks for the other', async ({
    people,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(404));
    expectMessage(failedLoad(422));
    const page = await openBrowser(await people.make());
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await page.getByLabel('Name').fill('Duty phone');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    await page.reload();
    await page.keyboard.press('Escape');
    const first = await addApp(page);
    await page.getByRole('button', { name: 'Add second step' }).click();
    await page.getByRole('menuitem', { name: 'Add authenticator app' }).click();
    await finishApp(page, 'Spare phone');
    await expect(itemsOf(page, twoStep)).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove Spare phone' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('you are asked for that one next');
    await question.getByRole('button', { name: 'Remove second step' }).click();
    await expect(secondStep(page)).toBeVisible();
    await page.getByLabel('Code').fill(codeOf(first, 1));
    await page.keyboard.press('Enter');
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await expect(itemsOf(page, twoStep)).toHaveCount(1);
    await expect(itemsOf(page, twoStep)).toContainText('Duty phone');
  });
});

test('R36 a recovery code opens the console once', async ({ people, openBrowser, expectMessage }) => {
  expectMessage(failedLoad(404));
  expectMessage(failedLoad(422));
  const person = await people.make();
  const page = await openBrowser(person);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSecurity(page);
  await addApp(page);
  await page.getByRole('button', { name: 'Create recovery codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  const codes = await dialog
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allInnerTexts();
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  await dialog.getByRole('button', { name: 'Copy codes' }).click();
  await expect(dialog.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  await page.evaluate(() => {
    globalThis.print = () => void (document.documentElement.dataset['printed'] = 'yes');
  });
  await dialog.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(`For ${person.email}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(section(page, 'Recovery codes')).toContainText('10 of 10 codes left');
  await expect(page.locator('body')).not.toContainText(codes[0] ?? '');

  const [code = ''] = codes;
  await signOut(page, person.fullName);
  await enterPassword(page, person.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code.toLowerCase().replaceAll('-', ' '));
  await page.keyboard.press('Enter');
  await expect(accounts(page)).toBeVisible();
  await openSecurity(page);
  await expect(section(page, 'Recovery codes')).toContainText('9 of 10 codes left');

  await signOut(page, person.fullName);
  await enterPassword(page, person.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This recovery code is wrong or was used already.')).toBeVisible();
  await page.getByLabel('Recovery code').fill(codes[1] ?? '');
  await page.keyboard.press('Enter');
  await expect(accounts(page)).toBeVisible();

  await openSecurity(page);
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click();
  await expect(dialog).toBeVisible();
  await expect(dialog).not.toContainText(codes[2] ?? '');
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(section(page, 'Recovery codes')).toContainText('10 of 10 codes left');
});

test.describe('passkeys and security keys', () => {
  // They belong to the name that people type, not to a network address.
  test.use({ baseURL: async ({ product }, use) => use(product.url.replace('127.0.0.1', 'localhost')) });

  test('R36 a passkey signs in, has a name, and is removed', async ({ page, people, expectMessage }) => {
    expectMessage(failedLoad(400));
    const person = await people.make();
    await addAuthenticator(page, 'internal');
    await enterPassword(page, person.email);
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add passkey' });
    await expect(dialog.getByLabel('Name')).toHaveValue('Chrome on Linux');
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Passkey added')).toBeVisible();
    await expect(itemsOf(page, 'Passkeys')).toContainText('Chrome on Linux');

    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('This device or key is registered already.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(itemsOf(page, 'Passkeys')).toHaveCount(1);

    await page.getByRole('button', { name: 'Rename Chrome on Linux' }).click();
    await page.getByRole('dialog', { name: 'Rename passkey' }).getByLabel('Name').fill('Station laptop');
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Passkey renamed')).toBeVisible();
    await expect(itemsOf(page, 'Passkeys')).toContainText('Station laptop');

    await signOut(page, person.fullName);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(accounts(page)).toBeVisible();
    await expect(toastWith(page, 'Welcome back!')).toBeVisible();
    await openSecurity(page);
    await expect(itemsOf(page, 'Passkeys')).toContainText('last used');

    await page.getByRole('button', { name: 'Remove Station laptop' }).click();
    await page
      .getByRole('alertdialog', { name: 'Remove passkey Station laptop?' })
      .getByRole('button', { name: 'Remove passkey' })
      .click();
    await expect(section(page, 'Passkeys')).toContainText('No passkeys yet.');
    await signOut(page, person.fullName);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByText('This passkey is not known here. Use another way.')).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
  });

  test('R36 A36 a security key is the second step', async ({ page, people, expectMessage }) => {
    expectMessage(failedLoad(404));
    const person = await people.make();
    await addAuthenticator(page, 'usb');
    await enterPassword(page, person.email);
    await expect(accounts(page)).toBeVisible();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add security key' }).click();
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Security key added')).toBeVisible();
    await expect(itemsOf(page, twoStep)).toContainText('Security key');
    await signOut(page, person.fullName);
    await enterPassword(page, person.email);
    await page.getByRole('button', { name: 'Use security key' }).click();
    await expect(accounts(page)).toBeVisible();
  });
});

test.describe('sessions', () => {
  const sessions = 'Where you are signed in';

  test('R36 one other session, then all others, are signed out', async ({
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

test.describe('phones, where the server sends messages', () => {
  const challengeId = '00000000-0000-4000-8000-0000000000c1';
  const factorId = '00000000-0000-4000-8000-0000000000f1';
  const wrong = { code: 'mfa_verification_failed', message: 'Invalid MFA Phone code entered' };

  test('R36 a phone is added by a code, and giving up takes it back', async ({
    people,
    openBrowser,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const page = await openBrowser(await people.make());
    await answerWith(page, /\/auth\/v1\/settings/, 200, {
      external: { email: true, phone: true },
      passkeys_enabled: false,
    });
    await answerWith(page, /\/auth\/v1\/factors$/, 200, {
      id: factorId,
      type: 'phone',
      friendly_name: 'Phone',
    });
    await answerWith(page, /\/factors\/[^/]+\/challenge$/, 200, {
      id: challengeId,
      type: 'phone',
      expires_at: 4_000_000_000,
    });
    await answerWith(page, /\/factors\/[^/]+\/verify$/, 422, wrong);
    await answerWith(page, /\/factors\/[^/]+$/, 200, { id: factorId }, 'DELETE');
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
    await expect(dialog.getByText('This code is wrong. Check the message and try again.')).toBeVisible();
    const removed = page.waitForRequest((request) => request.method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await removed).url()).toContain(factorId);
    await expect(section(page, twoStep)).toContainText('No second step yet');
  });

  test('A36 of several second steps one is chosen; a message goes out on request', async ({
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
    await answerWith(page, /\/verify$/, 422, wrong);
    await page.goto('/auth');
    await expect(secondStep(page)).toBeVisible();
    await expect(page.getByLabel('Second step').locator('option')).toHaveText([
      'Duty phone',
      'Private phone',
    ]);
    await page.getByLabel('Second step').selectOption('Private phone');
    expect(sent).toBe(0);
    await page.getByRole('button', { name: 'Send code to my phone' }).click();
    await expect(page.getByLabel('Code')).toBeFocused();
    expect(sent).toBe(1);
    await page.getByLabel('Code').fill('123456');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This code is wrong or was used already.')).toBeVisible();
    await page.getByRole('button', { name: 'Send another code' }).click();
    await expect.poll(() => sent).toBe(2);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await expect(page.getByLabel('Recovery code')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter one of your recovery codes')).toBeVisible();
    await page.getByRole('button', { name: 'Go back to the usual second step' }).click();
    await expect(page.getByLabel('Second step')).toHaveValue(factorId);
  });
});

test.describe('linked sign-ins', () => {
  test.use({ as: 'plain' });

  test('R36 the only one stays', async ({ page }) => {
    await openSecurity(page);
    await expect(itemsOf(page, 'Linked sign-ins')).toContainText('E-mail and password');
    await expect(itemsOf(page, 'Linked sign-ins')).toContainText('It is your only one, so it stays.');
    await expect(section(page, 'Linked sign-ins').getByRole('button')).toHaveCount(0);
  });

  test('R36 one of two is unlinked by name', async ({ page, people }) => {
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

  test('R36 the footer menu leads there, also without a role', async ({ page }) => {
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
