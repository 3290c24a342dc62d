/** Steps in dialogs and panels. */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { unique } from '../api.ts';
import {
  clickIfShown,
  expectFocusKept,
  expectResult,
  hasForm,
  hasPanel,
  isAt,
  isAtAccounts,
  isOnlyOpen,
  step,
} from './step.ts';
import { isLeaveQuestion, isOverlay, isProfileForm, type Walk } from './walk.ts';

const isAtAdmins = (walk: Walk): boolean => isAt(walk, '/admin/platform-admins');
const isAddingAccount = (walk: Walk): boolean => isOnlyOpen(walk, 'Add New Account');

export const formSteps = {
  openAddAccount: step({
    value: fc.constant(null),
    applies: isAtAccounts,
    run: async ({ page }) => page.getByRole('button', { name: 'Add Account', exact: true }).click(),
  }),
  typeAccountName: step({
    value: fc.constantFrom('Walk North', 'x'.repeat(200), ' '),
    applies: isAddingAccount,
    run: async ({ page }, name) => page.getByLabel('Account Name').fill(name),
  }),
  createAccount: step({
    value: fc.constantFrom('enterprise', 'organization'),
    applies: isAddingAccount,
    run: async (walk, type) => {
      const { page, online } = walk;
      const name = unique('Walk created');
      await page.getByLabel('Account Name').fill(name);
      await page.getByRole('dialog').getByLabel('Type').selectOption(type);
      await page.getByRole('button', { name: 'Create Account' }).click();
      if (online) await expect(page.getByText(`${name} has been successfully created.`)).toBeVisible();
      // A success reloads the list.
      if (online) walk.outdated = false;
    },
    verify: (walk) => expectResult(walk, 'Error creating account'),
  }),
  openInvite: step({
    value: fc.constant(null),
    applies: isAtAdmins,
    run: async ({ page }) => page.getByRole('button', { name: 'Invite Admin', exact: true }).click(),
  }),
  invite: step({
    value: fc.constantFrom('Robin Hart', 'Wendy Zürich'),
    applies: (walk) => isOnlyOpen(walk, 'Invite New Administrator'),
    run: async ({ page, online }, name) => {
      const email = `${unique('walk')}@example.org`;
      await page.getByLabel('Full Name').fill(name);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Send Invitation' }).click();
      if (online) await expect(page.getByText(`An invitation email has been sent to ${email}`)).toBeVisible();
    },
    verify: (walk) => expectResult(walk, 'Failed to send invitation'),
  }),
  openInvitation: step({
    value: fc.nat({ max: 5 }),
    applies: isAtAdmins,
    run: async ({ page }, index) => {
      // A filter shows the administrators without an invitation instead of the table.
      const links = page.locator('[data-invitation], [data-administrator]').getByRole('link');
      const count = await links.count();
      if (count > 0) await links.nth(index % count).click();
    },
  }),
  cancel: step({
    value: fc.constant(null),
    applies: (walk) =>
      walk.view.dialogs.some(isProfileForm)
        ? walk.view.dialogs.length === 1
        : hasForm(walk) && !walk.view.dialogs.some(isOverlay),
    run: async ({ page }) => {
      const dialogs = page.locator('[role="dialog"], [role="alertdialog"]');
      await clickIfShown(dialogs.getByRole('button', { name: 'Cancel', exact: true }));
    },
    verify: expectFocusKept,
  }),
  confirmDiscard: step({
    value: fc.boolean(),
    applies: ({ view }) => view.dialogs.some(isLeaveQuestion),
    run: async ({ page }, discards) => {
      const name = discards ? /^(?:Discard|Stop) / : /^Keep /;
      await page.getByRole('alertdialog').getByRole('button', { name }).click();
    },
  }),
  closePanel: step({
    value: fc.constant(null),
    applies: (walk) => hasPanel(walk) && walk.view.dialogs.length === 1,
    run: async ({ page }) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
    verify: expectFocusKept,
  }),
};
