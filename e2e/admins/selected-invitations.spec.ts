/** Actions on the selected invitations, in the View menu. By keyboard alone. */
import { openAdmins, openAdminsView } from '../support/admins-page.ts';
import { unique } from '../support/api.ts';
import { violationsOn } from '../support/accessibility.ts';
import { expect, test } from '../support/console-fixtures.ts';
import { pressOn } from '../support/tab-to.ts';

test.use({ as: 'administrator' });

test('resends and revokes the selected invitations', async ({ page, users }) => {
  const word = unique('selected');
  for (const name of ['Ann', 'Bea', 'Cyd'])
    await users.invite(`${name.toLowerCase()}-${word}@example.org`, `${name} ${word}`);
  await openAdmins(page, `?q=${word}`);
  const status = page.getByRole('status').filter({ hasText: /of \d/ });
  let view = await openAdminsView(page);
  await expect(view.getByText('Select pending or expired invitations in the list')).toBeVisible();
  await page.keyboard.press('Escape');
  const select = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await page.getByRole('checkbox', { name: `Select ${name} ${word}` }).focus();
      await page.keyboard.press('Space');
    }
  };
  await select(['Ann', 'Bea']);
  view = await openAdminsView(page);
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, view.getByRole('button', { name: 'Resend 2 selected' }));
  await expect(status).toContainText('2 of 2 sent.');
  // The next action is about other invitations.
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await select(['Ann', 'Bea']);
  view = await openAdminsView(page);
  await pressOn(page, view.getByRole('button', { name: 'Revoke 2 selected' }));
  const question = page.getByRole('alertdialog', { name: 'Revoke 2 invitations?' });
  await expect(question).toContainText(`Ann ${word}`);
  await expect(question).not.toContainText(`Cyd ${word}`);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, question.getByRole('button', { name: 'Revoke invitations' }));
  await expect(status).toContainText('2 of 2 revoked.');
  await expect(page.getByRole('row', { name: `Ann ${word}` })).toContainText('revoked');
  await expect(page.getByRole('row', { name: `Cyd ${word}` })).toContainText('pending');
  // A revoked invitation needs a confirmation of its own, in its panel.
  view = await openAdminsView(page);
  await expect(view.getByText('Select pending or expired invitations in the list')).toBeVisible();
});
