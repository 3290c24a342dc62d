/**
 * Which test shows which point of docs/interaction-rows.json, read from `[I7]` in the tests' titles.
 * `--write` makes docs/interaction.md; `--check` fails when that page is not what it would write.
 * Both refuse a point without a test.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testFiles, titlesIn } from './conformance.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = path.join(root, 'docs/interaction.md');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');

/** Words of a title without ids, as they stand in a table. */
const words = (title) =>
  title
    .replaceAll(/\[I\d+\]|\b[CX]\d{2,3}\b(?: to [CX]\d{2,3}\b)?|\$\{[^}]*\}|%s/g, '')
    .replaceAll('\\', '')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s:;,]+/, '')
    .trim();

function testsOfPoints() {
  const found = new Map();
  for (const file of testFiles()) {
    for (const title of titlesIn(read(file))) {
      for (const [, id] of title.matchAll(/\[(I\d+)\]/g)) {
        const test = `${words(title)} ([${path.posix.basename(file)}](../${file}))`;
        found.set(id, [...(found.get(id) ?? []), test]);
      }
    }
  }
  return found;
}

function render(groups, testsOf) {
  const row = ([id, point]) => `| ${id} | ${point} | ${(testsOf.get(id) ?? []).join('<br>')} |`;
  const section = ([title, points]) => [
    `## ${title}`,
    '',
    '| point | what holds | shown by |',
    '|---|---|---|',
    ...Object.entries(points).map(row),
    '',
  ];
  return [
    '# Interaction',
    '',
    'What the console promises to the fingers and the eyes, and the tests that show it. Titles of tests carry the ids.',
    'This page is generated from `docs/interaction-rows.json` and those titles: `npm run conformance`.',
    '',
    ...Object.entries(groups).flatMap(section),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

const groups = JSON.parse(read('docs/interaction-rows.json'));
const points = Object.values(groups).flatMap((each) => Object.keys(each));
const testsOf = testsOfPoints();
const after = render(groups, testsOf);
const writes = process.argv.includes('--write');
const missing = points.filter((id) => !testsOf.has(id));
const unknown = [...testsOf.keys()].filter((id) => !points.includes(id));
const problems = [
  ...(missing.length > 0 ? [`no test shows ${missing.join(' ')}`] : []),
  ...(unknown.length > 0 ? [`docs/interaction-rows.json does not define ${unknown.join(' ')}`] : []),
  ...(!writes && (!fs.existsSync(page) || fs.readFileSync(page, 'utf8') !== after)
    ? ['docs/interaction.md is out of date: npm run conformance']
    : []),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else if (writes) fs.writeFileSync(page, after);
