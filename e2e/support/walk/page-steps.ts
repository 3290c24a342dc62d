/** Steps on every screen: where to, which keys, which window, with or without network. */
import fc from 'fast-check';
import { hasForm, inConsole, isFree, isPhone, keepsFocus, leavesNoErrors, step } from './step.ts';
import { readView } from './view.ts';
import { screens } from './walk.ts';

const keys = ['End', 'Home', 'PageDown', 'PageUp', 'ArrowDown', 'ArrowUp', 'Tab', 'Shift+Tab', 'Escape'];
const shortcuts = ['Control+b', 'Control+k', 'Control+/'];

export const pageSteps = {
  navigate: step({
    value: fc.constantFrom(...Object.values(screens)),
    // Without network the code of a phone's sidebar may be missing.
    applies: (walk) => isFree(walk) && (walk.online || !isPhone(walk)),
    act: async (walk, name) => {
      const { page } = walk;
      if (isPhone(walk)) await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    },
    afterwards: leavesNoErrors,
  }),
  back: step({
    value: fc.constant(null),
    applies: (walk) =>
      inConsole(walk) && (walk.online ? walk.view.back !== 'out' : walk.view.back === 'same document'),
    act: async ({ page }) => {
      // An error where the page asks first.
      await page.goBack({ waitUntil: 'commit' }).catch(() => null);
    },
    afterwards: leavesNoErrors,
  }),
  reload: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && inConsole(walk) && !hasForm(walk),
    act: async (walk) => {
      await walk.page.reload();
      walk.outdated = false;
    },
  }),
  key: step({
    value: fc.constantFrom(...keys, ...shortcuts),
    applies: inConsole,
    act: async ({ page }, key) => {
      // A person begins at the top of the page, as the browser does.
      if ((await readView(page)).focusLost) await page.keyboard.press('Tab');
      await page.keyboard.press(key);
    },
    afterwards: async (walk, key) => {
      // Before the first and after the last element, Tab leads to the browser's own controls and then back.
      if (key.endsWith('Tab') && (await readView(walk.page)).focusLost) await walk.page.keyboard.press(key);
      await keepsFocus(walk);
    },
  }),
  resize: step({
    value: fc.constantFrom([1280, 800], [820, 1180], [375, 812], [1920, 1200], [812, 375]),
    applies: () => true,
    act: async ({ page }, [width = 0, height = 0]) => page.setViewportSize({ width, height }),
  }),
  goOffline: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && inConsole(walk),
    act: async (walk) => {
      await walk.page.context().setOffline(true);
      walk.online = false;
      walk.wasOffline = true;
    },
  }),
  comeBackOnline: step({
    value: fc.constant(null),
    applies: (walk) => !walk.online,
    act: async (walk) => {
      await walk.page.context().setOffline(false);
      walk.online = true;
    },
  }),
};
