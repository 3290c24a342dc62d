/** Steps in dialogs and panels: open, type, submit, cancel, close. */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { unique } from '../api.ts';
import { expectErrors, hasForm, hasPanel, isAt, isAtAccounts, isOnlyOpen, keepsFocus, step } from './step.ts';
import type { Walk } from './walk.ts';

const isAtAdmins = (walk: Walk): boolean => isAt(walk, '/admin/platform-admins');
const isAddingAccount = (walk: Walk): boolean => isOnlyOpen(walk, 'Add New Account');

/** The error of a failed action shows offline, and no longer after the action has succeeded. */
const expectResult = (walk: Walk, error: string): Promise<void> =>
  walk.online
    ? expectErrors(walk, `no "${error}" beside the success`, (errors) => !errors.includes(error))
    : expectErrors(walk, `"${error}" without network`, (errors) => errors.includes(error));

export const formSteps = {
  openAddAccount: step({
    value: fc.constant(null),
    applies: isAtAccounts,
    act: async ({ page }) => page.getByRole('button', { name: 'Add Account', exact: true }).click(),
  }),
  typeAccountName: step({
    value: fc.constantFrom('Walk North', 'x'.repeat(200), ' '),
    applies: isAddingAccount,
    act: async ({ page }, name) => page.getByLabel('Account Name').fill(name),
  }),
  createAccount: step({
    value: fc.constantFrom('enterprise', 'organization'),
    applies: isAddingAccount,
    act: async (walk, type) => {
      const { page, online } = walk;
      const name = unique('Walk created');
      await page.getByLabel('Account Name').fill(name);
      await page.getByRole('dialog').getByLabel('Type').selectOption(type);
      await page.getByRole('button', { name: 'Create Account' }).click();
      if (online) await expect(page.getByText(`${name} has been successfully created.`)).toBeVisible();
      // The list is read again after a success.
      if (online) walk.outdated = false;
    },
    afterwards: (walk) => expectResult(walk, 'Error creating account'),
  }),
  openInvite: step({
    value: fc.constant(null),
    applies: isAtAdmins,
    act: async ({ page }) => page.getByRole('button', { name: 'Invite Admin', exact: true }).click(),
  }),
  invite: step({
    value: fc.constantFrom('Robin Hart', 'Wendy Zürich'),
    applies: (walk) => isOnlyOpen(walk, 'Invite New Administrator'),
    act: async ({ page, online }, name) => {
      const email = `${unique('walk')}@example.org`;
      await page.getByLabel('Full Name').fill(name);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Send Invitation' }).click();
      if (online) await expect(page.getByText(`An invitation email has been sent to ${email}`)).toBeVisible();
    },
    afterwards: (walk) => expectResult(walk, 'Failed to send invitation'),
  }),
  openInvitation: step({
    value: fc.nat({ max: 5 }),
    applies: isAtAdmins,
    act: async ({ page }, index) => {
      const links = page.getByRole('table', { name: 'Admins' }).locator('tbody').getByRole('link');
      const count = await links.count();
      if (count > 0) await links.nth(index % count).click();
    },
  }),
  cancel: step({
    value: fc.constant(null),
    applies: (walk) => hasForm(walk) && walk.view.dialogs.length === 1,
    act: async ({ page }) => page.getByRole('button', { name: 'Cancel' }).click(),
  }),
  answerDiscard: step({
    value: fc.boolean(),
    applies: ({ view }) => view.dialogs.some((name) => name.startsWith('Discard')),
    act: async ({ page }, discards) => {
      const name = discards ? /^Discard/ : 'Keep editing';
      await page.getByRole('alertdialog').getByRole('button', { name }).click();
    },
  }),
  closePanel: step({
    value: fc.constant(null),
    applies: (walk) => hasPanel(walk) && walk.view.dialogs.length === 1,
    act: async ({ page }) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
    afterwards: keepsFocus,
  }),
};
