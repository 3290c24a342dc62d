import { describe, expect, it } from 'vitest';
import { parsePreferences } from './preferences.ts';

describe('Prefer: timezone', () => {
  it.each(['UTC', 'Etc/UTC', 'GMT', 'America/New_York', 'america/new_york', 'Asia/Kolkata', 'Etc/GMT+5'])(
    'accepts %s',
    (zone) => {
      expect(parsePreferences(`timezone=${zone}`).timezone).toBe(zone);
      expect(parsePreferences(`timezone=${zone}`).timezone).toBe(zone);
    },
  );

  // Postgres parses all except the first two as POSIX time zone rules, and caches each of them.
  it.each([
    'Nowhere',
    '',
    'X5Y',
    'ABC1',
    'EST5EDX',
    '<+01>-1',
    '+01:00',
    '5',
    'UTC-3:30',
    `${'A'.repeat(100)}5`,
  ])('rejects "%s"', (zone) => {
    for (const handling of ['', ',handling=lenient', ',handling=strict']) {
      expect(() => parsePreferences(`timezone=${zone}${handling}`)).toThrow(
        expect.objectContaining({ status: 400, code: '22023' }),
      );
    }
  });
});
