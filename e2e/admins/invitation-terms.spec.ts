/** Note, expiry and inviter of an invitation, in its panel and in the email. */
import { expect, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { openPanel } from '../support/admins-panel.ts';
import { fillInvitation, openAdmins, rowFor } from '../support/admins-page.ts';
import { requestOk, unique } from '../support/api.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';

test.use({ as: 'administrator' });

const note = 'Welcome aboard\nSee https://evil.example/x <b>now</b>';

test('sets a note and an expiry by keyboard alone, and sends them', async ({ page, users, instance }) => {
  const email = `${unique('terms')}@example.org`;
  await users.invite(email, 'Tess Terms');
  await openAdmins(page);
  await pressOn(page, rowFor(page, email).getByRole('link', { name: 'Tess Terms' }));
  const panel = page.getByRole('dialog', { name: 'Tess Terms', exact: true });
  const next = panel.getByRole('region', { name: 'Next resend' });
  await expect(next).toContainText('The email contains no note.');
  await pressOn(page, next.getByRole('button', { name: 'Edit note and expiry' }));
  const dialog = page.getByRole('dialog', { name: 'Note and Expiry' });
  await expect(dialog.getByLabel('Note')).toBeFocused();
  await page.keyboard.type(note.slice(0, note.indexOf('\n')));
  await page.keyboard.press('Enter');
  await page.keyboard.type(note.slice(note.indexOf('\n') + 1));
  await tabTo(page, dialog.getByLabel('Link expires'));
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('After 7 days (default)');
  await page.keyboard.type('3 days');
  await expect(dialog.getByLabel('Link expires')).toHaveValue('259200');
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, dialog.getByRole('button', { name: 'Save' }));
  await expect(toastWith(page, 'Note and expiry saved')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(next.getByRole('button', { name: 'Edit note and expiry' })).toBeFocused();
  await expect(next).toContainText('The email contains this note:Welcome aboard');
  await expect(next).toContainText('(in 3 days)');
  await expect(next.getByRole('link')).toHaveCount(0);
  expect(await violationsOn(page)).toEqual([]);

  await page.keyboard.press('Shift+Tab');
  await pressOn(page, panel.getByRole('button', { name: 'Resend', exact: true }));
  await expect(toastWith(page, 'Email resent!')).toBeVisible();
  const mail = await instance.mailTo(email, 1);
  expect(mail.text).toContain('> Welcome aboard\n> See https:\u2060/');
  expect(mail.html?.match(/href=/g)).toHaveLength(1);
  const history = panel.getByRole('region', { name: 'History' });
  await expect(history).toContainText(/Requested by \S/);
});

test('rejects a time out of range next to its field, and nothing changes', async ({ page, users }) => {
  const email = `${unique('terms')}@example.org`;
  await users.invite(email, 'Theo Time');
  await openAdmins(page);
  const panel = await openPanel(page, email, 'Theo Time');
  await panel.getByRole('button', { name: 'Edit note and expiry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Note and Expiry' });
  await dialog.getByLabel('Note').fill(`a\u202eb`);
  await dialog.getByLabel('Link expires').selectOption('At a date and time');
  await dialog.getByLabel('Date and time').fill('2020-01-01T12:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Control characters are not allowed');
  await dialog.getByLabel('Note').fill('🚒'.repeat(500));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('Date and time')).toBeFocused();
  await expect(dialog).toContainText('Choose an expiry between 1 hour and 30 days from now');
  await expect(dialog).toContainText('500 of 500 characters');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard the changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog).toContainText('500 of 500 characters');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(panel.getByRole('region', { name: 'Next resend' })).toContainText(
    'The email contains no note.',
  );
});

test('explains that a revoked invitation no longer takes a note', async ({
  page,
  users,
  instance,
  expectMessage,
}) => {
  const email = `${unique('terms')}@example.org`;
  await users.invite(email, 'Rae Race');
  await openAdmins(page);
  const panel = await openPanel(page, email, 'Rae Race');
  await panel.getByRole('button', { name: 'Edit note and expiry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Note and Expiry' });
  await dialog.getByLabel('Note').fill('Too late');
  const { session } = await users.administrator();
  await requestOk(instance, '/functions/v1/revoke-user-invitation', {
    body: { email },
    token: session.access_token,
  });
  expectMessage(/409/);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toastWith(page, 'Error saving note and expiry')).toContainText(
    `The invitation of ${email} was revoked.`,
  );
});

test('sets the note and the expiry of a new invitation, in one email', async ({ page, instance }) => {
  const email = `${unique('options')}@example.org`;
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/send-user-invitation')) bodies.push(request.postDataJSON());
  });
  await openAdmins(page);
  const form = await fillInvitation(page, 'Opal Options', email);
  await pressOn(page, form.getByRole('button', { name: 'More options' }));
  await expect(form.getByLabel('Note')).toBeFocused();
  await page.keyboard.type('Welcome aboard');
  await form.getByLabel('Link expires').selectOption('86400');
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, form.getByRole('button', { name: 'Send Invitation' }));
  await expect(toastWith(page, 'Invitation sent!')).toBeVisible();
  expect(bodies).toEqual([
    { email, full_name: 'Opal Options', terms: { note: 'Welcome aboard', expires_in: 86_400 } },
  ]);
  expect((await instance.mailTo(email)).text).toContain('> Welcome aboard\n');
  const panel = await openPanel(page, email, 'Opal Options');
  await expect(panel.getByText('(in 1 day)').or(panel.getByText('(tomorrow)')).first()).toBeVisible();
});

test('sends no options that were opened and left as they are', async ({ page }) => {
  const email = `${unique('options')}@example.org`;
  await openAdmins(page);
  const form = await fillInvitation(page, 'Olga Options', email);
  await form.getByRole('button', { name: 'More options' }).click();
  const sent = page.waitForRequest(/send-user-invitation$/);
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  expect((await sent).postDataJSON()).toEqual({ email, full_name: 'Olga Options' });
});
