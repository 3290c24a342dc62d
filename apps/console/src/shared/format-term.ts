/** Formats the validity of an invitation link, for example `3 days` or `36 hours`. */
export const formatTerm = (seconds: number): string => {
  const isDays = seconds % 86_400 === 0;
  const value = isDays ? seconds / 86_400 : Math.round(seconds / 360) / 10;
  return `${value} ${isDays ? 'day' : 'hour'}${value === 1 ? '' : 's'}`;
};
