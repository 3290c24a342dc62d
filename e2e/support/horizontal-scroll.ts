/** Measures horizontal scrolling of a page, in pixels. */
import type { Page } from '@playwright/test';

export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
