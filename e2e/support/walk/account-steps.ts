/** Steps in the panel of an account: actions, members, and the next account. */
import { expect, type Locator, type Page } from '@playwright/test';
import fc from 'fast-check';
import { clickIfShown, expectFocusKept, expectResult, step } from './step.ts';
import { isOverlay, type Walk } from './walk.ts';

/** Returns true if the panel of an account is open, without a dialog over it. */
const hasAccount = ({ view }: Walk): boolean =>
  view.query['account'] !== undefined && view.query['action'] === undefined && view.dialogs.length === 1;

/** Returns true if the dialog of an action is open over the panel. */
const hasAction = ({ view }: Walk): boolean =>
  view.query['action'] !== undefined && view.dialogs.length === 2 && !view.dialogs.some(isOverlay);

const panel = (page: Page): Locator => page.getByRole('dialog');
/** The actions that run without a dialog. */
const immediate = ['Reactivate', 'Archive', 'Restore'];
/** The buttons that confirm an action in a dialog, with the error if it fails. */
const confirmations = {
  edit: ['Save Changes', 'Error saving account'],
  suspend: ['Suspend account', 'Error changing status'],
} as const;
const memberFailure = 'Error changing member';

/** Expects nothing after a change of an account that another client may have deleted. */
const expectChange = async (walk: Walk, error: string): Promise<void> => {
  if (!walk.outdated) await expectResult(walk, error);
};

export const accountSteps = {
  openAction: step({
    value: fc.constantFrom('Edit', 'Suspend', 'Reactivate', 'Archive', 'Restore'),
    applies: hasAccount,
    run: async ({ page }, name) => {
      const actions = panel(page).getByRole('group', { name: 'Account actions' });
      await clickIfShown(actions.getByRole('button', { name, exact: true }));
    },
    verify: (walk, name) => (immediate.includes(name) ? expectFocusKept(walk) : Promise.resolve()),
  }),
  typeInAction: step({
    value: fc.constantFrom('Walk', 'x'.repeat(60), ''),
    applies: hasAction,
    run: async ({ page, view }, text) => {
      const label = { edit: 'City', suspend: 'Reason' }[view.query['action'] ?? ''];
      if (label !== undefined) await panel(page).last().getByLabel(label).fill(text);
    },
  }),
  confirmAction: step({
    value: fc.constant(null),
    applies: hasAction,
    run: async (walk) => {
      const { page, view, online, outdated } = walk;
      const action = view.query['action'] as keyof typeof confirmations;
      if (action === 'suspend') await panel(page).last().getByLabel('Reason').fill('Walk');
      await page.getByRole('button', { name: confirmations[action][0] }).click();
      if (online && !outdated) await expect(page).not.toHaveURL(/action=/);
    },
    verify: async (walk, _value, before) => {
      const action = before.query['action'] as keyof typeof confirmations;
      // Offline, a save without changes sends no request.
      if (walk.online) await expectChange(walk, confirmations[action][1]);
      await expectFocusKept(walk);
    },
  }),
  undo: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && hasAccount(walk),
    run: async ({ page }) =>
      clickIfShown(page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' })),
  }),
  addMember: step({
    value: fc.constant(null),
    applies: hasAccount,
    run: async (walk) => {
      const { page, online, outdated, user } = walk;
      const email = panel(page).getByLabel("Member's email");
      if (!online || outdated) return;
      const list = panel(page).getByRole('list', { name: 'Members of the account' });
      await expect(list.or(panel(page).getByText('This account has no members.'))).toBeVisible();
      if ((await list.count()) > 0) return;
      await email.fill(user.email);
      await email.press('Enter');
      await expect(list.getByRole('listitem')).toHaveCount(1);
    },
    verify: (walk) => (walk.online ? expectChange(walk, memberFailure) : Promise.resolve()),
  }),
  changeMember: step({
    value: fc.constantFrom('Suspend', 'Reactivate', 'Remove'),
    applies: hasAccount,
    run: async ({ page, user }, action) =>
      clickIfShown(panel(page).getByRole('button', { name: `${action} ${user.fullName}` })),
    verify: expectFocusKept,
  }),
  moveInList: step({
    value: fc.constantFrom('Previous account', 'Next account'),
    applies: hasAccount,
    run: async ({ page }, name) => clickIfShown(panel(page).getByRole('button', { name })),
    verify: expectFocusKept,
  }),
};
