/** Measures horizontal scrolling of a page, in pixels. */
import type { Page } from '@playwright/test';

/** Measures how far the content of dialogs and panels extends beyond them, in pixels. */
export const dialogOverflow = (page: Page): Promise<number> =>
  page
    .locator('[data-dialog], [data-sheet]')
    .evaluateAll((dialogs) =>
      Math.max(0, ...dialogs.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)),
    );

/** After a resize, the layout can take some frames: the sidebar and tables react to the new width. */
const maxFrames = 30;

export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(async (frames) => {
    const overflow = (): number =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth;
    for (let frame = 0; frame < frames && overflow() > 0; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    // Negative on the sign-in pages: the space for the scrollbar belongs to neither width.
    return Math.max(0, overflow());
  }, maxFrames);
