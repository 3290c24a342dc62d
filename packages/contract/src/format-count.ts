/** Formats a number with thousands separators, as all texts contain it. */
export const formatCount = (value: number): string => value.toLocaleString('en');
