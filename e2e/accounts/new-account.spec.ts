/** The dialog *Add New Account*. */
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
  sessionWatch,
} from '../support/console-fixtures.ts';
import { dialog, openAccounts, openDialog, openNewAccount, rowFor } from '../support/accounts-page.ts';
import { expectFieldError, isNoValidate, requestsTo, signInAgain } from '../support/forms.ts';
import { storageKey } from '../support/users.ts';
import { listRows, requestOk, unique } from '../support/api.ts';

test.use({ as: 'administrator' });

const accountsUrl = /\/rest\/v1\/accounts/;

test(
  'shows the fields, and Cancel creates nothing',
  { tag: ['@C103', '@C104', '@C105'] },
  async ({ page, instance }) => {
    await openAccounts(page);
    const posts = requestsTo(page, accountsUrl, 'POST');
    const form = await openDialog(page);
    const labels = ['Account Name', 'Type', 'Address', 'City', 'State', 'Zip Code'];
    await expect(form.locator('label')).toHaveText(labels);
    for (const label of labels) await expect(form.getByLabel(label, { exact: true })).toBeVisible();
    await expect(form.getByLabel('Type').getByRole('option')).toHaveText(['Enterprise', 'Organization']);
    const name = unique('cancelled');
    await form.getByLabel('Account Name').fill(name);
    await form.getByRole('button', { name: 'Cancel', exact: true }).click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation.getByRole('button', { name: 'Discard account', exact: true }).click();
    await expect(dialog(page)).toHaveCount(0);
    expect(posts).toHaveLength(0);
    expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toEqual([]);
  },
);

test(
  'creates an account with name and type only',
  { tag: ['@C005', '@C106', '@C157', '@C158', '@C159', '@C160', '@C208', '@C280', '@C281', '@C282'] },
  async ({ page, instance, users }) => {
    const name = `${unique('vail')} Ski Patrol`;
    await openAccounts(page);
    const reads = requestsTo(page, accountsUrl, 'GET');
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(`  ${name} `);
    await form.getByLabel('Type').selectOption({ label: 'Enterprise' });
    await form.getByLabel('City').fill('   ');
    await form.getByRole('button', { name: 'Create Account', exact: true }).click();
    await expect(toastWith(page, 'Account created')).toContainText(`${name} has been successfully created.`);
    await expect(dialog(page)).toHaveCount(0);
    await expect(rowFor(page, name)).toBeVisible();
    expect(reads.length).toBeGreaterThan(0);
    const [row, ...others] = await listRows(instance, 'accounts', `name=eq.${encodeURIComponent(name)}`);
    const nothing = { address: null, city: null, state: null, zip_code: null };
    const { id } = await users.administrator();
    expect(row).toMatchObject({
      ...nothing,
      name,
      account_type: 'enterprise',
      status: 'active',
      created_by: id,
    });
    expect(row).toMatchObject({ created_at: expect.any(String), updated_at: expect.any(String) });
    expect(others).toEqual([]);
    const reopened = await openDialog(page);
    for (const label of ['Account Name', 'Type', 'Address', 'City', 'State', 'Zip Code']) {
      await expect(reopened.getByLabel(label, { exact: true })).toHaveValue('');
    }
  },
);

test('creates an account with all fields', { tag: '@C005' }, async ({ page, instance }) => {
  const name = `${unique('harbor')} Master`;
  const form = await openNewAccount(page);
  const values = {
    'Account Name': name,
    Address: 'Pier 4',
    City: 'Port Angeles',
    State: 'WA',
    'Zip Code': '98362',
  };
  for (const [label, value] of Object.entries(values))
    await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByLabel('Type').selectOption({ label: 'Organization' });
  await form.getByLabel('Zip Code').press('Enter');
  await expect(rowFor(page, name)).toContainText('Port Angeles, WA');
  expect(await listRows(instance, 'accounts', `name=eq.${encodeURIComponent(name)}`)).toMatchObject([
    { account_type: 'organization', address: 'Pier 4', city: 'Port Angeles', state: 'WA', zip_code: '98362' },
  ]);
});

test(
  'shows the pending state and ignores a second submit',
  { tag: ['@C107', '@X05', '@I44'] },
  async ({ page, instance }) => {
    const name = unique('twice');
    await openAccounts(page);
    const posts = requestsTo(page, accountsUrl, 'POST');
    const { release } = await holdRequests(page, /\/rest\/v1\/accounts(\?|$)/);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(name);
    await form.getByLabel('Type').selectOption('organization');
    await form.getByRole('button', { name: 'Create Account' }).dblclick();
    await expect(form.getByRole('button', { name: 'Creating...', exact: true })).toBeDisabled();
    await form.getByLabel('Account Name').press('Enter');
    release();
    await expect(dialog(page)).toHaveCount(0);
    expect(posts).toHaveLength(1);
    expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toHaveLength(1);
  },
);

test(
  'requires name and type',
  { tag: ['@C207', '@C208', '@C210', '@C221', '@I16', '@I17'] },
  async ({ page }) => {
    await openAccounts(page);
    const posts = requestsTo(page, accountsUrl, 'POST');
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill('   ');
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expectFieldError(form.getByLabel('Account Name'), 'Account name is required');
    await expectFieldError(form.getByLabel('Type'), 'Please select an account type');
    await expect(form.getByLabel('Account Name')).toBeFocused();
    expect(await isNoValidate(form.getByLabel('Account Name'))).toBe(true);
    expect(posts).toHaveLength(0);
  },
);

const limits = [
  ['Account Name', 200, 'Name must be less than 200 characters'],
  ['Address', 500, 'Address must be less than 500 characters'],
  ['City', 100, 'City must be less than 100 characters'],
  ['State', 50, 'State must be less than 50 characters'],
  ['Zip Code', 20, 'Zip code must be less than 20 characters'],
] as const;

test(
  'accepts the maximum length of each field and rejects one character more',
  { tag: ['@C209', '@C212', '@C213', '@C214', '@C215', '@C299'] },
  async ({ page }) => {
    const posts = requestsTo(page, accountsUrl, 'POST');
    const form = await openNewAccount(page);
    for (const [label, limit, message] of limits) {
      const field = form.getByLabel(label, { exact: true });
      await field.fill('x'.repeat(limit + 1));
      await form.getByRole('button', { name: 'Create Account' }).click();
      await expectFieldError(field, message);
      await field.fill('x'.repeat(limit));
      await form.getByRole('button', { name: 'Create Account' }).click();
      // The form is still invalid because of the type, but this field is valid.
      await expect(form.getByText('Please select an account type')).toBeVisible();
      await expect(field).not.toHaveAttribute('aria-invalid', 'true');
      await expect(form.getByText(message)).toHaveCount(0);
    }
    expect(posts).toHaveLength(0);
  },
);

test(
  'keeps the input after a failed save and after a click outside the dialog',
  { tag: ['@C279', '@C295', '@X06'] },
  async ({ page, instance, expectMessage }) => {
    expectMessage(failedLoad(409));
    const name = unique('kept');
    const body = { code: '23514', message: 'No more accounts today', details: null, hint: null };
    await openAccounts(page);
    await respondWith(page, accountsUrl, 409, body, 'POST');
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(name);
    await form.getByLabel('Type').selectOption('organization');
    await form.getByLabel('City').fill('Nome');
    await form.getByRole('button', { name: 'Create Account' }).click();
    const failure = toastWith(page, 'Error creating account');
    await expect(failure).toContainText('No more accounts today');
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    await failure.getByRole('button', { name: 'Dismiss notification' }).click();
    await expect(form.getByLabel('Account Name')).toHaveValue(name);
    await page.mouse.click(5, 5);
    const confirmation = page.getByRole('alertdialog', { name: 'Discard the new account?' });
    await confirmation.getByRole('button', { name: 'Keep editing' }).click();
    await expect(confirmation).toHaveCount(0);
    await expect(form.getByLabel('City')).toHaveValue('Nome');
    expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toEqual([]);
    await page.unroute(accountsUrl);
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(rowFor(page, name)).toBeVisible();
  },
);

test('repeats the idempotency key for equal input until the account is created', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(409));
  const posts = requestsTo(page, accountsUrl, 'POST');
  const [first, other] = [unique('key'), unique('key')];
  const create = async (name: string): Promise<void> => {
    const sent = posts.length;
    await dialog(page).getByLabel('Account Name').fill(name);
    await dialog(page).getByLabel('Type').selectOption('organization');
    await dialog(page).getByRole('button', { name: 'Create Account' }).click();
    await expect.poll(() => posts.length).toBe(sent + 1);
    await expect(toastWith(page, /Error creating account|Account created/)).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss notification' }).click();
  };
  await openAccounts(page);
  await respondWith(page, accountsUrl, 409, { code: '23514', message: 'Not now' }, 'POST');
  await openDialog(page);
  for (const name of [first, first, other]) await create(name);
  await page.unroute(accountsUrl);
  await create(first);
  await openDialog(page);
  await create(first);
  const keys = posts.map((request) => request.headers()['idempotency-key']);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[3]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

test(
  'sends nothing without a session and keeps the input',
  { tag: ['@C278', '@C295', '@X06'] },
  async ({ page, instance }) => {
    // A request without a session, of the watch or of a search, would open the sign-in dialog before the click.
    await holdRequests(page, sessionWatch);
    await openAccounts(page);
    const posts = requestsTo(page, accountsUrl, 'POST');
    const form = await openDialog(page);
    const searched = page.waitForResponse(/similar/);
    await form.getByLabel('Account Name').fill('Lost session');
    await form.getByLabel('Type').selectOption('organization');
    await searched;
    await page.evaluate((key) => localStorage.removeItem(key), storageKey(instance));
    await form.getByRole('button', { name: 'Create Account' }).click();
    const failure = toastWith(page, 'Authentication required');
    await expect(failure).toContainText('You must be logged in to create an account');
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    expect(posts).toHaveLength(0);
    await signInAgain(page);
    await expect(form.getByLabel('Account Name')).toHaveValue('Lost session');
  },
);

test('asks for the password alone if the session ends beside the question about unsaved changes', async ({
  instance,
  users,
  openBrowser,
  expectMessage,
}) => {
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  const user = await users.create();
  const page = await openBrowser(user);
  await openAccounts(page);
  const form = await openDialog(page);
  await form.getByLabel('Account Name').fill('Two questions');
  // Rejects if the navigation is blocked.
  const goBack = (): Promise<unknown> => page.goBack({ waitUntil: 'commit' }).catch(() => null);
  const question = page.getByRole('alertdialog', { name: 'Discard the new account?' });
  await goBack();
  await expect(question).toBeVisible();
  await requestOk(instance, '/auth/v1/logout', { method: 'POST', token: user.session.access_token });
  await page.evaluate(() => void dispatchEvent(new Event('focus')));
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  const allQuestions = page.getByRole('alertdialog', { includeHidden: true });
  await expect(allQuestions).toHaveCount(0);
  await goBack();
  await expect(page).toHaveURL(/new=true/);
  await expect(allQuestions).toHaveCount(0);
  await signInAgain(page);
  await expect(form.getByLabel('Account Name')).toHaveValue('Two questions');
  await goBack();
  await expect(question).toBeVisible();
});

test('leaves the page of an ended session when the sign-in page can be loaded', async ({
  instance,
  users,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(failedLoad(401));
  expectMessage(/ERR_INTERNET_DISCONNECTED/);
  const user = await users.create();
  const page = await openBrowser(user);
  await holdRequests(page, sessionWatch);
  await openAccounts(page);
  const form = await openDialog(page);
  const searched = page.waitForResponse(/similar/);
  await form.getByLabel('Account Name').fill('Left');
  await form.getByLabel('Type').selectOption('organization');
  await searched;
  await page.evaluate((key) => localStorage.removeItem(key), storageKey(instance));
  await form.getByRole('button', { name: 'Create Account' }).click();
  const ended = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(ended).toBeVisible();
  await page.context().setOffline(true);
  await ended.getByRole('button', { name: 'Leave this page' }).click();
  await expect(page.getByText('You are signed out in this browser')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('derives the slug from the name', { tag: ['@C161', '@C162', '@C163'] }, async ({ page, instance }) => {
  const word = unique('slug');
  await openAccounts(page);
  for (const [typed, slug] of [
    [`  (${word} Harbor) `, `${word}-harbor`],
    [`${word.toUpperCase()} A & B -- C`, `${word}-a-b-c`],
  ] as const) {
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(typed);
    await form.getByLabel('Type').selectOption('organization');
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(dialog(page)).toHaveCount(0);
    expect(await listRows(instance, 'accounts', `slug=eq.${slug}`)).toHaveLength(1);
  }
});
