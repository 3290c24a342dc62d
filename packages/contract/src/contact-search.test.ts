import { describe, expect, it } from 'vitest';
import { contactSearchText } from './contact-search.ts';

describe('contactSearchText', () => {
  it.each([
    ['+41 44 668 18 00', '41446681800'],
    ['+41 (0)44 668 18 00', '41446681800'],
    ['0041 44 668', '4144668'],
    ['044 668 18 00', '446681800'],
    ['(212) 555-0100', '2125550100'],
    ['668', '668'],
    ['66', null],
    ['1', null],
    ['000', null],
    ['+', null],
    ['', null],
    ['Zoë 668', 'zoe 668'],
    ['OPS@Example', 'ops@example'],
  ])('of %j is %j', (text, expected) => {
    expect(contactSearchText(text)).toBe(expected);
  });
});
