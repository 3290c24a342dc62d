/** The replaced functions of the platform, on nodes of their own: React changes texts that a translator has replaced. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/console-fixtures.ts';

interface Case {
  /** What a translator does to the texts `A` and `B` of an element. */
  readonly translate: 'replaces both by one element' | 'inserts behind each' | 'replaces A' | 'wraps both';
  /** What React does then. */
  readonly change: 'remove A' | 'remove B' | 'change B' | 'remove B, change A';
  readonly expected: string;
}

const cases: readonly Case[] = [
  { translate: 'replaces both by one element', change: 'remove A', expected: 'B' },
  { translate: 'replaces both by one element', change: 'remove B', expected: 'A' },
  { translate: 'replaces both by one element', change: 'change B', expected: 'A, new' },
  { translate: 'inserts behind each', change: 'remove A', expected: 'b' },
  { translate: 'inserts behind each', change: 'remove B', expected: 'a' },
  { translate: 'inserts behind each', change: 'change B', expected: 'a, new' },
  { translate: 'replaces A', change: 'remove A', expected: 'B' },
  { translate: 'replaces A', change: 'remove B', expected: 'a' },
  { translate: 'replaces A', change: 'remove B, change A', expected: 'new' },
  { translate: 'wraps both', change: 'remove A', expected: 'B' },
  { translate: 'wraps both', change: 'change B', expected: 'A, new' },
];

/** Returns the texts of the element after both changes, separated by commas. */
const perform = (page: Page, { translate, change }: Case): Promise<string> =>
  page.evaluate(
    async ([how, what]) => {
      const element = document.createElement('p');
      const first = document.createTextNode('A');
      const second = document.createTextNode('B');
      element.append(first, second);
      document.body.append(element);
      const createTranslation = (...content: (Text | string)[]): Element => {
        const translation = document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
        translation.append(...content);
        return translation;
      };
      // The records of a mutation observer arrive before a later task.
      const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
      await nextTask();
      if (how === 'replaces both by one element') {
        first.before(createTranslation('ab'));
        first.remove();
        second.remove();
      } else if (how === 'inserts behind each') {
        for (const text of [first, second]) {
          text.after(createTranslation(text.data.toLowerCase()));
          text.remove();
        }
      } else if (how === 'replaces A') first.replaceWith(createTranslation('a'));
      else {
        const wrapper = createTranslation();
        first.before(wrapper);
        wrapper.append(first, second);
      }
      await nextTask();
      // As React does.
      if (what === 'remove A') element.removeChild(first);
      if (what.startsWith('remove B')) element.removeChild(second);
      await nextTask();
      if (what === 'change B') second.nodeValue = 'new';
      if (what.endsWith('change A')) first.nodeValue = 'new';
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const texts: string[] = [];
      while (walker.nextNode()) texts.push((walker.currentNode as Text).data);
      const hasEmptyTranslation = [...element.children].some((child) => child.textContent === '');
      element.remove();
      return `${texts.join(', ')}${hasEmptyTranslation ? ' and an empty element' : ''}`;
    },
    [translate, change] as const,
  );

test('changes and removes only its own texts on a translated page', async ({ page }) => {
  await page.goto('/auth');
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('form') ?? {}).some((name) => name.startsWith('__reactProps')),
  );
  for (const each of cases)
    expect(await perform(page, each), `${each.translate}, ${each.change}`).toBe(each.expected);
});

test('inserts before a replaced text, and at the end if it is gone', async ({ page }) => {
  await page.goto('/auth');
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('form') ?? {}).some((name) => name.startsWith('__reactProps')),
  );
  const texts = await page.evaluate(async () => {
    const element = document.createElement('p');
    const [first, second] = [document.createTextNode('A'), document.createTextNode('B')];
    element.append(first, second);
    document.body.append(element);
    const translation = document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
    translation.append('a');
    first.replaceWith(translation);
    await new Promise((resolve) => setTimeout(resolve));
    element.insertBefore(document.createTextNode('1'), first);
    element.insertBefore(document.createTextNode('2'), document.createTextNode('gone'));
    const { textContent } = element;
    element.remove();
    return textContent;
  });
  expect(texts).toBe('1aB2');
});
