/** Runs axe on a page. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

interface AxeOptions {
  /** Tags of the rules to run. Empty: all rules. */
  readonly tags?: readonly string[];
  /** IDs of disabled rules. */
  readonly disabledRules?: readonly string[];
  /** CSS selectors of excluded elements. */
  readonly exclude?: readonly string[];
}

/** Returns one line for each violation, with the rule and the element. */
export async function violationsOn(
  page: Page,
  { tags = [], disabledRules = [], exclude = [] }: AxeOptions = {},
): Promise<string[]> {
  const builder = new AxeBuilder({ page })
    // Omit the details of thousands of passed checks.
    .options({ resultTypes: ['violations'] })
    // The pages have no frames, so axe does not need a second page to collect their results.
    .setLegacyMode(true);
  if (tags.length > 0) builder.withTags([...tags]);
  if (disabledRules.length > 0) builder.disableRules([...disabledRules]);
  for (const selector of exclude) builder.exclude(selector);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
}
