import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrayElements, arrayLiteral } from './array-literal.ts';

it('reads what it wrote, whatever the elements hold', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', ' ') })),
      (elements) => {
        expect(arrayElements(arrayLiteral(elements))).toEqual(elements);
      },
    ),
  );
});

it('reads elements without quotes, too', () => {
  expect(arrayElements(String.raw`{a, "b,\"c}", d\,e,{f}}`)).toEqual(['a', ' ', 'b,"c}', ' d,e', 'f']);
});
