/** Where the focus is. */
import { expect, type Locator } from '@playwright/test';

/** Waits until the focus is in this layer: what opens can be seen a moment before it has taken the focus. */
export const expectFocusIn = (layer: Locator): Promise<void> =>
  expect.poll(() => layer.evaluate((element) => element.contains(document.activeElement))).toBe(true);
