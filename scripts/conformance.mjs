/**
 * Generates the pages that map the rows of the tables below to tests, from the IDs in the test titles.
 * `--write` updates the pages, and `--check` fails if a page is out of date. A row without a test is open.
 * Both reject an open row that the page does not list yet, so the list only shrinks. (Resetting it means
 * deleting the page, which a review notices.)
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tables = [
  { rows: 'docs/conformance-rows.json', page: 'docs/conformance.md' },
  { rows: 'docs/security-rows.json', page: 'docs/security-tests.md' },
  { rows: 'docs/interaction-rows.json', page: 'docs/interaction.md' },
];
const testDirectories = [
  'packages/contract/src',
  'apps/console/src',
  'apps/server/src',
  'apps/server/test',
  'e2e',
];

// 'C175 to C179' expands to five IDs.
const rangePattern = /\b([A-Z]+-?)(\d{2,3}) to \1(\d{2,3})\b/g;
// Calls whose first argument is a title. Skipped tests do not count.
const titleCall =
  /\b(?:it|test|describe|eachEngine)(?:\.(?:serial|parallel|concurrent|sequential|only|describe))*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;
const eachTitle = /\)\s*\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,/gs;
// Tables of cases: a title contains the first column of a row, or its `id`.
const tableCell = (ids) =>
  new RegExp(String.raw`(?:\[|\bid:)\s*(['"\`])((?:${ids})\b(?:\\.|(?!\1).)*)\1`, 'gs');
const idPattern = (ids) => new RegExp(String.raw`\b(?:${ids})\b`, 'g');

const expandRanges = (title) =>
  title.replace(rangePattern, (_, letter, from, to) =>
    Array.from(
      { length: to - from + 1 },
      (__, n) => letter + String(Number(from) + n).padStart(from.length, '0'),
    ).join(' '),
  );

/** Returns the IDs of one kind in the titles of a test file, each with its titles. */
function idsIn(source, ids) {
  const found = new Map();
  const patterns = [titleCall, eachTitle, tableCell(ids)];
  for (const title of patterns.flatMap((each) => [...source.matchAll(each)].map((match) => match[2]))) {
    for (const id of expandRanges(title).match(idPattern(ids)) ?? []) {
      found.set(id, new Set([...(found.get(id) ?? []), title]));
    }
  }
  return found;
}

/** Returns a title without its IDs and placeholders. */
const removeIds = (title) =>
  title
    .replaceAll(/\[I\d+\]|\b(?:[CX]|[A-Z]+-)\d{2,3}\b(?: to [A-Z]+-?\d{2,3}\b)?|\$\{[^}]*\}|%s|\\/g, '')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s:;,]+/, '')
    .trim();

/** Returns the rows without a test from the last section of a page. */
const readOpenRows = (markdown, ids) =>
  new Set(markdown.split('## Open rows')[1]?.match(idPattern(ids)) ?? []);

function testFiles() {
  return testDirectories
    .flatMap((directory) =>
      fs
        .readdirSync(path.join(root, directory), { recursive: true })
        .map((name) => path.posix.join(directory, name.split(path.sep).join('/'))),
    )
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en'));
}

function render({ title, intro, groups, reasons, notApplicable = {}, words: withTitles }, testsByRow) {
  const isOpen = (id) => !testsByRow.has(id) && !(id in notApplicable);
  const all = groups.flatMap(({ rows }) => Object.keys(rows));
  const open = all.filter(isOpen);
  const applicable = all.filter((id) => !(id in notApplicable));
  const fileName = ({ file }) => `[${path.posix.basename(file)}](../${file})`;
  const formatTitles = ({ file, titles }) =>
    [...titles].map((each) => `${removeIds(each)} (${fileName({ file })})`).join('<br>');
  const formatTests = (id) => {
    if (id in notApplicable) return `does not apply: ${notApplicable[id]}`;
    if (isOpen(id)) return '**open**';
    return testsByRow
      .get(id)
      .map(withTitles ? formatTitles : fileName)
      .join(withTitles ? '<br>' : ', ');
  };
  const row = ([id, clause]) => `| ${id} | ${clause.replaceAll('|', '\\|')} | ${formatTests(id)} |`;
  const section = ({ group, title: name, about, rows }) => [
    `## ${[group, name].filter(Boolean).join(' ')}`,
    '',
    ...(about ? [about, ''] : []),
    '| row | requirement | tests |',
    '|---|---|---|',
    ...Object.entries(rows).map(row),
    '',
  ];
  return [
    `# ${title}`,
    '',
    ...intro,
    '',
    `${applicable.length - open.length} of ${applicable.length} rows have a test.`,
    '',
    ...groups.flatMap(section),
    '## Open rows',
    '',
    open.length === 0
      ? 'None.'
      : 'Rows without a test. The check fails if a row loses its last test, so this list only shrinks.',
    '',
    ...open.map((id) => `- ${id}${reasons[id] ? `: ${reasons[id]}` : ''}`),
    '',
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function update({ rows, page }, write) {
  const defined = JSON.parse(fs.readFileSync(path.join(root, rows), 'utf8'));
  const { ids, reasons, notApplicable = {} } = defined;
  const known = new Set(defined.groups.flatMap((group) => Object.keys(group.rows)));
  const problems = [];
  const testsByRow = new Map();
  for (const file of testFiles()) {
    for (const [id, titles] of idsIn(fs.readFileSync(path.join(root, file), 'utf8'), ids)) {
      if (!known.has(id)) problems.push(`${file} names ${id}, which ${rows} does not define`);
      testsByRow.set(id, [...(testsByRow.get(id) ?? []), { file, titles }]);
    }
  }
  for (const id of Object.keys({ ...reasons, ...notApplicable })) {
    if (testsByRow.has(id)) problems.push(`${id} has a test, so remove its reason for having none`);
  }
  const target = path.join(root, page);
  const before = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : null;
  if (before !== null) {
    const openBefore = readOpenRows(before, ids);
    const lostRows = [...known].filter(
      (id) => !testsByRow.has(id) && !openBefore.has(id) && !(id in notApplicable),
    );
    if (lostRows.length > 0) problems.push(`these rows lost their last test: ${lostRows.join(' ')}`);
  }
  const after = render(defined, testsByRow);
  if (!write && before !== after) problems.push(`${page} is out of date. Run npm run conformance.`);
  if (problems.length === 0 && write) fs.writeFileSync(target, after);
  return problems;
}

const problems = tables.flatMap((table) => update(table, process.argv.includes('--write')));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
