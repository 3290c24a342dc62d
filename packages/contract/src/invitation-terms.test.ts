import { expect, it } from 'vitest';
import {
  invitationTermsSchema,
  isExpiryInRange,
  normalizeNote,
  noteField,
  parseExpiry,
} from './invitation-terms.ts';

const id = '6f1ed002-ab55-4e23-9a4e-6d7d9a1d8a11';
const now = new Date('2026-11-24T12:00:00Z');

it.each([
  ['', ''],
  [' \n ', ''],
  ['One\r\ntwo\rthree\u2028four', 'One\ntwo\nthree\nfour'],
  ['a \t\n\n\n\n b ', 'a\n\n b'],
])('normalizes the note %j to %j', (text, expected) => {
  expect(normalizeNote(text)).toBe(expected);
});

it.each([
  ['500 emoji', true, '🚒'.repeat(500)],
  ['501 characters', false, 'a'.repeat(501)],
  ['a right-to-left override', false, 'a\u202eb'],
  ['a bell', false, 'a\u0007b'],
  ['right-to-left letters and joiners', true, 'سلام‌ها 👩‍🚒'],
])('checks a note with %s: %s', (_name, valid, note) => {
  expect(noteField.safeParse(note).success).toBe(valid);
});

// With quadratic time, it would exceed the timeout of the test.
it('normalizes a long note of spaces and line ends in linear time', () => {
  expect(normalizeNote(`a${' \n'.repeat(200_000)}${' '.repeat(400_000)}b`)).toMatch(/^a\n\n +b$/);
});

it.each([
  ['12h', { expiresIn: 43_200 }],
  [' 3D ', { expiresIn: 259_200 }],
  ['2w', { expiresIn: 1_209_600 }],
  ['2026-12-01T18:00Z', { expiresAt: new Date('2026-12-01T18:00:00Z') }],
  ['2026-12-01T18:00:00+01:00', { expiresAt: new Date('2026-12-01T17:00:00Z') }],
  ['0h', null],
  ['31d', null],
  ['3', null],
  ['tomorrow', null],
  ['2026-12-01', null],
  ['2026-12-01T18:00', null],
  ['2026-02-30T18:00Z', null],
])('parses the expiry %j to %j', (text, expected) => {
  expect(parseExpiry(text)).toEqual(expected);
});

it.each([
  ['2026-11-24T13:00:00Z', true],
  ['2026-11-24T12:59:59Z', false],
  ['2026-12-24T12:00:00Z', true],
  ['2026-12-24T12:00:01Z', false],
])('compares the time %s with the allowed range: %s', (time, expected) => {
  expect(isExpiryInRange({ expiresAt: new Date(time) }, now)).toBe(expected);
});

it.each([
  [3599, false],
  [3600, true],
])('compares the duration %i with the allowed range: %s', (expiresIn, expected) => {
  expect(isExpiryInRange({ expiresIn }, now)).toBe(expected);
});

it.each([
  [{ invitation_id: id }, true],
  [{ invitation_id: id, note: null, expires_in: null, expires_at: null }, true],
  [{ invitation_id: id, expires_in: 3600 }, true],
  [{ invitation_id: id, expires_in: 3599 }, false],
  [{ invitation_id: id, expires_in: 3600.5 }, false],
  [{ invitation_id: id, expires_in: 3600, expires_at: '2026-12-01T18:00:00Z' }, false],
  [{ invitation_id: id, expires_at: 'soon' }, false],
  [{ invitation_id: 'x' }, false],
  [{ invitation_id: id, note: 5 }, false],
])('checks the terms %j: %s', (body, valid) => {
  expect(invitationTermsSchema.safeParse(body).success).toBe(valid);
});
