import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const features = new URL('../features/', import.meta.url);

it('titles of failed changes do not deny the change, which the service may have made without a response', () => {
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' });
  const titles = files
    .filter((file) => file.endsWith('-text.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, features), 'utf8').matchAll(
        /\b(?:failed|\w*Failed|errorTitle): '([^']*)'/g,
      ),
    ])
    .map(([, title = '']) => title);
  expect(titles).toContain('Error removing administrator');
  // Reads and what the browser does itself are known.
  const known = /could not be (?:loaded|checked|copied)$/;
  const denials = titles.filter((title) => /\bnot\b/.test(title) && !known.test(title));
  expect(denials).toEqual([]);
});
