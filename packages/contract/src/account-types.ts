/** The kinds of customer accounts. Apart from the input schema: lists and filters need no validation library. */
export const accountTypes = ['enterprise', 'organization'] as const;
export type AccountType = (typeof accountTypes)[number];
