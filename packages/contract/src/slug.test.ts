import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugFromName } from './slug.ts';

describe('slugFromName', () => {
  for (const [tags, name, slug] of [
    [['C161'], 'Vail SKI Patrol', 'vail-ski-patrol'],
    [['C162'], 'A & B -- C', 'a-b-c'],
    [['C163'], '  (Harbor) ', 'harbor'],
    [['C077'], 'North Shore!!', 'north-shore'],
    [[], '海岸救助', ''],
    [[], 'Zürich 1', 'z-rich-1'],
  ] as [string[], string, string][]) {
    it(`converts "${name}" to "${slug}"`, { tags }, () => {
      expect(slugFromName(name)).toBe(slug);
    });
  }

  it('is as long as the database accepts for letters that have two in lower case', () => {
    expect(slugFromName('\u0130'.repeat(200))).toBe(`${'i-'.repeat(99)}i`);
  });

  it('returns a slug that the database accepts for arbitrary names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        expect(slugFromName(name)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
        expect(slugFromName(name).length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
