/** Steps on every screen: navigation, keys, window, network, and changes by other clients. */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { inConsole, isFree, isPhone, expectFocusKept, expectNoOldErrors, step } from './step.ts';
import { readView } from './view.ts';
import { sidebarScreens } from './walk.ts';

const keys = ['End', 'Home', 'PageDown', 'PageUp', 'ArrowDown', 'ArrowUp', 'Tab', 'Shift+Tab', 'Escape'];
const shortcuts = ['Control+b', 'Control+k', 'Control+/'];
/** Shortcuts that open a dialog, which may still be loading when the invariants hold. */
const dialogShortcuts: Readonly<Record<string, string>> = {
  'Control+k': 'Search or run a command',
  'Control+/': 'Keyboard shortcuts',
};

export const pageSteps = {
  navigate: step({
    value: fc.constantFrom(...Object.values(sidebarScreens)),
    // Offline, the code of the sidebar sheet may be missing.
    applies: (walk) => isFree(walk) && (walk.online || !isPhone(walk)),
    run: async (walk, name) => {
      const { page } = walk;
      if (isPhone(walk)) await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    },
    verify: expectNoOldErrors,
  }),
  back: step({
    value: fc.constant(null),
    applies: (walk) =>
      inConsole(walk) && (walk.online ? walk.view.back !== 'out' : walk.view.back === 'same document'),
    run: async ({ page }) => {
      // Throws if a confirmation dialog blocks the navigation.
      await page.goBack({ waitUntil: 'commit' }).catch(() => null);
    },
    verify: expectNoOldErrors,
  }),
  reload: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && inConsole(walk),
    run: async (walk) => {
      await walk.page.reload();
      walk.outdated = false;
    },
  }),
  key: step({
    value: fc.constantFrom(...keys, ...shortcuts),
    applies: inConsole,
    run: async ({ page }, key) => {
      // Without a focused element, the first Tab focuses the start of the page.
      if ((await readView(page)).focusLost) await page.keyboard.press('Tab');
      await page.keyboard.press(key);
    },
    verify: async (walk, key, before) => {
      const dialog = dialogShortcuts[key];
      if (dialog !== undefined && walk.online && before.dialogs.length === 0)
        await expect.poll(async () => (walk.view = await readView(walk.page)).dialogs).toContain(dialog);
      // Before the first and after the last element, Tab moves to the controls of the browser and then back.
      if (key.endsWith('Tab') && (await readView(walk.page)).focusLost) await walk.page.keyboard.press(key);
      await expectFocusKept(walk);
    },
  }),
  resize: step({
    value: fc.constantFrom([1280, 800], [820, 1180], [375, 812], [1920, 1200], [812, 375]),
    applies: () => true,
    run: async ({ page }, [width = 0, height = 0]) => page.setViewportSize({ width, height }),
  }),
  goOffline: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && inConsole(walk),
    run: async (walk) => {
      await walk.page.context().setOffline(true);
      walk.online = false;
      walk.wasOffline = true;
    },
  }),
  goOnline: step({
    value: fc.constant(null),
    applies: (walk) => !walk.online,
    run: async (walk) => {
      await walk.page.context().setOffline(false);
      walk.online = true;
    },
  }),
  scrollPage: step({
    value: fc.nat({ max: 100 }),
    applies: isFree,
    run: async ({ page }, percent) =>
      page.evaluate((part) => {
        const { scrollHeight } = document.documentElement;
        document.documentElement.scrollTo(0, (scrollHeight * part) / 100);
      }, percent),
  }),
  changeAccountsElsewhere: step({
    value: fc.boolean(),
    applies: () => true,
    run: async (walk, added) => {
      walk.outdated = true;
      walk.wasOutdated = true;
      await walk.sql(
        added
          ? `insert into public.accounts (name, slug, account_type, status)
             values ('Walk other', 'walk-other', 'enterprise', 'active')`
          : 'delete from public.accounts where id = (select id from public.accounts order by created_at desc limit 1)',
      );
    },
  }),
};
