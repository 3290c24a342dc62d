/** Runs axe on a page. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

interface AxeOptions {
  /** Tags of the rules to run. Empty: all rules. */
  readonly tags?: readonly string[];
  /** IDs of disabled rules. */
  readonly disabledRules?: readonly string[];
  /** CSS selectors of excluded elements. */
  readonly exclude?: readonly string[];
}

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns one line for each violation, with the rule and the element. */
export async function violationsOn(
  page: Page,
  { tags = [], disabledRules = [], exclude = [] }: AxeOptions = {},
): Promise<string[]> {
  const options: axe.RunOptions = {
    // Omit the details of thousands of passed checks.
    resultTypes: ['violations'],
    rules: Object.fromEntries(disabledRules.map((rule) => [rule, { enabled: false }])),
    ...(tags.length > 0 && { runOnly: { type: 'tag', values: [...tags] } }),
  };
  // The source is half a megabyte, so a document receives it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(
    async ({ excluded, runOptions }) => {
      const checker = (window as unknown as { axe: typeof axe }).axe;
      // Content that the browser skips has the geometry of its last layout, which no user sees.
      const rendered = new CSSStyleSheet();
      rendered.replaceSync('* { content-visibility: visible !important }');
      document.adoptedStyleSheets.push(rendered);
      const { violations } = await checker.run({ include: ['html'], exclude: excluded }, runOptions);
      document.adoptedStyleSheets.pop();
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
    },
    { excluded: [...exclude], runOptions: options },
  );
}
