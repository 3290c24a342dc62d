import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrayElements, arrayLiteral } from './array-literal.ts';

it('parses its own array literals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', ' ') })),
      (elements) => {
        expect(arrayElements(arrayLiteral(elements))).toEqual(elements);
      },
    ),
  );
});

it('parses unquoted elements', () => {
  expect(arrayElements(String.raw`{a, "b,\"c}", d\,e,{f}}`)).toEqual(['a', ' ', 'b,"c}', ' d,e', 'f']);
});
