/** Tests of the patterns that `match` and `imatch` accept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RestError } from '../errors.ts';
import { emptyPatternUsage, patternLimits, checkPattern } from './pattern-limits.ts';
import { tokenizeQuery } from './query-tokens.ts';

const problem = (pattern: string): string | null => checkPattern(pattern, emptyPatternUsage());
const tokenize = (query: string): void => {
  tokenizeQuery(query, { logicDepth: 32, maxRows: 1000, call: false });
};
const patternError = expect.objectContaining({ status: 400, code: 'PGRST100' });

describe('patterns', () => {
  it.each([
    '^s',
    '(a+)+$',
    'a|b*?|(?:c{2,5})?',
    '[[:alpha:]_-]{1,40}',
    '[^]a]+',
    String.raw`[\]\w.-]+@\S+\.\w{2,6}`,
    String.raw`\(\.\*\)`,
    '(?i)harbor',
    '[一-鿿]+',
    'a{b',
    '',
  ])('accepts %s', (pattern) => {
    expect(problem(pattern)).toBeNull();
  });

  it.each([
    '(.{0,120}){0,120}x',
    '((((a{9}){9}){9}){9}){9}',
    '(?:(?:.{0,200})*b{1,100}){30}',
    'a{255}'.repeat(2),
    'a?'.repeat(201),
    String.raw`(a\c(){0,120}(.{0,120}){0,120}`,
    String.raw`[\c\](.{0,120}){0,120}x]`,
    String.raw`[[:alpha:]\]](.{0,120}){0,120}`,
    String.raw`(a*)\1`,
    '(?=a.*b)c',
    '(?<!a)b',
    '(?#comment)a',
    String.raw`(?b)\(.\{0,120\}\)\{0,120\}`,
    '(?x)a',
    '***=a',
    '*a',
    'a**',
    '(a',
    'a)',
    '[!-\u{10ffff}]',
    '[--\u{10ffff}]',
    `[!-\\\u{10ffff}]`,
    '[!-[.\u{10ffff}.]]',
    String.raw`[!-\U0010ffff]`,
    '[!-\uffff]'.repeat(2),
    `${'('.repeat(11)}a${')'.repeat(11)}`,
    'a'.repeat(1001),
  ])('rejects %s', (pattern) => {
    expect(problem(pattern)).not.toBeNull();
    expect(() => tokenize(`name=imatch.${encodeURIComponent(pattern)}`)).toThrow(patternError);
    expect(() => tokenize(`name=not.match.${encodeURIComponent(pattern)}`)).toThrow(patternError);
    const quoted = `"${pattern.replace(/["\\]/g, String.raw`\$&`)}"`;
    expect(() => tokenize(`or=(a.eq.1,name.match.${encodeURIComponent(quoted)})`)).toThrow(patternError);
    expect(() => tokenize(`name=match(any).${encodeURIComponent(`{a,${quoted}}`)}`)).toThrow(patternError);
  });

  it.each([
    [`name=imatch.${'a'.repeat(1001)}`, 'The filter accepts a pattern of at most 1000 characters'],
    [
      `or=(a.eq.1,name.imatch.${'a'.repeat(1001)})`,
      'The logic tree accepts a pattern of at most 1000 characters',
    ],
    [`name=wfts.${'a '.repeat(501)}`, 'The filter accepts at most 500 words'],
    [`name=plfts.${'a,'.repeat(501)}`, 'The filter accepts at most 500 words'],
    [`name=fts.${'_|'.repeat(500)}_`, 'The filter accepts at most 500 words'],
    [`name=fts.${'Ⓐ<->'.repeat(500)}'$'`, 'The filter accepts at most 500 words'],
  ])('names the limit that %.20s exceeds', (query, message) => {
    expect(() => tokenize(query)).toThrow(message);
  });

  it('counts all patterns of a request', () => {
    const times = (pattern: string, count: number): string =>
      Array.from({ length: count }, () => `name=match.${pattern}`).join('&');
    expect(() => tokenize(times('a', patternLimits.patterns))).not.toThrow();
    expect(() => tokenize(times('a', patternLimits.patterns + 1))).toThrow(patternError);
    const half = 'a{200}';
    expect(() => tokenize(times(half, 1))).not.toThrow();
    expect(() => tokenize(times(half, 2))).toThrow(patternError);
    expect(() => tokenize(`name=match(all).{${'a,'.repeat(patternLimits.patterns)}a}`)).toThrow(patternError);
  });

  it('accepts each escaped text that the console searches for in two columns', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const escaped = text.slice(0, 200).replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
        const value = `"${escaped.replace(/["\\]/g, String.raw`\$&`)}"`;
        expect(() =>
          tokenize(`or=(${encodeURIComponent(`name.imatch.${value},slug.imatch.${value}`)})`),
        ).not.toThrow();
      }),
    );
    expect(problem(String.raw`\(`.repeat(200))).toBeNull();
  });

  it('rejects patterns that exceed the limits after their repetitions are expanded', () => {
    type Node = { readonly text: string; readonly weight: number };
    const { node } = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc
          .constantFrom('a', '.', '[a-z]', String.raw`\w`, String.raw`\c(`, '[)(]', String.raw`[\c\]`)
          .map((text): Node => ({ text, weight: 1 })),
        fc
          .tuple(fc.array(tie('node'), { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 120 }))
          .map(([nodes, times]): Node => ({
            text: `(${nodes.map(({ text }) => text).join('')}){0,${times}}`,
            weight: nodes.reduce((sum, { weight }) => sum + weight, 0) * times,
          })),
      ),
    }));
    fc.assert(
      fc.property(node, ({ text, weight }) => {
        const usage = emptyPatternUsage();
        if (checkPattern(text, usage) !== null) return;
        expect(weight === 1 || weight <= usage.repeated).toBe(true);
        expect(usage.repeated).toBeLessThanOrEqual(patternLimits.repeated);
      }),
      { numRuns: 500 },
    );
  });

  it('throws API errors only, also for array literals', () => {
    const piece = fc.oneof(
      fc.constantFrom('(', ')', '[', ']', '[:', ':]', '{1,9}', '*', '\\', '|', '(?', '"', ',', '{', '}'),
      fc.string({ maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          tokenize(`a=match.${encodeURIComponent(pieces.join(''))}`);
        } catch (error) {
          expect(error).toBeInstanceOf(RestError);
        }
      }),
    );
  });
});
