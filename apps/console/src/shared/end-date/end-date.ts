/** Input of an end date, and suggested times. */
import * as z from 'zod/mini';
import { serverNow } from '../../api/server-clock.ts';
import { toTimeInput } from '../../ui/input-time.ts';
import { endDateText as text } from './end-date-text.ts';

/** The hour of the day that counts as evening. */
const eveningHour = 20;

const toEvening = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, eveningHour);

export interface EndPreset {
  readonly label: string;
  /** Value of the input. */
  readonly value: string;
}

/** Returns the suggestions, all in the future. */
export const endPresets = (now: Date): readonly EndPreset[] => {
  const untilSunday = (7 - now.getDay()) % 7;
  const isPast = (time: Date): boolean => time <= now;
  const sunday = toEvening(now, untilSunday);
  const tonight = toEvening(now, 0);
  return [
    ...(isPast(tonight) ? [] : [{ label: text.tonight, value: toTimeInput(tonight) }]),
    { label: text.sunday, value: toTimeInput(isPast(sunday) ? toEvening(now, untilSunday + 7) : sunday) },
    { label: text.week, value: toTimeInput(toEvening(now, 7)) },
    { label: text.month, value: toTimeInput(toEvening(now, 30)) },
    { label: text.none, value: '' },
  ];
};

/** The input is a local time, or empty for no end. The output is RFC 3339, or null. */
export const endDateField = z.pipe(
  z.string().check(
    z.refine((value) => value === '' || !Number.isNaN(new Date(value).getTime()), { error: text.invalid }),
    z.refine((value) => value === '' || !(new Date(value) <= serverNow()), { error: text.past }),
  ),
  z.transform((value: string) => (value === '' ? null : new Date(value).toISOString())),
);

export const endDateSchema = z.object({ ends_at: endDateField });
export type EndDateInput = z.input<typeof endDateSchema>;
