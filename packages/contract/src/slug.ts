/**
 * Returns the slug of an account name: lower case, with one hyphen for each run of other characters than
 * ASCII letters and digits, and without hyphens at the ends. Returns '' for a name without ASCII letters and
 * digits. The end of a longer slug is cut: the lower case of a capital I with a dot is two characters.
 */
export const slugFromName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 200)
    .replace(/-$/, '');
