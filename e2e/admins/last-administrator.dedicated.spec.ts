/** The last administrator cannot be removed. Uses a dedicated instance, because it removes all others. */
import { runAction, openPanel } from '../support/admins-panel.ts';
import { openAdmins, rowFor } from '../support/admins-page.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';

test.use({ as: 'administrator', dedicatedInstance: 'last administrator' });

test(
  'does not remove the last administrator and shows the reason',
  { tag: '@X14' },
  async ({ page, users, expectMessage }) => {
    const { email, fullName } = await users.administrator();
    await openAdmins(page);
    for (;;) {
      const others = page.locator('tbody tr').filter({ hasText: 'accepted' }).filter({ hasNotText: email });
      if ((await others.count()) === 0) break;
      const row = others.first();
      const address = (await row.getByRole('cell').nth(2).innerText()).trim();
      const name = (await row.getByRole('link').innerText()).trim();
      const panel = await openPanel(page, address, name);
      await runAction(page, panel, 'Remove administrator', 'Remove administrator', name);
      await expect(rowFor(page, address)).toContainText('removed');
    }
    expectMessage(failedLoad(409));
    const panel = await openPanel(page, email, fullName);
    await runAction(page, panel, 'Remove administrator', 'Remove administrator', 'Remove yourself');
    await expect(toastWith(page, 'Error removing administrator')).toContainText(
      'One administrator without an end date must remain.',
    );
    await expect(rowFor(page, email)).toContainText('accepted');
  },
);
