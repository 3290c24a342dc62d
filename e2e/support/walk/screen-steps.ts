/** Steps on the screens outside the sidebar, which the command palette opens, and in the settings. */
import { expect, type Locator } from '@playwright/test';
import fc from 'fast-check';
import {
  clickIfShown,
  expectFocusKept,
  expectNoOldErrors,
  expectResult,
  isAt,
  isFree,
  isOnlyOpen,
  step,
} from './step.ts';
import { paletteScreens, type Walk } from './walk.ts';

const commands = [
  ...Object.values(paletteScreens),
  'Add Account',
  'Invite Admin',
  'Second Factor for Administrators',
];

const isAtActivity = (walk: Walk): boolean => isAt(walk, '/admin/activity');
const isAtHandover = (walk: Walk): boolean => isAt(walk, '/admin/handover');
const isAtSecurity = (walk: Walk): boolean => isAt(walk, '/admin/me/security');
const isAtSettings = (walk: Walk): boolean => isAt(walk, '/admin/notifications');

const isShownSoon = (target: Locator): Promise<boolean> =>
  target.waitFor({ timeout: 1000 }).then(
    () => true,
    () => false,
  );

export const screenSteps = {
  runCommand: step({
    value: fc.constantFrom(...commands),
    applies: isFree,
    run: async ({ page, online }, name) => {
      await page.keyboard.press('Control+k');
      const input = page.getByRole('combobox', { name: 'Search or run a command' });
      // Offline, the code of the palette may be missing.
      if (!online && !(await isShownSoon(input))) return;
      await expect(input).toBeFocused();
      await input.fill(name);
      // A detail can follow the label.
      await page
        .getByRole('option', { name: new RegExp(`^${name}(?: |$)`) })
        .first()
        .click();
    },
    verify: expectNoOldErrors,
  }),
  filterActivity: step({
    value: fc.constantFrom(['Kind', 'accounts'], ['Kind', 'exports'], ['Person', 'service'], ['Kind', '']),
    applies: isAtActivity,
    run: async ({ page }, [label = '', value = '']) => {
      const select = page.getByLabel(label, { exact: true });
      if ((await select.locator(`option[value="${value}"]`).count()) > 0) await select.selectOption(value);
    },
  }),
  filterActivityByDay: step({
    value: fc.constantFrom(['From', '2026-01-01'], ['To', '2026-01-01'], ['From', '']),
    applies: isAtActivity,
    run: async ({ page }, [label = '', day = '']) => page.getByLabel(label, { exact: true }).fill(day),
  }),
  filterActivityByRecord: step({
    value: fc.constantFrom('7', 'no such record'),
    applies: isAtActivity,
    run: async ({ page }, record) => {
      const field = page.getByLabel('Record ID');
      if ((await field.count()) === 0) return;
      await field.fill(record);
      await field.press('Enter');
    },
    verify: expectFocusKept,
  }),
  clearActivityFilters: step({
    value: fc.constant(null),
    applies: isAtActivity,
    run: async ({ page }) => clickIfShown(page.getByRole('button', { name: 'Clear filters' })),
  }),
  exportActivity: step({
    value: fc.constantFrom('CSV file', 'JSON lines'),
    applies: isAtActivity,
    run: async ({ page, online }, format) => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: format }).click();
      if (online) await expect(page.getByText(/^activity-.* saved$/).first()).toBeVisible();
    },
    verify: (walk) => expectResult(walk, 'Error exporting activity'),
  }),
  choosePeriod: step({
    value: fc.constantFrom('last', '24h', '7d', 'date'),
    applies: isAtHandover,
    run: async ({ page }, period) => void (await page.getByLabel('Show changes').selectOption(period)),
  }),
  followHandoverLink: step({
    value: fc.constantFrom('Emergency sheet', 'Back to handover'),
    applies: (walk) => isAtHandover(walk) || isAt(walk, '/admin/handover/sheet'),
    run: async ({ page }, name) => clickIfShown(page.getByRole('link', { name })),
    verify: expectNoOldErrors,
  }),
  openSecurityDialog: step({
    value: fc.constantFrom(
      'Change name',
      'Change password',
      'Add authenticator app',
      'Add security key',
      'Add passkey',
    ),
    applies: isAtSecurity,
    run: async ({ page }, name) => clickIfShown(page.getByRole('main').getByRole('button', { name })),
  }),
  saveName: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && isOnlyOpen(walk, 'Change your name'),
    run: async ({ page, user }) => {
      // Other steps find the menu of the user by this name.
      await page.getByLabel('Name', { exact: true }).fill(user.fullName);
      await page.getByRole('button', { name: 'Save name' }).click();
      // The name is unchanged, so the dialog closes without a request.
      await expect(page.getByRole('dialog', { name: 'Change your name' })).toHaveCount(0);
    },
    verify: expectFocusKept,
  }),
  typeSender: step({
    value: fc.constantFrom('Walk Sender', ''),
    applies: isAtSettings,
    run: async ({ page }, name) => {
      const field = page.getByLabel('Sender Name');
      if ((await field.count()) > 0) await field.fill(name);
    },
  }),
  saveSettings: step({
    value: fc.constantFrom('Walk Sender', 'Walk Alerts'),
    applies: isAtSettings,
    run: async ({ page, online }, name) => {
      if ((await page.getByLabel('Sender Name').count()) === 0) return;
      await page.getByLabel('Sender Email Address').fill('walk@example.org');
      await page.getByLabel('Sender Name').fill(name);
      await page.getByRole('button', { name: 'Save Settings' }).click();
      if (online) await expect(page.getByText('Settings saved')).toBeVisible();
    },
    verify: (walk) => (walk.online ? expectResult(walk, 'Error') : Promise.resolve()),
  }),
};
