/** Finds elements with two Tailwind classes for one property. The order in the style sheet decides which applies. */
import type { Page } from '@playwright/test';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({ extend: { theme: { text: ['2xs'] } } });

export async function classConflicts(page: Page): Promise<string[]> {
  const lists = await page.evaluate(() =>
    [...document.querySelectorAll('[class]')].map((element) => [...element.classList].join(' ')),
  );
  return [...new Set(lists)]
    .filter((list) => merge(list) !== list)
    .map((list) => `${list} -> ${merge(list)}`);
}
