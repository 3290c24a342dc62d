import type { InvitationTerms } from '@lanternrock/contract/invitation-terms';
import { expect, it } from 'vitest';
import { expiryOptions, termsSchema, toTermsBody, toTermsInput } from './invitation-terms-form.ts';

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
  expect(toTermsBody('id', input)).toEqual({
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
    expiryOptions(terms)
      .map(({ label }) => label)
      .slice(0, 3),
  ).toEqual(['After the default time', '5 hours after the email', '12 hours after the email']);
  expect(toTermsBody('id', input)).toMatchObject({ note: 'a\nb', expires_in: 18_000, expires_at: null });
});

it('converts a time of the browser to a time with its zone', () => {
  const terms = { ...none, expires_at: inHours(5) };
  const body = toTermsBody('id', toTermsInput(terms));
  const difference = new Date(String(body['expires_at'])).getTime() - new Date(terms.expires_at).getTime();
  expect(Math.abs(difference)).toBeLessThan(60_000);
  expect(body['expires_in']).toBeNull();
});

it.each([
  [0.5, false],
  [2, true],
  [29 * 24, true],
  [31 * 24, false],
])('accepts a time in %d hours: %s', (hours, valid) => {
  const { until } = toTermsInput({ ...none, expires_at: inHours(hours) });
  const result = termsSchema.safeParse({ note: '', expiry: 'time', until });
  expect(result.success).toBe(valid);
  if (!valid) expect(result.error?.issues[0]?.path).toEqual(['until']);
});

it('ignores the time while another expiry is chosen, and rejects an empty one', () => {
  expect(termsSchema.safeParse({ note: '', expiry: 'default', until: '' }).success).toBe(true);
  expect(termsSchema.safeParse({ note: '', expiry: 'time', until: '' }).success).toBe(false);
});
