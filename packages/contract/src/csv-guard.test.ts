import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardFormulas, removeFormulaGuards } from './csv-guard.ts';

describe('guardFormulas', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    [' =1', " '=1"],
    ["'-Ridge", "''-Ridge"],
    ["Ann;=cmd|'/C calc'!A0", "Ann;'=cmd|'/C calc'!A0"],
    ['Ann; "=1"', 'Ann; "\'=1"'],
    ['Ann|+1', "Ann|'+1"],
    ['two\n=lines', "two\n'=lines"],
    ['tab\t\t-1', "tab\t\t'-1"],
    ['إنقاذ؛=1', "إنقاذ؛'=1"],
    ['=1;-2;@3', "'=1;'-2;'@3"],
  ])('writes %j as %j', (text, guarded) => {
    expect(guardFormulas(text)).toBe(guarded);
    expect(removeFormulaGuards(guarded)).toBe(text);
  });

  it.each(['Search-and-Rescue', 'a=b', "O'Neill", "'quoted'", 'Ann; Bo', '5 Main St, -2', '', "'", ';'])(
    'leaves %j as it is',
    (text) => {
      expect(guardFormulas(text)).toBe(text);
    },
  );

  it('is undone exactly, also for texts that look guarded', () => {
    const cell = fc.string({ unit: fc.constantFrom(...Array.from(`=+-@;|,'" \t\r\na؛＝é`)) });
    fc.assert(
      fc.property(cell, (text) => {
        expect(removeFormulaGuards(guardFormulas(text))).toBe(text);
      }),
    );
  });

  it('leaves no formula at the start of a cell in a program with another separator', () => {
    const cell = fc.string({ unit: fc.constantFrom(...Array.from(`=+-@;'" a`)) });
    fc.assert(
      fc.property(cell, (text) => {
        for (const part of guardFormulas(text).split(';')) expect(part).not.toMatch(/^[ "]*[=+\-@]/);
      }),
    );
  });
});
