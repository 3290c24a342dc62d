/**
 * The slug of an account (specification section 3): lower case, each run of characters other than
 * ASCII letters and digits becomes one hyphen, none at the ends. A name without any gives ''.
 */
export const slugFromName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
