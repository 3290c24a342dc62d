/** The command palette. */
import { expect, type Page } from '@playwright/test';

/** Opens the palette by its shortcut. Text that is typed before the palette has the focus is lost. */
export async function openPalette(page: Page): Promise<void> {
  // The shortcut works as soon as its button exists. The button is hidden from a locator by role while a dialog is open.
  await page
    .locator('button[aria-keyshortcuts]', { hasText: 'Search or run' })
    .waitFor({ state: 'attached' });
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
}
