/** Invitation of administrators from a list: check, sending, results. */
import fs from 'node:fs/promises';
import { expect, holdRequests, test } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { requestOk, unique } from '../support/api.ts';
import { expectFocusIn } from '../support/focus.ts';
import { expectFieldError, requestsTo } from '../support/forms.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';

test.use({ as: 'administrator' });

const path = '/admin/platform-admins/invite-list';
const header = 'email,full name,note,expires\n';

test('invites a pasted list by keyboard alone, and each user once', async ({ page, users, instance }) => {
  const id = unique('list');
  const pending = `pending-${id}@example.org`;
  await users.invite(pending, 'Pia Pending');
  await page.goto('/admin/platform-admins');
  await expect(page.getByRole('heading', { name: 'Admins', level: 1 })).toBeVisible();
  await pressOn(page, page.getByRole('button', { name: 'View', exact: true }));
  await pressOn(page, page.getByRole('link', { name: 'Invite from a list' }));
  await expect(page.getByRole('heading', { name: 'Invite from a List', level: 1 })).toBeVisible();
  await tabTo(page, page.getByLabel('Or paste rows'));
  await page.keyboard.insertText(
    `${header}ann-${id}@example.org,Ann Lee,Welcome aboard,3d\nno address,Bo Ek,,\n${pending},Pia Pending,,\n`,
  );
  await pressOn(page, page.getByRole('button', { name: 'Use pasted rows' }));
  await expect(page.getByText('Pasted text: 3 rows')).toBeVisible();
  await pressOn(page, page.getByRole('button', { name: 'Check rows' }));
  await expect(page.getByText('1 to invite, 1 pending, 1 invalid')).toBeVisible();
  const table = page.getByRole('region', { name: 'Rows of the list' });
  await expect(table).toContainText('Invalid email address');
  expect(await violationsOn(page)).toEqual([]);

  await pressOn(page, page.getByRole('button', { name: 'Invite 1 person' }));
  await expect(page.getByText('1 invited, 1 pending, 1 invalid')).toBeVisible();
  const mail = await instance.mailTo(`ann-${id}@example.org`);
  expect(mail.text).toContain('> Welcome aboard\n');
  expect(await violationsOn(page)).toEqual([]);

  // The same list again sends nothing without a choice.
  await pressOn(page, page.getByRole('button', { name: 'Check rows' }));
  await expect(page.getByText('There is no one to invite.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Invite \d/ })).toHaveCount(0);
  await tabTo(page, page.getByLabel('Also resend to 2 people with a pending invitation'));
  await page.keyboard.press('Space');
  await pressOn(page, page.getByRole('button', { name: 'Invite 2 people' }));
  await expect(page.getByText('2 invited, 1 invalid')).toBeVisible();
  await instance.mailTo(pending, 1);
});

test('chooses a file, maps its columns, cancels, continues and saves the results', async ({ page }) => {
  const id = unique('file');
  const rows = Array.from({ length: 25 }, (_, index) => `=Person ${index};p${index}-${id}@example.org`);
  const csv = `Who;Where\n${rows.join('\n').replaceAll('=', '')}\n`;
  await page.goto(path);
  await page.getByLabel('CSV or Excel file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  });
  await expect(page.getByText('Choose the column with the email.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check rows' })).toBeDisabled();
  await page.getByLabel('Full Name').selectOption('Who');
  await page.getByLabel('Email').selectOption('Where');
  const plan = await holdRequests(page, /plan-invitations$/);
  for (let checks = 0; checks < 2; checks += 1) {
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('Stopped before the end of the list')).toBeVisible();
  }
  plan.release();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await expect(page.getByText('25 to invite')).toBeVisible();
  const { release } = await holdRequests(page, /invite-list$/);
  const calls = requestsTo(page, /functions\/v1\/invite-list/);
  await page.getByRole('button', { name: 'Invite 25 people' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  release();
  await expect(page.getByText('Canceled. Emails already sent cannot be recalled.')).toBeVisible();
  expect(calls).toHaveLength(1);
  await page.getByRole('button', { name: /^Continue with \d+ people/ }).click();
  await expect(page.getByText('25 invited')).toBeVisible({ timeout: 30_000 });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save results' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('people-results.csv');
  const saved = await fs.readFile(await file.path(), 'utf8');
  expect(saved.split('\r\n').slice(0, 2)).toEqual([
    '\ufeffline,email,name,result,reason',
    `2,p0-${id}@example.org,Person 0,Invited,`,
  ]);
});

test('reads a list with first and last names, semicolons and another encoding, by keyboard', async ({
  page,
}) => {
  const id = unique('names');
  const content = `sep=;\r\nE-Mail Address;First Name;Last Name;Team\r\nann-${id}@example.org;Zo\xeb;Gr\xfcn;North\r\n`;
  await page.goto(path);
  await page.getByLabel('CSV or Excel file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(content, 'latin1'),
  });
  await expect(page.getByText('Zoë, Grün')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check rows' })).toHaveCount(0);
  await pressOn(page, page.getByRole('button', { name: 'Words are right' }));
  await expect(page.getByLabel('First Name')).toHaveValue('1');
  await expect(page.getByLabel('Last Name')).toHaveValue('2');
  await expect(page.getByText('Not used: Team')).toBeVisible();
  await pressOn(page, page.getByRole('button', { name: 'Check rows' }));
  await expect(page.getByText('1 to invite')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Rows of the list' })).toContainText('Zoë Grün');
  expect(await violationsOn(page)).toEqual([]);
});

test('explains files that cannot be used, and sends nothing', async ({ page }) => {
  await page.goto(path);
  const calls = requestsTo(page, /plan-invitations|invite-list$/);
  for (const [content, sentence] of [
    ['', 'list.csv is empty.'],
    [Buffer.from([1, 0, 2, 3, 0]), 'list.csv is not a text file. Save it as XLSX or as "CSV UTF-8".'],
    [Buffer.from('PK\u0003\u0004rest'), 'list.csv cannot be read as an Excel workbook.'],
    [`email,name\n${'a@b.co,Ann Lee\n'.repeat(20_001)}`, 'list.csv has more than 20,000 rows.'],
    [
      `email,name\na@b.co,"Ann\n${'c@d.co,Bo Ek\n'.repeat(19_000)}`,
      'a quotation mark before it is not closed.',
    ],
  ] as const) {
    await page.getByLabel('CSV or Excel file').setInputFiles({
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    });
    await expect(page.getByText(sentence)).toBeVisible();
  }
  expect(calls).toHaveLength(0);
});

test('explains pasted text that cannot be used at its field', async ({ page }) => {
  await page.goto(path);
  const pasted = page.getByLabel('Or paste rows');
  await pasted.fill('email,full name\n');
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await expectFieldError(pasted, 'Pasted text has no rows below its header.');
  await expect(page.getByRole('button', { name: 'Check rows' })).toHaveCount(0);
  await expect(page.getByLabel('CSV or Excel file')).not.toHaveAttribute('aria-invalid', 'true');
  await pasted.fill('email,full name\nann@example.org,Ann Lee\n');
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await expect(page.getByText('Pasted text: 1 row')).toBeVisible();
  await expect(pasted).not.toHaveAttribute('aria-invalid', 'true');
  // Without a header, the first person is not lost.
  await pasted.fill('ann@example.org\tAnn Lee\nbo@example.org\tBo Ek\n');
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await expect(page.getByText('Pasted text: 2 rows')).toBeVisible();
  await expect(page.getByLabel('The first row has the names of the columns')).not.toBeChecked();
  await pasted.fill('email,full name\nann@example.org,Ann Lee\n');
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard the list?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(pasted).toHaveValue(/^email,full name/);
});

test('continues after a lost connection, by keyboard, and keeps the focus in the result', async ({
  page,
  context,
  expectMessage,
}) => {
  expectMessage(/ERR_INTERNET_DISCONNECTED/);
  const id = unique('lost');
  await page.goto(path);
  await page.getByLabel('Or paste rows').fill(`email,full name\nann-${id}@example.org,Ann Lee\n`);
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await expect(page.getByText('1 to invite')).toBeVisible();
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await context.setOffline(true);
  await pressOn(page, page.getByRole('button', { name: 'Invite 1 person' }));
  await expect(result).toContainText('The service cannot be reached. Check your connection and try again.');
  await context.setOffline(false);
  await pressOn(page, page.getByRole('button', { name: 'Continue with 1 person' }));
  await expect(page.getByText('1 invited')).toBeVisible();
  await expectFocusIn(result);
});

test('is not found by a user without the role', async ({ openBrowser, users, instance }) => {
  const plain = await users.plain();
  const page = await openBrowser(plain);
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(
    requestOk(instance, '/functions/v1/plan-invitations', {
      body: { emails: ['a@b.co'] },
      token: plain.session.access_token,
    }),
  ).rejects.toThrow();
});
