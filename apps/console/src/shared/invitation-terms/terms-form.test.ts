import type { InvitationTerms } from '@lanternrock/contract/invitation-terms';
import { expect, it } from 'vitest';
import { expiryOptions, termsSchema, toTermsBody, toTermsInput } from './terms-form.ts';

const none: InvitationTerms = {
  note: null,
  expires_in: null,
  expires_at: null,
  next_expires_at: '2026-12-01T12:00:00Z',
};
const now = new Date();
const inHours = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString();

it('starts with the default and its time', () => {
  const input = toTermsInput(none);
  expect(input).toMatchObject({ note: '', expiry: 'default' });
  expect(new Date(input.until)).toEqual(new Date('2026-12-01T12:00:00Z'));
  expect(toTermsBody('id', input, none)).toEqual({
    invitation_id: 'id',
    note: null,
    expires_in: null,
    expires_at: null,
  });
});

it('keeps stored values, also durations that are no preset', () => {
  const terms = { ...none, note: 'a\nb', expires_in: 18_000 };
  const input = toTermsInput(terms);
  expect(
    expiryOptions(terms, 0)
      .map(({ label }) => label)
      .slice(0, 3),
  ).toEqual(['After the default time', '5 hours after the email', '12 hours after the email']);
  expect(expiryOptions(none, 604_800)[0]?.label).toBe('After 7 days (default)');
  expect(toTermsBody('id', input, terms)).toMatchObject({
    note: 'a\nb',
    expires_in: 18_000,
    expires_at: null,
  });
});

/** Runs the check in a time zone. */
const inZone = (zone: string, check: () => void): void => {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    check();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
};

it.each([
  ['America/New_York', '2027-06-01T14:00:00.000Z'],
  ['Asia/Kathmandu', '2027-06-01T04:15:00.000Z'],
])('converts a local time in %s to UTC', (zone, expected) => {
  inZone(zone, () => {
    const input = { note: '', expiry: 'time', until: '2027-06-01T10:00' } as const;
    expect(toTermsBody('id', input, none)).toMatchObject({ expires_at: expected, expires_in: null });
  });
});

it.each([
  [0.5, false],
  [2, true],
  [29 * 24, true],
  [31 * 24, false],
])('accepts a time in %d hours: %s', (hours, valid) => {
  const { until } = toTermsInput({ ...none, expires_at: inHours(hours) });
  const result = termsSchema(none).safeParse({ note: '', expiry: 'time', until });
  expect(result.success).toBe(valid);
  if (!valid) expect(result.error?.issues[0]?.path).toEqual(['until']);
});

it('ignores the time while another expiry is chosen, and rejects an empty one', () => {
  expect(termsSchema(none).safeParse({ note: '', expiry: 'default', until: '' }).success).toBe(true);
  expect(termsSchema(none).safeParse({ note: '', expiry: 'time', until: '' }).success).toBe(false);
});

it.each([
  ['America/New_York', '2027-11-07T06:30:45Z', '2027-11-07T01:30'],
  ['Australia/Lord_Howe', '2027-04-03T15:15:10Z', '2027-04-04T01:45'],
  ['Africa/Cairo', '2027-10-28T21:30:05Z', '2027-10-28T23:30'],
  ['Europe/Zurich', '2027-10-31T01:30:45.678Z', '2027-10-31T02:30'],
])('in %s, keeps the stored time %s, which the input shows as %s', (zone, stored, shown) => {
  inZone(zone, () => {
    const terms = { ...none, expires_at: stored };
    const input = toTermsInput(terms);
    expect(input.until).toBe(shown);
    expect(toTermsBody('id', input, terms)).toMatchObject({ expires_at: stored });
  });
});

it('keeps a stored time that the input still shows, also outside of the allowed range', () => {
  for (const stored of ['2027-10-31T01:30:00.000Z', '2027-10-31T00:30:00.000Z', '2020-01-01T10:00:59.123Z']) {
    const terms = { ...none, expires_at: stored };
    const input = { ...toTermsInput(terms), note: 'New' };
    expect(termsSchema(terms).safeParse(input).success).toBe(true);
    expect(toTermsBody('id', input, terms)).toMatchObject({ note: 'New', expires_at: stored });
    const changed = { ...input, until: '2020-01-01T10:01' };
    expect(termsSchema(terms).safeParse(changed).success).toBe(false);
  }
});
