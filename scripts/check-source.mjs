/**
 * Source rules that no linter checks:
 * - the Data API names no table (they come from the catalog),
 * - the lock file names no registry host.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const problems = [];

const listSourceFiles = (directory) =>
  fs
    .readdirSync(path.join(root, directory), { recursive: true })
    .map((name) => path.join(directory, name))
    .filter((name) => /\.tsx?$/.test(name));

const tables = readFiles('db/migrations').flatMap((text) =>
  [...text.matchAll(/create (?:table|view) public\.(\w+)/g)].map((match) => match[1]),
);

function readFiles(directory) {
  return fs
    .readdirSync(path.join(root, directory))
    .map((name) => fs.readFileSync(path.join(root, directory, name), 'utf8'));
}

for (const file of listSourceFiles('apps/server/src/rest').filter((name) => !name.endsWith('.test.ts'))) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  for (const table of tables) {
    if (new RegExp(`\\b${table}\\b`).test(text)) problems.push(`${file} names the table ${table}`);
  }
}

const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
for (const [name, entry] of Object.entries(lock.packages)) {
  if (/^https?:/.test(entry.resolved ?? '')) problems.push(`package-lock.json names the registry of ${name}`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
