/** Steps in the View menus of the accounts and of the administrators. */
import { expect, type Locator, type Page } from '@playwright/test';
import fc from 'fast-check';
import {
  clickIfShown,
  expectFocusKept,
  expectNoOldErrors,
  expectResult,
  isAt,
  isOnlyOpen,
  step,
} from './step.ts';
import { readView } from './view.ts';
import type { Walk } from './walk.ts';

const accounts = '/admin/accounts';
const admins = '/admin/platform-admins';
const isViewOpen = (walk: Walk, path: string): boolean => walk.view.path === path && isOnlyOpen(walk, 'View');
const menu = (page: Page): Locator => page.getByRole('dialog', { name: 'View' });

/** Settings of the accounts with their values. */
const settings = [
  ['Sort by', 'name'],
  ['Sort by', 'updated'],
  ['Sort by', 'created'],
  ['Direction', 'asc'],
  ['Direction', 'desc'],
  ['Status', 'active'],
  ['Status', 'suspended'],
  ['Status', 'all'],
  ['Rows', 'compact'],
  ['Rows', 'comfortable'],
] as const;

export const viewSteps = {
  openView: step({
    value: fc.constant(null),
    applies: (walk) => isAt(walk, accounts) || isAt(walk, admins),
    run: async ({ page }) => page.getByRole('button', { name: /^View/ }).click(),
    // The menu may still be loading when the invariants hold.
    verify: async (walk) => {
      if (walk.online)
        await expect.poll(async () => (walk.view = await readView(walk.page)).dialogs).toContain('View');
    },
  }),
  changeView: step({
    value: fc.constantFrom(...settings),
    applies: (walk) => isViewOpen(walk, accounts),
    run: async ({ page }, [label, value]) =>
      void (await menu(page).getByLabel(label, { exact: true }).selectOption(value)),
  }),
  exportAccounts: step({
    value: fc.constant(null),
    applies: (walk) => isViewOpen(walk, accounts),
    run: async ({ page, online }) => {
      await menu(page).getByRole('button', { name: 'Export CSV' }).click();
      if (online) await expect(page.getByText('accounts.csv saved').first()).toBeVisible();
    },
    verify: (walk) => expectResult(walk, 'Error exporting accounts'),
  }),
  resetView: step({
    value: fc.constant(null),
    applies: (walk) => isViewOpen(walk, accounts),
    run: async ({ page }) => clickIfShown(menu(page).getByRole('button', { name: 'Reset view' })),
    verify: expectFocusKept,
  }),
  filterAdmins: step({
    value: fc.constantFrom('', 'pending', 'revoked', 'uninvited'),
    applies: (walk) => isViewOpen(walk, admins),
    run: async ({ page }, status) => void (await menu(page).getByLabel('Status').selectOption(status)),
  }),
  searchAdmins: step({
    value: fc.constantFrom('', 'robin', 'no such name'),
    applies: (walk) => isViewOpen(walk, admins),
    run: async ({ page }, text) => menu(page).getByRole('searchbox').fill(text),
  }),
  followViewEntry: step({
    value: fc.constantFrom('Import accounts', 'Invite from a list', 'Second factor for administrators'),
    applies: (walk) => isViewOpen(walk, accounts) || isViewOpen(walk, admins),
    run: async ({ page }, name) =>
      clickIfShown(menu(page).getByRole('link', { name }).or(menu(page).getByRole('button', { name }))),
    verify: expectNoOldErrors,
  }),
};
