/**
 * The types of customer accounts. Separate from the input schema, so that lists and filters do not load zod.
 */
export const accountTypes = ['enterprise', 'organization'] as const;
export type AccountType = (typeof accountTypes)[number];
