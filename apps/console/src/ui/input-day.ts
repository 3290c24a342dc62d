/** Converts between times and the values of date inputs, in local time. */

/** Returns a number with two digits. */
export const pad = (value: number): string => String(value).padStart(2, '0');

/** Returns the local day as the value of an input of the type `date`, for example `2026-11-24`. */
export const toDayInput = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;

/**
 * Returns the start of a local day, or of a later day; undefined for an invalid day, such as `2026-02-30`.
 *
 * @param offsetDays not a number of hours: a day can have 23 or 25 hours
 */
export const startOfDay = (day: string, offsetDays = 0): Date | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const isValid = toDayInput(new Date(year, month - 1, date)) === day;
  return isValid ? new Date(year, month - 1, date + offsetDays) : undefined;
};
