/** Changes of an account in its panel: edit, status, undo. */
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import {
  accountsUrl,
  createAccount,
  detail,
  editDialog,
  keepVisible,
  openEdit,
  save,
} from '../support/account-edit.ts';
import { openAccounts, panel, rowFor } from '../support/accounts-page.ts';
import { insertRows, unique } from '../support/api.ts';
import { pressEnter, requestsTo } from '../support/forms.ts';

test.use({ as: 'administrator' });

test('edits an account by keyboard and undoes it', async ({ page, instance }) => {
  const created = await createAccount(instance, { address: '1 Summit Road', city: 'Vial' });
  const { name } = created;
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link').focus();
  await page.keyboard.press('Enter');
  const edit = panel(page, name).getByRole('button', { name: 'Edit', exact: true });
  await edit.focus();
  await page.keyboard.press('Enter');
  const form = editDialog(page);
  await expect(form.getByLabel('Account Name')).toBeFocused();
  await expect(form.getByLabel('Account Name')).toHaveValue(name);
  await expect(form.getByLabel('Type')).toHaveValue('organization');
  await expect(form.getByLabel('Address')).toHaveValue('1 Summit Road');
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(form.getByLabel('City')).toBeFocused();
  await page.keyboard.type('Vail');
  await page.keyboard.press('Enter');
  const saved = toastWith(page, 'Account saved');
  await expect(saved).toContainText(`${name} has been successfully updated.`);
  await keepVisible(saved);
  await expect(form).toHaveCount(0);
  await expect(edit).toBeFocused();
  await expect(detail(panel(page, name), 'Vail')).toBeVisible();
  await expect(rowFor(page, name)).toContainText('Vail');
  expect(await created.stored()).toMatchObject({ city: 'Vail', address: '1 Summit Road' });
  expect(await violationsOn(page)).toEqual([]);
  await saved.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Changes undone')).toBeVisible();
  await expect(detail(panel(page, name), 'Vial')).toBeVisible();
  expect(await created.stored()).toMatchObject({ city: 'Vial', address: '1 Summit Road' });
});

test('keeps the slug, and derives it again if selected', async ({ page, instance }) => {
  const created = await createAccount(instance);
  const form = await openEdit(page, created);
  const choice = form.getByRole('checkbox', { name: 'Update the slug to match the name' });
  await expect(choice).toBeDisabled();
  await form.getByLabel('Account Name').fill(`${created.name} 2`);
  await save(form);
  await expect(panel(page, `${created.name} 2`)).toBeVisible();
  const slug = String((await created.stored())?.['slug']);
  expect(slug).not.toContain('patrol-2');
  await openEdit(page, created);
  await choice.check();
  await expect(choice).toHaveAccessibleDescription(new RegExp(`${slug}-2`));
  await save(form);
  await expect(detail(panel(page, `${created.name} 2`), `${slug}-2`)).toBeVisible();
  expect(await created.stored()).toMatchObject({ slug: `${slug}-2` });
});

test('shows the messages of the fields and saves nothing', async ({ page, instance }) => {
  const created = await createAccount(instance, { city: 'Oslo' });
  const before = await created.stored();
  const changes = requestsTo(page, accountsUrl, 'PATCH');
  const form = await openEdit(page, created);
  await save(form);
  await expect(form).toHaveCount(0);
  await openEdit(page, created);
  await form.getByLabel('Account Name').fill(' ');
  await form.getByLabel('City').fill('x'.repeat(101));
  await save(form);
  await expect(form.getByText('Account name is required')).toBeVisible();
  await expect(form.getByText('City must be less than 100 characters')).toBeVisible();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('City')).toHaveValue('x'.repeat(101));
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
  await expect(form).toHaveCount(0);
  expect(changes).toHaveLength(0);
  expect(await created.stored()).toEqual(before);
});

test('a lost response is no conflict', async ({ page, instance, expectMessage }) => {
  expectMessage(/Failed to load resource/);
  const created = await createAccount(instance);
  const form = await openEdit(page, created);
  await form.getByLabel('City').fill('Oslo');
  let lost = 0;
  await page.route(accountsUrl, async (route) => {
    if (route.request().method() !== 'PATCH' || lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await save(form);
  await expect(toastWith(page, 'Error saving account')).toBeVisible();
  await save(form);
  await expect(toastWith(page, 'Account saved')).toBeVisible();
  await expect(form).toHaveCount(0);
});

test('a second press of Enter saves once', async ({ page, instance }) => {
  const created = await createAccount(instance);
  const form = await openEdit(page, created);
  await form.getByLabel('City').fill('Oslo');
  const changes = requestsTo(page, accountsUrl, 'PATCH');
  const { release } = await holdRequests(page, accountsUrl);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  release();
  await expect(toastWith(page, 'Account saved')).toBeVisible();
  expect(changes).toHaveLength(1);
});

test('suspends with a reason by keyboard, and undoes it', async ({ page, instance, users }) => {
  const created = await createAccount(instance);
  const { name } = created;
  const member = await users.create({ isAdministrator: false });
  await insertRows(instance, 'account_members', [{ account_id: created.id, user_id: member.id }]);
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await expect(rowFor(page, name).getByText('active')).toHaveCount(0);
  await rowFor(page, name).getByRole('link').focus();
  await page.keyboard.press('Enter');
  const side = panel(page, name);
  const actions = side.getByRole('group', { name: 'Account actions' });
  await expect(actions.getByRole('button')).toHaveText(['Edit', 'Suspend', 'Archive']);
  await actions.getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Suspend ${name}?` });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await dialog.getByRole('button', { name: 'Suspend account' }).press('Enter');
  await expect(dialog.getByText('A reason is required')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.type('Unpaid since <May>');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const suspended = toastWith(page, 'Account suspended');
  await expect(suspended).toContainText(`${name} is now suspended. 1 member was signed out.`);
  await keepVisible(suspended);
  await expect(dialog).toHaveCount(0);
  await expect(actions).toBeFocused();
  const notice = side.getByRole('note').filter({ hasText: 'Suspended by ' });
  await expect(notice).toContainText('Unpaid since <May>');
  await expect(rowFor(page, name).getByText('suspended')).toBeVisible();
  await expect(actions.getByRole('button')).toHaveText(['Edit', 'Reactivate', 'Archive']);
  expect(await created.stored()).toMatchObject({ status: 'suspended' });
  expect(await violationsOn(page)).toEqual([]);
  await suspended.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(toastWith(page, 'Change undone')).toContainText(`${name} is now active.`);
  await expect(rowFor(page, name).getByText('suspended')).toHaveCount(0);
  await expect(notice).toHaveCount(0);
  expect(await created.stored()).toMatchObject({ status: 'active' });
});

test('reactivates, archives and restores, each with Undo', async ({ page, instance }) => {
  const created = await createAccount(instance);
  const { name } = created;
  await page.goto(`/admin/accounts?account=${created.id}&action=suspend`);
  const suspension = page.getByRole('dialog', { name: `Suspend ${name}?` });
  await suspension.getByLabel('Reason').fill('Unpaid');
  await suspension.getByRole('button', { name: 'Suspend account' }).click();
  const side = panel(page, name);
  const actions = side.getByRole('group', { name: 'Account actions' });
  const change = async (label: string, title: string): Promise<void> => {
    await actions.getByRole('button', { name: label, exact: true }).focus();
    await pressEnter(page);
    await expect(toastWith(page, title)).toBeVisible();
    // The pressed button is gone. No other one has the focus, because a second Enter would press it.
    await expect(actions).toBeFocused();
  };
  const undo = (title: string): Promise<void> =>
    toastWith(page, title).getByRole('button', { name: 'Undo' }).click();
  await change('Reactivate', 'Account reactivated');
  expect(await created.stored()).toMatchObject({ status: 'active' });
  // The reason returns with the suspension.
  await undo('Account reactivated');
  await expect(side.getByRole('note')).toContainText('Unpaid');
  await change('Reactivate', 'Account reactivated');
  await change('Archive', 'Account archived');
  await expect(side.getByRole('button', { name: 'Restore' })).toBeVisible();
  await undo('Account archived');
  await expect(side.getByRole('button', { name: 'Suspend' })).toBeVisible();
  await change('Archive', 'Account archived');
  await change('Restore', 'Account restored');
  await undo('Account restored');
  await expect(side.getByRole('button', { name: 'Restore' })).toBeVisible();
  expect(await created.stored()).toMatchObject({ status: 'archived' });
});

test('the end of a change of the status takes no input elsewhere', async ({ page, instance }) => {
  const [archived, edited] = [await createAccount(instance), await createAccount(instance)];
  await openAccounts(page, `?account=${archived.id}`);
  const { release } = await holdRequests(page, /\/set-account-status$/);
  await panel(page, archived.name).getByRole('button', { name: 'Archive' }).click();
  await page.keyboard.press('Escape');
  await rowFor(page, edited.name).getByRole('link').click();
  await panel(page, edited.name).getByRole('button', { name: 'Edit', exact: true }).click();
  await editDialog(page).getByLabel('City').fill('Half typed');
  release();
  await expect(toastWith(page, 'Account archived')).toBeVisible();
  await expect(editDialog(page).getByLabel('City')).toHaveValue('Half typed');
  await expect(editDialog(page).getByLabel('City')).toBeFocused();
});

test('a link to an action that asks nothing changes nothing', async ({ page, instance }) => {
  const created = await createAccount(instance);
  const changes = requestsTo(page, /\/set-account-status$/);
  await openAccounts(page, `?account=${created.id}&action=archive`);
  await expect(panel(page, created.name).getByRole('button', { name: 'Archive', exact: true })).toBeVisible();
  expect(changes).toEqual([]);
  expect(await created.stored()).toMatchObject({ status: 'active' });
});

test('a status that another tab has changed is a sentence', async ({
  page,
  context,
  instance,
  expectMessage,
}) => {
  expectMessage(/Failed to load resource.*status of 409/);
  const created = await createAccount(instance);
  const { name } = created;
  await page.goto(`/admin/accounts?account=${created.id}&action=suspend`);
  const suspension = page.getByRole('dialog', { name: `Suspend ${name}?` });
  await suspension.getByLabel('Reason').fill('Unpaid');
  const other = await context.newPage();
  await other.goto(`/admin/accounts?account=${created.id}`);
  await other.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(toastWith(other, 'Account archived')).toBeVisible();
  await suspension.getByRole('button', { name: 'Suspend account' }).click();
  await expect(toastWith(page, 'Error changing status')).toContainText(
    `${name} was changed in the meantime and is archived. Check it and try again.`,
  );
  await expect(suspension.getByLabel('Reason')).toHaveValue('Unpaid');
  await suspension.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Discard/ })
    .click();
  await expect(suspension).toHaveCount(0);
  // The panel shows the current status, with its actions.
  await expect(panel(page, name).getByRole('button', { name: 'Restore' })).toBeVisible();
  await expect(page).not.toHaveURL(/action=/);
  expect(await created.stored()).toMatchObject({ status: 'archived' });
});

test('keeps the reason if another tab suspends the account first', async ({ page, context, instance }) => {
  const created = await createAccount(instance);
  await page.goto(`/admin/accounts?account=${created.id}&action=suspend`);
  const suspension = page.getByRole('dialog', { name: `Suspend ${created.name}?` });
  await suspension.getByLabel('Reason').fill('Unpaid since September');
  const other = await context.newPage();
  await other.goto(`/admin/accounts?account=${created.id}&action=suspend`);
  await other.getByLabel('Reason').fill('No contact');
  await other.getByRole('button', { name: 'Suspend account' }).click();
  await expect(toastWith(other, 'Account suspended')).toBeVisible();
  await page.clock.install({ time: await page.evaluate(() => Date.now()) });
  await page.clock.fastForward(60_000);
  const reread = page.waitForResponse(accountsUrl);
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await reread;
  await expect(page.getByText('No contact')).toBeAttached();
  await expect(suspension.getByLabel('Reason')).toHaveValue('Unpaid since September');
});

test('asks before the choice of the slug is lost', async ({ page, instance }) => {
  const created = await createAccount(instance, { slug: unique('other-slug') });
  const form = await openEdit(page, created);
  await form.getByRole('checkbox', { name: /slug/ }).check();
  await page.keyboard.press('Escape');
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByRole('checkbox', { name: /slug/ })).toBeChecked();
});

test.describe('without the role', () => {
  test.use({ as: 'plain' });

  test('the panel has no actions', async ({ page, instance, users }) => {
    const created = await createAccount(instance);
    const { id } = await users.plain();
    await insertRows(instance, 'account_members', [{ account_id: created.id, user_id: id }]);
    await page.goto(`/admin/accounts?account=${created.id}&action=edit`);
    await expect(panel(page, created.name)).toBeVisible();
    await expect(panel(page, created.name).getByText('Last updated')).toBeVisible();
    await expect(panel(page, created.name).getByRole('group', { name: 'Account actions' })).toHaveCount(0);
    await expect(editDialog(page)).toHaveCount(0);
  });
});
