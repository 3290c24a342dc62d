/** What the accessibility rules find on a page. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

interface Question {
  /** Sets of rules; without any, all rules. */
  readonly tags?: readonly string[];
  /** Rules that do not apply here. */
  readonly without?: readonly string[];
  /** CSS selectors of what is not looked at. */
  readonly exclude?: readonly string[];
}

/** @returns a line for each finding: the rule, and where. */
export async function violationsOn(
  page: Page,
  { tags = [], without = [], exclude = [] }: Question = {},
): Promise<string[]> {
  const builder = new AxeBuilder({ page })
    // Passed checks are not told in full: there are thousands of them.
    .options({ resultTypes: ['violations'] })
    // No page of ours has frames, so no second page is needed to collect their findings.
    .setLegacyMode(true);
  if (tags.length > 0) builder.withTags([...tags]);
  if (without.length > 0) builder.disableRules([...without]);
  for (const selector of exclude) builder.exclude(selector);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
}
