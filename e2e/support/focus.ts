/** Checks of the focus. */
import { expect, type Locator } from '@playwright/test';

/** Waits until the focus is inside the element. An overlay is visible shortly before it gets the focus. */
export const expectFocusIn = (container: Locator): Promise<void> =>
  expect.poll(() => container.evaluate((element) => element.contains(document.activeElement))).toBe(true);
