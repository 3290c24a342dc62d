import { expect, it } from 'vitest';
import { formatDateWithZone } from './date-with-zone.ts';

it('formats dates with their time zone', () => {
  expect(formatDateWithZone(new Date('2026-07-01T12:00:00Z'), 'Europe/Zurich')).toMatch(
    /1 July 2026 at 14:00 (CEST|GMT\+2)$/,
  );
});
