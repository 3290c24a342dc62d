import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const files = readdirSync(source, { recursive: true })
  .map(String)
  .filter((name) => /\.(tsx?|css)$/.test(name) && !name.includes('.test.'))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));
const sourceText = files.map(({ text }) => text).join('\n');

describe('transitions', () => {
  it('take 100 to 200 ms', { tags: ['I39'] }, () => {
    const durations = [...sourceText.matchAll(/(?:^|[\s'"`:])duration-(\d+)/g)].map(([, ms]) => Number(ms));
    expect(durations.length).toBeGreaterThan(5);
    expect(durations.filter((ms) => ms < 100 || ms > 200)).toEqual([]);
  });

  it('name their properties', { tags: ['I39'] }, () => {
    expect(sourceText).not.toMatch(/transition-all|transition:\s*all/);
  });
});

describe('texts', () => {
  it("contain 'Oops' on the not-found screen only", { tags: ['I45'] }, () => {
    const matches = files
      .filter(({ text }) => /oops/i.test(text))
      .map(({ name }) => name.split(/[/\\]/).at(-1));
    expect(matches).toEqual(['not-found-screen.tsx']);
  });
});
