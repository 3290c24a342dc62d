import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { twMerge } from 'tailwind-merge';
import { expect, it } from 'vitest';
import { mergeClasses } from './class-merge.ts';

const source = fileURLToPath(new URL('..', import.meta.url));

/** Returns every word in a string literal of the source that can be a class. */
const candidateClasses = (): string[] => {
  const files: string[] = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const found = new Set<string>();
  for (const name of files.filter((each) => /(?<!\.test|class-merge)\.tsx?$/.test(each))) {
    for (const [, text = ''] of readFileSync(join(source, name), 'utf8').matchAll(/['"]([^'"\n]*)['"]/g)) {
      for (const word of text.split(/\s+/)) if (/^[a-z[&*!-][^A-Z,;]*$/.test(word)) found.add(word);
    }
  }
  return [...found];
};

it('merges all classes of the source as tailwind-merge does with its default table', () => {
  const all = candidateClasses().filter((word) => {
    const known = twMerge(`${word} ${word}`) === word;
    // Words that the default table does not contain are not merged here either.
    if (!known) expect(mergeClasses(`${word} ${word}`)).toBe(`${word} ${word}`);
    return known;
  });
  const differences: string[] = [];
  let merged = 0;
  for (const first of all) {
    for (const second of all) {
      if (first === second) continue;
      const pair = `${first} ${second}`;
      const expected = twMerge(pair);
      if (expected !== pair) merged += 1;
      if (mergeClasses(pair) !== expected) differences.push(`${pair} -> ${expected}`);
    }
  }
  expect(differences).toEqual([]);
  expect(merged).toBeGreaterThan(1000);
}, 60_000);
