/** Formats a time of day, for values where the day is not enough. Loaded on demand. */
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns the local date and time to the minute, or the text unchanged if it is invalid. */
export const formatDateTime = (iso: string): string => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : dateTime.format(time);
};

const pad = (value: number): string => String(value).padStart(2, '0');

/** Returns the local time as the value of an input of the type `datetime-local`. */
export const toLocalInput = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}T${pad(time.getHours())}:${pad(time.getMinutes())}`;

/**
 * Returns the time of an input of the type `datetime-local` as RFC 3339. An input that still shows the stored time returns
 * it unchanged: the text has no seconds, and in the hour that the clock repeats it stands for two times.
 *
 * @param stored RFC 3339, or null
 * @throws RangeError for an invalid text
 */
export const fromLocalInput = (text: string, stored: string | null): string =>
  stored !== null && text === toLocalInput(new Date(stored)) ? stored : new Date(text).toISOString();

/** Returns the name of the time zone of the browser, for example `Europe/Oslo`. */
export const timeZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
