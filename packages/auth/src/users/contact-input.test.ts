import { describe, expect, it } from 'vitest';
import { tryParseEmail, tryParsePhone } from './contact-input.ts';

describe('contact input', { tags: ['AUTH-52'] }, () => {
  it.each([
    ['A@X.com', 'a@x.com'],
    [' a@x.com ', 'a@x.com'],
    ['a+b@x.co.uk', 'a+b@x.co.uk'],
  ])('parses %j to %s', (text, email) => {
    expect(tryParseEmail(text)).toBe(email);
  });
  it.each([
    'a@x.com.',
    'a＠x.com',
    'а@x.com',
    '"a@x"@y.z',
    'a@x.com,b@y.z',
    'a@x.com\r\nBcc:b@y.z',
    'a@x.com\u0000',
    'ß@x.com',
    'a@[127.0.0.1]',
    'a@localhost',
    `${'l'.repeat(65)}@x.com`,
    `a@${'d'.repeat(250)}.com`,
    '',
    '@',
    'a@',
  ])('rejects the email address %j', (text) => {
    expect(tryParseEmail(text)).toBeNull();
  });
  it.each([
    ['+49 (151) 123-4567', '491511234567'],
    ['491511234567', '491511234567'],
    ['+0123456789', null],
    ['x', null],
    ['+1', null],
  ])('parses the phone number %j to %s', (text, phone) => {
    expect(tryParsePhone(text)).toBe(phone);
  });
});
