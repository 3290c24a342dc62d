import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const files = readdirSync(source, { recursive: true })
  .map(String)
  .filter((name) => /\.(tsx?|css)$/.test(name) && !name.includes('.test.'))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));
const everyText = files.map(({ text }) => text).join('\n');

describe('what moves', () => {
  it('[I39] takes 100 to 200 ms', () => {
    const durations = [...everyText.matchAll(/(?:^|[\s'"`:])duration-(\d+)/g)].map(([, ms]) => Number(ms));
    expect(durations.length).toBeGreaterThan(5);
    expect(durations.filter((ms) => ms < 100 || ms > 200)).toEqual([]);
  });

  it('[I39] is named, never everything', () => {
    expect(everyText).not.toMatch(/transition-all|transition:\s*all/);
  });
});

describe('words', () => {
  it("[I45] 'Oops' stands where the specification has it, and nowhere else", () => {
    const said = files.filter(({ text }) => /oops/i.test(text)).map(({ name }) => name.split(/[/\\]/).at(-1));
    expect(said).toEqual(['not-found-screen.tsx']);
  });
});
