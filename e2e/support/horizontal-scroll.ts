/** How many pixels a page scrolls sideways, which none may. */
import type { Page } from '@playwright/test';

export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
