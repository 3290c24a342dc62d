/** Converts between times and the values of time inputs, in local time. Forms load it on demand. */
import { pad, toDayInput } from './input-day.ts';

/** Returns the local time as the value of an input of the type `datetime-local`. */
export const toTimeInput = (time: Date): string =>
  `${toDayInput(time)}T${pad(time.getHours())}:${pad(time.getMinutes())}`;

/**
 * Returns the time of an input of the type `datetime-local` as RFC 3339. An input that still shows the stored time returns
 * it unchanged: the text has no seconds, and in the hour that the clock repeats it stands for two times.
 *
 * @param stored RFC 3339, or null
 * @throws RangeError for an invalid text
 */
export const fromTimeInput = (text: string, stored: string | null): string =>
  stored !== null && text === toTimeInput(new Date(stored)) ? stored : new Date(text).toISOString();
