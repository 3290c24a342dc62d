import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const source = resolve(here, '..');

/** Returns all files of the source that `entry` imports, directly or transitively, also on demand. */
const importedFiles = (entry: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const imports = readFileSync(entry, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g);
  for (const [, path] of imports) importedFiles(resolve(dirname(entry), path ?? ''), seen);
  return seen;
};

const sourcesOf = (sheet: string): ReadonlySet<string> => {
  const css = readFileSync(join(here, sheet), 'utf8');
  return new Set([...css.matchAll(/@source '([^'*]+)';/g)].map(([, path]) => resolve(here, path ?? '')));
};

it('the style sheet of the console lists every module with classes but without markup', () => {
  const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .filter((path) => /\bclassName:|Style =\n? *'/.test(readFileSync(join(source, path), 'utf8')));
  expect(modules.length).toBeGreaterThan(0);
  expect(modules.filter((path) => !sourcesOf('app.css').has(join(source, path)))).toEqual([]);
});

it('the style sheet of the sign-in document lists every component of the document', () => {
  const styled = sourcesOf('auth.css');
  const shown = [...importedFiles(join(source, 'documents/auth-app.tsx'))].filter((path) =>
    path.endsWith('.tsx'),
  );
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((path) => !styled.has(path)).map((path) => relative(source, path))).toEqual([]);
});
