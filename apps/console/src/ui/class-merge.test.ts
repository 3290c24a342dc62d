import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { twMerge } from 'tailwind-merge';
import { expect, it } from 'vitest';
import { mergeClasses } from './class-merge.ts';

const source = fileURLToPath(new URL('..', import.meta.url));

/** Every word of a text in the source that may be a class. */
const words = (): string[] => {
  const files: string[] = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const found = new Set<string>();
  for (const name of files.filter((each) => /(?<!\.test|class-merge)\.tsx?$/.test(each))) {
    for (const [, text = ''] of readFileSync(join(source, name), 'utf8').matchAll(/['"]([^'"\n]*)['"]/g)) {
      for (const word of text.split(/\s+/)) if (/^[a-z[&*!-][^A-Z,;]*$/.test(word)) found.add(word);
    }
  }
  return [...found];
};

it('classes of the source are merged as the complete table of the library merges them', () => {
  const all = words().filter((word) => {
    const known = twMerge(`${word} ${word}`) === word;
    // What the complete table does not know stays as it is here too.
    if (!known) expect(mergeClasses(`${word} ${word}`)).toBe(`${word} ${word}`);
    return known;
  });
  const wrong: string[] = [];
  let merged = 0;
  for (const first of all) {
    for (const second of all) {
      if (first === second) continue;
      const pair = `${first} ${second}`;
      const expected = twMerge(pair);
      if (expected !== pair) merged += 1;
      if (mergeClasses(pair) !== expected) wrong.push(`${pair} -> ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(merged).toBeGreaterThan(1000);
}, 60_000);
