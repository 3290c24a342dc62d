import { expect, it } from 'vitest';
import { suspensionReasonSchema } from './account-status.ts';
import { newAccountSchema } from './accounts.ts';
import { noteField } from './invitation-terms.ts';
import { fullNameField } from './invitations.ts';
import { notificationSettingsSchema } from './notification-settings.ts';
import { hasVisibleCharacter } from './text-checks.ts';

const allCodePoints = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => codePoint < 0xd800 || codePoint > 0xdfff,
);

it('treats every space and every ignorable character of Unicode as invisible, and no letter', () => {
  const text = allCodePoints.map((codePoint) => String.fromCodePoint(codePoint));
  const blank = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;
  expect(text.filter((each) => blank.test(each) && hasVisibleCharacter(each))).toEqual([]);
  const blankLetters = ['\u{13441}', '\u{13442}'];
  expect(['\u{1d159}', '\u{16fe4}', '\u{13430}', ...blankLetters].filter(hasVisibleCharacter)).toEqual([]);
  // Ignorable letters are fillers of Hangul and the Khmer inherent vowels.
  const letters = /(?![\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{Emoji_Presentation}]/u;
  const hidden = text.filter((each) => letters.test(each) && !hasVisibleCharacter(each));
  expect(hidden).toEqual(blankLetters);
});

const fields: Readonly<Record<string, (text: string) => boolean>> = {
  account: (name) => newAccountSchema.safeParse({ ...account, name }).success,
  'full name': (name) => fullNameField.safeParse(name).success,
  sender: (sender_name) =>
    notificationSettingsSchema.safeParse({ sender_email: 'a@b.co', sender_name }).success,
  reason: (text) => suspensionReasonSchema.safeParse(text).success,
  address: (address) => newAccountSchema.safeParse({ ...account, address }).success,
  city: (city) => newAccountSchema.safeParse({ ...account, city }).success,
  state: (state) => newAccountSchema.safeParse({ ...account, state }).success,
  'zip code': (zip_code) => newAccountSchema.safeParse({ ...account, zip_code }).success,
};
const account = { name: 'Pier', account_type: 'enterprise', address: '', city: '', state: '', zip_code: '' };

it.each(Object.entries(fields))('%s rejects direction controls and accepts joiners', (field, accepts) => {
  for (const control of ['\u202e', '\u200e', '\u200f', '\u061c', '\u2066', '\u2069'])
    expect(accepts(`a${control}b`), JSON.stringify(control)).toBe(false);
  for (const text of ['می\u200cخواهم', 'ශ්\u200dරී', 'A \u{1f468}\u200d\u{1f692}', 'עברית', 'a\u0301b'])
    expect(accepts(text), text).toBe(true);
  const isOptional = ['address', 'city', 'state', 'zip code'].includes(field);
  for (const text of ['\u200b\u200b', '\u3164\u3164', '\u2800\u2800', '\u00ad\u00ad', '\u{e0041}\u{e0042}'])
    expect(accepts(text), JSON.stringify(text)).toBe(isOptional);
});

it.each(['\u200b', '\u3164\u2060', ' \u00ad '])('stores an optional text %j as none', (text) => {
  const texts = { address: text, city: text, state: text, zip_code: text };
  const none = { address: null, city: null, state: null, zip_code: null };
  expect(newAccountSchema.parse({ ...account, ...texts })).toMatchObject(none);
  expect(noteField.parse(`${text}\n${text}`)).toBe('');
  expect(noteField.parse('a\u200b')).toBe('a\u200b');
});
