/**
 * Which test proves which row of docs/conformance-rows.json, read from the ids in the tests' titles.
 * `--write` makes docs/conformance.md, `--check` fails when that page is not what it would write.
 * A row without a test is open. Both refuse a row that the page does not list as open yet: the list
 * only shrinks. (Starting it afresh takes deleting the page, which a review sees.)
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = path.join(root, 'docs/conformance.md');
const testFolders = ['contract/src', 'console/src', 'server/src', 'server/test', 'e2e'];

const idPattern = /\b[CX]\d{2,3}\b/g;
// 'C175 to C179' stands for the five.
const rangePattern = /\b([CX])(\d{2,3}) to \1(\d{2,3})\b/g;
// The calls whose first argument is a title. Skipped ones prove nothing.
const titleCall =
  /\b(?:it|test|describe|eachEngine)(?:\.(?:serial|parallel|concurrent|sequential|only|describe))*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;
const eachTitle = /\)\s*\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,/gs;
// Tables of cases: the first column of a row, or its `id`, is part of a title made from it.
const tableCell = /(?:\[|\bid:)\s*(['"`])([CX]\d{2,3}\b(?:\\.|(?!\1).)*)\1/gs;

const expanded = (title) =>
  title.replace(rangePattern, (_, letter, from, to) =>
    Array.from(
      { length: to - from + 1 },
      (__, n) => letter + String(Number(from) + n).padStart(from.length, '0'),
    ).join(' '),
  );

/** The titles of a test file, as far as they are written in it. */
export const titlesIn = (source) =>
  [titleCall, eachTitle, tableCell].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => match[2]),
  );

/** The ids that a test file's titles carry. */
export const idsIn = (source) =>
  new Set(titlesIn(source).flatMap((title) => expanded(title).match(idPattern) ?? []));

/** Rows without a test that a page lists, from its last section. */
export const openIn = (markdown) => new Set(markdown.split('## Open rows')[1]?.match(idPattern) ?? []);

/** Every test file, as a path from the root. */
export function testFiles() {
  return testFolders
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true })
        .map((name) => path.posix.join(folder, name.split(path.sep).join('/'))),
    )
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en'));
}

function render({ groups, reasons }, testsOf) {
  const isOpen = (id) => !testsOf.has(id);
  const all = groups.flatMap(({ rows }) => Object.keys(rows));
  const open = all.filter(isOpen);
  const fileName = (file) => `[${path.posix.basename(file)}](../${file})`;
  const row = ([id, clause]) =>
    `| ${id} | ${clause.replaceAll('|', '\\|')} | ${isOpen(id) ? '**open**' : testsOf.get(id).map(fileName).join(', ')} |`;
  const section = ({ group, section: number, title, rows }) => [
    `## ${group} ${title}`,
    '',
    number === '-' ? 'What the team checks on its own.' : `Section ${number} of the product's specification.`,
    '',
    '| row | what holds | tests |',
    '|---|---|---|',
    ...Object.entries(rows).map(row),
    '',
  ];
  return [
    '# Conformance',
    '',
    'Every statement of the product that somebody can check, and the tests that prove it. Rows have the ids C001 to',
    'C308 (from the specification) and X01 to X20 (ours); titles of tests carry them. This page is generated from',
    '`docs/conformance-rows.json` and those titles: `npm run conformance`. Words in quotes stand on the screen exactly so.',
    '',
    `${all.length - open.length} of ${all.length} rows have a test.`,
    '',
    ...groups.flatMap(section),
    '## Open rows',
    '',
    open.length === 0
      ? 'None.'
      : 'Rows that no test proves yet. The list only shrinks: a row that loses its last test fails the check.',
    '',
    ...open.map((id) => `- ${id}${reasons[id] ? `: ${reasons[id]}` : ''}`),
    '',
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function main() {
  const defined = JSON.parse(fs.readFileSync(path.join(root, 'docs/conformance-rows.json'), 'utf8'));
  const known = new Set(defined.groups.flatMap(({ rows }) => Object.keys(rows)));
  const problems = [];
  const testsOf = new Map();
  for (const file of testFiles()) {
    for (const id of idsIn(fs.readFileSync(path.join(root, file), 'utf8'))) {
      if (!known.has(id))
        problems.push(`${file} names ${id}, which docs/conformance-rows.json does not define`);
      testsOf.set(id, [...(testsOf.get(id) ?? []), file]);
    }
  }
  for (const id of Object.keys(defined.reasons)) {
    if (testsOf.has(id)) problems.push(`${id} has a test, so its reason for being open can go`);
  }
  const before = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : null;
  if (before !== null) {
    const wasOpen = openIn(before);
    const lost = [...known].filter((id) => !testsOf.has(id) && !wasOpen.has(id));
    if (lost.length > 0) problems.push(`no test proves these rows any more: ${lost.join(' ')}`);
  }
  const after = render(defined, testsOf);
  if (!process.argv.includes('--write') && before !== after) {
    problems.push('docs/conformance.md is out of date: npm run conformance');
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (process.argv.includes('--write')) fs.writeFileSync(page, after);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
