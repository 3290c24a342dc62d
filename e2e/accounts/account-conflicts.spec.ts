/** Concurrent edits of an account: merged, or shown as a choice. */
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { createAccount, detail, keepVisible, openEdit, save } from '../support/account-edit.ts';
import { violationsOn } from '../support/accessibility.ts';
import { panel } from '../support/accounts-page.ts';
import { requestOk } from '../support/api.ts';

test.use({ as: 'administrator' });

test('shows both versions of an account that was saved meanwhile', async ({
  page,
  instance,
  users,
  openBrowser,
}) => {
  const created = await createAccount(instance, { city: 'Vail', state: 'CO' });
  const colleague = await users.create({ fullName: 'Robin Colleague' });
  const form = await openEdit(page, created);
  const other = await openBrowser(colleague);
  const otherForm = await openEdit(other, created);
  await otherForm.getByLabel('City').fill('Aspen');
  await otherForm.getByLabel('State').fill('Colorado');
  await save(otherForm);
  await expect(toastWith(other, 'Account saved')).toBeVisible();

  await form.getByLabel('Account Name').fill(`${created.name} A`);
  await form.getByLabel('City').fill('Boulder');
  await save(form);
  const notice = form.getByRole('alert');
  await expect(notice).toContainText('This account was changed while you were editing it');
  await expect(notice).toContainText('Saved by Robin Colleague');
  expect(await violationsOn(page)).toEqual([]);
  // A field that only the colleague changed has the saved value.
  await expect(form.getByLabel('State')).toHaveValue('Colorado');
  // Only the field that both changed is asked for.
  await expect(notice.getByRole('group')).toHaveCount(1);
  await expect(form.getByRole('button', { name: 'Save Changes' })).toBeInViewport();
  const city = notice.getByRole('group', { name: 'City' });
  await expect(city.getByRole('radio', { name: 'Yours: Boulder' })).toBeChecked();
  await city.getByRole('radio', { name: 'Yours: Boulder' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(city.getByRole('radio', { name: 'Saved: Aspen' })).toBeChecked();
  await expect(form.getByLabel('City', { exact: true })).toHaveValue('Aspen');
  expect(await created.stored()).toMatchObject({ name: created.name, city: 'Aspen' });
  await save(form);
  await expect(toastWith(page, 'Account saved')).toBeVisible();
  expect(await created.stored()).toMatchObject({
    name: `${created.name} A`,
    city: 'Aspen',
    state: 'Colorado',
  });
});

test('saves an edit together with a concurrent change of other fields, and undoes only the edit', async ({
  page,
  instance,
}) => {
  const created = await createAccount(instance, { city: 'Vail', state: 'CO' });
  const form = await openEdit(page, created);
  await requestOk(instance, `/rest/v1/accounts?id=eq.${created.id}`, {
    method: 'PATCH',
    body: { state: 'Colorado' },
    token: instance.serviceRoleKey(),
  });
  await form.getByLabel('City').fill('Aspen');
  await save(form);
  const saved = toastWith(page, 'Account saved');
  await expect(saved).toBeVisible();
  await keepVisible(saved);
  await expect(form).toHaveCount(0);
  expect(await created.stored()).toMatchObject({ city: 'Aspen', state: 'Colorado' });
  await saved.getByRole('button', { name: 'Undo' }).click();
  await expect(toastWith(page, 'Changes undone')).toBeVisible();
  expect(await created.stored()).toMatchObject({ city: 'Vail', state: 'Colorado' });
});

test('an undo after another change shows both versions', async ({ page, instance, expectMessage }) => {
  const created = await createAccount(instance, { city: 'Vail' });
  const form = await openEdit(page, created);
  await form.getByLabel('City').fill('Aspen');
  await save(form);
  await expect(toastWith(page, 'Account saved')).toBeVisible();
  await requestOk(instance, `/rest/v1/accounts?id=eq.${created.id}`, {
    method: 'PATCH',
    body: { city: 'Boulder' },
    token: instance.serviceRoleKey(),
  });
  expectMessage(failedLoad(409));
  await toastWith(page, 'Account saved').getByRole('button', { name: 'Undo' }).click();
  const city = form.getByRole('alert').getByRole('group', { name: 'City' });
  await expect(city.getByRole('radio', { name: 'Yours: Vail' })).toBeChecked();
  await expect(city.getByRole('radio', { name: 'Saved: Boulder' })).not.toBeChecked();
  expect(await created.stored()).toMatchObject({ city: 'Boulder' });
  await save(form);
  await expect(form).toHaveCount(0);
  await expect(detail(panel(page, created.name), 'Vail')).toBeVisible();
  expect(await created.stored()).toMatchObject({ city: 'Vail' });
});
