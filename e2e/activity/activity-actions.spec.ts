/** Actions of the activity: one entry each, that opens and can be undone; names after a rename; the handover of an import. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { panel } from '../support/accounts-page.ts';
import { account, insertRows, listRows, requestOk, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import type { Instance } from '../support/fixtures.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';
import type { TestUser } from '../support/users.ts';

test.use({ as: 'administrator' });

const entries = (page: Page) => page.getByRole('list', { name: 'Entries' }).locator(':scope > li');

/** Calls a function as an administrator. */
const call = (instance: Instance, user: TestUser, name: string, body: object): Promise<unknown> =>
  requestOk(instance, `/functions/v1/${name}`, { body, token: user.session.access_token });

const createAccount = async (instance: Instance, name: string): Promise<string> => {
  const [row] = await insertRows(instance, 'accounts', [account(name, { city: 'Vail' })]);
  return String(row?.['id']);
};

const readAccount = async (instance: Instance, id: string) =>
  (await listRows(instance, 'accounts', `id=eq.${id}`))[0] ?? {};

const suspend = async (instance: Instance, user: TestUser, id: string): Promise<void> => {
  const { updated_at } = await readAccount(instance, id);
  const body = { account_id: id, status: 'suspended', reason: 'Invoice 12 is unpaid', updated_at };
  await call(instance, user, 'set-account-status', body);
};

const importAccounts = async (
  instance: Instance,
  user: TestUser,
  name: string,
  count: number,
): Promise<void> => {
  const importId = randomUUID();
  for (let first = 0; first < count; first += 500) {
    const rows = Array.from({ length: Math.min(500, count - first) }, (_, index) => ({
      line: first + index + 2,
      name: `${name} ${first + index}`,
      account_type: 'enterprise',
    }));
    await call(instance, user, 'import-accounts', { dry_run: false, import_id: importId, rows });
  }
};

test('shows a suspension with its reason as one entry, and undoes it by keyboard', async ({
  page,
  instance,
  users,
}) => {
  const user = await users.administrator();
  const name = `${unique('ridge')} Patrol`;
  const id = await createAccount(instance, name);
  await suspend(instance, user, id);
  await page.goto(`/admin/activity?record=${id}`);
  await expect(entries(page)).toHaveCount(2);
  const entry = entries(page).first();
  await expect(entry).toContainText(`${user.fullName} suspended ${name}`);
  await expect(entry).toContainText('Invoice 12 is unpaid');
  await expect(entry).not.toContainText('more entr');
  // A new account has nothing to undo.
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(1);
  await pressOn(page, page.getByRole('button', { name: `Undo: suspended ${name}` }));
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  await expect(entry).toBeFocused();
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
  expect(await readAccount(instance, id)).toMatchObject({ status: 'active' });
  await pressOn(page, page.getByRole('button', { name: '1 new entry' }));
  await expect(entries(page).first()).toContainText(`${user.fullName} undid the suspension of ${name}`);
  await expect(entries(page).first()).toContainText('Reason until then');
  expect(await violationsOn(page)).toEqual([]);
});

test('undoes an edit in the panel of the account', async ({ page, instance }) => {
  const name = `${unique('panel')} Patrol`;
  const id = await createAccount(instance, name);
  await requestOk(instance, `/rest/v1/accounts?id=eq.${id}`, {
    method: 'PATCH',
    body: { city: 'Aspen', name: `${name} New` },
    token: instance.serviceRoleKey(),
  });
  await page.goto(`/admin/accounts?account=${id}`);
  const opened = panel(page, `${name} New`);
  await tabTo(page, opened.getByRole('tab', { name: /^Members/ }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await pressOn(page, opened.getByRole('button', { name: `Undo: changed ${name} New` }));
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  await expect(page.getByRole('dialog', { name, exact: true })).toBeVisible();
  expect(await readAccount(instance, id)).toMatchObject({ city: 'Vail', name });
});

test('explains a conflict, and offers no undo after it', async ({ page, instance, expectMessage }) => {
  const name = `${unique('conflict')} Patrol`;
  const id = await createAccount(instance, name);
  const patch = (city: string): Promise<unknown> =>
    requestOk(instance, `/rest/v1/accounts?id=eq.${id}`, {
      method: 'PATCH',
      body: { city },
      token: instance.serviceRoleKey(),
    });
  await patch('Aspen');
  await page.goto(`/admin/activity?record=${id}`);
  const undo = page.getByRole('button', { name: /^Undo/ });
  await expect(undo).toHaveCount(1);
  await patch('Bern');
  expectMessage(failedLoad(409));
  await pressOn(page, undo);
  const conflict = `${name} was changed in the meantime and is active. Check it and try again.`;
  await expect(toastWith(page, conflict)).toBeVisible();
  await expect(undo).toHaveCount(0);
  expect(await readAccount(instance, id)).toMatchObject({ city: 'Bern' });
});

test('shows an import as one entry, which opens to its rows in pages', async ({ page, instance, users }) => {
  const user = await users.administrator();
  const name = unique('Imported');
  await importAccounts(instance, user, name, 134);
  await page.goto(`/admin/activity?kind=accounts&person=${user.id}`);
  const entry = entries(page).first();
  await expect(entry).toContainText(`${user.fullName} imported 134 accounts`);
  await expect(entry.getByRole('list')).toHaveCount(0);
  await tabTo(page, entry.locator('summary'));
  await page.keyboard.press('Enter');
  const rows = entry.getByRole('list', { name: 'Entries of this action' }).getByRole('listitem');
  await expect(rows.first()).toContainText(`created ${name} 133`);
  await expect(rows).toHaveCount(99);
  await pressOn(page, entry.getByRole('button', { name: 'Load older entries' }));
  await expect(rows).toHaveCount(134);
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 700 });
  expect(await horizontalOverflow(page)).toBe(0);
});

test('shows and undoes a whole import of 1,100 accounts by keyboard', async ({ page, instance, users }) => {
  // The import and its undo can each take a minute on a busy machine.
  test.setTimeout(240_000);
  const user = await users.administrator();
  const name = unique('Whole');
  const rows = Array.from({ length: 1100 }, (_, index) => `${name} ${index},enterprise\n`);
  await page.goto('/admin/accounts/import');
  await page.getByLabel('CSV or Excel file').setInputFiles({
    name: 'accounts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`name,type\n${rows.join('')}`),
  });
  await pressOn(page, page.getByRole('button', { name: 'Check rows' }));
  const send = page.getByRole('button', { name: 'Import 1,100 rows' });
  await expect(send).toBeVisible({ timeout: 60_000 });
  // The second request waits: another action comes between the requests.
  let requests = 0;
  await page.route(/functions\/v1\/import-accounts/, async (route) => {
    requests += 1;
    if (requests === 2) await createAccount(instance, `${name} Between`);
    await route.continue();
  });
  await pressOn(page, send);
  await expect(page.getByText('The import is complete.')).toBeVisible({ timeout: 60_000 });
  expect(requests).toBe(3);

  await page.goto(`/admin/activity?kind=accounts`);
  const entry = entries(page).filter({ hasText: `${user.fullName} imported 1,100 accounts` });
  await expect(entry).toHaveCount(1);
  await expect(entries(page).nth(1)).toContainText(`created ${name} Between`);
  expect(await violationsOn(page)).toEqual([]);
  await tabTo(page, entry.locator('summary').filter({ hasText: '1,100 rows' }));
  await page.keyboard.press('Enter');
  const opened = entry.getByRole('list', { name: 'Entries of this action' }).getByRole('listitem');
  await expect(opened).toHaveCount(99);
  await expect(opened.first()).toContainText(`created ${name} 1099`);
  // The focus is still on the summary.
  await page.keyboard.press('Enter');
  await expect(opened).toHaveCount(0);

  await pressOn(page, entry.getByRole('button', { name: 'Undo import' }));
  const question = page.getByRole('alertdialog', { name: 'Delete 1,100 accounts?' });
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, question.getByRole('button', { name: 'Delete 1,100 accounts' }));
  await expect(toastWith(page, '1,100 accounts deleted')).toBeVisible({ timeout: 60_000 });
  await expect(entry).toBeFocused();
  await expect(entry.getByRole('button', { name: 'Undo import' })).toHaveCount(0);
  await pressOn(page, page.getByRole('button', { name: '1 new entry' }));
  await expect(entries(page).first()).toContainText(
    `${user.fullName} undid an import and deleted 1,100 accounts`,
  );
  await expect(entries(page).nth(1)).toContainText(`${user.fullName} imported 1,100 accounts`);
  expect(await listRows(instance, 'accounts', `name=like.${name} 1*`)).toEqual([]);
});

test('shows a list of invitees as one entry, which opens to its parts by keyboard', async ({
  page,
  instance,
  users,
}) => {
  const user = await users.administrator();
  const name = unique('listed');
  const invitations = [1, 2, 3].map((number) => ({
    email: `${name}-${number}@example.org`,
    full_name: `Listed ${number}`,
  }));
  await call(instance, user, 'invite-list', { list_id: randomUUID(), invitations });
  await page.goto(`/admin/activity?kind=invitations&person=${user.id}`);
  const entry = entries(page).first();
  await expect(entry).toContainText(`${user.fullName} invited 3 administrators from a list`);
  await tabTo(page, entry.locator('summary'));
  await page.keyboard.press('Enter');
  const parts = entry.getByRole('list', { name: 'Entries of this action' }).getByRole('listitem');
  await expect(parts).toHaveCount(3);
  await expect(parts.first()).toContainText(`${user.fullName} invited Listed 3`);
  expect(await violationsOn(page)).toEqual([]);
  const [row] = await listRows(instance, 'user_invitations', `email=eq.${name}-2@example.org`);
  await page.goto(`/admin/activity?record=${String(row?.['id'])}`);
  await expect(entries(page).last()).toContainText(`${user.fullName} invited Listed 2`);
});

test('shows the present names, and those at the time of an entry', async ({ page, instance }) => {
  const name = `${unique('old')} Patrol`;
  const id = await createAccount(instance, name);
  await requestOk(instance, `/rest/v1/accounts?id=eq.${id}`, {
    method: 'PATCH',
    body: { name: `${name} New` },
    token: instance.serviceRoleKey(),
  });
  await page.goto(`/admin/activity?record=${id}`);
  await expect(entries(page).first()).toContainText(`renamed ${name} New`);
  await expect(entries(page).last()).toContainText(`created ${name} New`);
  await expect(entries(page).last()).toContainText(`At that time, ${name} New was named ${name}.`);
});

test('prints the handover of an import of 2,000 accounts on one page', async ({
  instance,
  users,
  openBrowser,
}) => {
  const user = await users.create({ fullName: 'Ida Import' });
  const since = new Date(Date.now() - 1000).toISOString();
  await importAccounts(instance, user, unique('Batch'), 2000);
  const reader = await openBrowser(user);
  // Other tests of the instance also leave entries.
  await reader.route(/functions\/v1\/handover$/, (route) =>
    route.continue({ postData: JSON.stringify({ since }) }),
  );
  await reader.goto('/admin/handover');
  const section = reader.getByRole('listitem').filter({ hasText: 'Ida Import imported' });
  await expect(section).toHaveCount(1);
  await expect(section).toContainText('Ida Import imported 2,000 accounts');
  const pages = (await reader.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
  expect(pages).toHaveLength(1);
  await tabTo(reader, section.locator('summary').filter({ hasText: '2,000 rows' }));
  await reader.keyboard.press('Enter');
  const rows = section.getByRole('list', { name: 'Entries of this action' }).getByRole('listitem');
  await expect(rows).toHaveCount(99);
  await pressOn(reader, section.getByRole('button', { name: 'Load older entries' }));
  await expect(rows.nth(100)).toBeAttached();
  expect(await violationsOn(reader)).toEqual([]);
});
