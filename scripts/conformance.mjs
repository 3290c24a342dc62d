/**
 * Generates the pages that map the rows of the tables below to tests, from the tags of the tests.
 * `--write` updates the pages, and `--check` fails if a page is out of date. A row without a test is open.
 * Both reject a tag without a test whose title is a sentence. They also reject an open row that the page does not list
 * yet, so the list only shrinks. (Resetting it means deleting the page, which a review notices.)
 */
import fs from 'node:fs';
import path from 'node:path';
import { exists, files, fromRoot, read } from './repository.mjs';

const tables = [
  { rows: 'docs/conformance-rows.json', page: 'docs/conformance.md' },
  { rows: 'docs/security-rows.json', page: 'docs/security-tests.md' },
  { rows: 'docs/interaction-rows.json', page: 'docs/interaction.md' },
];
const testFiles = files
  .filter((name) => /^(?:apps|packages|e2e)\/.*\.(?:test|spec)\.tsx?$/.test(name))
  .sort((a, b) => a.localeCompare(b, 'en'))
  .map((file) => ({ file, source: read(file) }));

/** Matches a call with the title of a test or group, and its tags. */
const testPattern =
  /(?:\b(?:it|test|describe|eachEngine)[\w.]*|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1(?:,\s*\{[^}]*?\btags?\b:?([^}]*)\})?/gs;
/** Matches a tag: a string that is an ID and nothing else, also in a table of cases. Playwright's tags start with `@`. */
const tagPattern = (ids) => new RegExp(`(?<=['"]@?)(?:${ids})(?=['"])`, 'g');
const idPattern = (ids) => new RegExp(String.raw`\b(?:${ids})\b`, 'g');

/**
 * Returns the IDs of one kind among the tags of a test file, each with the titles of its tests. A tag in a table of cases
 * belongs to the next test that takes its tags from a variable. A tag without a test has no title.
 */
function idsIn(source, ids) {
  const tests = [...source.matchAll(testPattern)].map(({ index, 0: call, 2: title, 3: tags }) => {
    const variable = tags?.split(']')[0].replaceAll(/(['"]).*?\1|[\s[,]/g, '');
    const isTable = variable !== undefined && (variable !== '' || !tags.includes('['));
    return { start: index, end: index + call.length, title, isTable };
  });
  const found = new Map();
  for (const { 0: id, index } of source.matchAll(tagPattern(ids))) {
    const test =
      tests.find(({ start, end }) => start < index && index < end) ??
      tests.find(({ start, isTable }) => start > index && isTable);
    found.set(id, (found.get(id) ?? new Set()).add(test?.title));
  }
  return found;
}

/** Returns true for a title of several words, of which placeholders can be some. */
const isSentence = (title) => /\s|%[sdij]|\$\{/.test(title ?? '');

/** Returns a title without its placeholders. */
const removePlaceholders = (title) =>
  title
    .replaceAll(/\$\{[^}]*\}|%s|\\/g, '')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s:]+/, '');

/** Returns the rows without a test from the last section of a page. */
const readOpenRows = (markdown, ids) =>
  new Set(markdown.split('## Open rows')[1]?.match(idPattern(ids)) ?? []);

function render({ title, intro, groups, reasons, notApplicable = {}, words: withTitles }, testsByRow) {
  const isOpen = (id) => !testsByRow.has(id) && !(id in notApplicable);
  const all = groups.flatMap(({ rows }) => Object.keys(rows));
  const open = all.filter(isOpen);
  const applicable = all.filter((id) => !(id in notApplicable));
  const fileName = ({ file }) => `[${path.posix.basename(file)}](../${file})`;
  const formatTitles = ({ file, titles }) =>
    [...titles].map((each) => `${removePlaceholders(each)} (${fileName({ file })})`).join('<br>');
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
  const defined = JSON.parse(read(rows));
  const { ids, reasons, notApplicable = {} } = defined;
  const known = new Set(defined.groups.flatMap((group) => Object.keys(group.rows)));
  const problems = [];
  const testsByRow = new Map();
  for (const { file, source } of testFiles) {
    for (const [id, titles] of idsIn(source, ids)) {
      if (!known.has(id)) problems.push(`${file} has the tag ${id}, which ${rows} does not define`);
      if (![...titles].every(isSentence))
        problems.push(`${file} has the tag ${id} on a test whose title is no sentence`);
      testsByRow.set(id, [...(testsByRow.get(id) ?? []), { file, titles }]);
    }
    for (const [, , title] of source.matchAll(testPattern))
      if (idPattern(ids).test(title)) problems.push(`${file} has an ID in a title. Use a tag: ${title}`);
  }
  for (const id of Object.keys({ ...reasons, ...notApplicable })) {
    if (testsByRow.has(id)) problems.push(`${id} has a test, so remove its reason for having none`);
  }
  const before = exists(page) ? read(page) : null;
  if (before !== null) {
    const openBefore = readOpenRows(before, ids);
    const lostRows = [...known].filter(
      (id) => !testsByRow.has(id) && !openBefore.has(id) && !(id in notApplicable),
    );
    if (lostRows.length > 0) problems.push(`these rows lost their last test: ${lostRows.join(' ')}`);
  }
  const after = render(defined, testsByRow);
  if (!write && before !== after) problems.push(`${page} is out of date. Run npm run conformance.`);
  if (problems.length === 0 && write) fs.writeFileSync(fromRoot(page), after);
  return problems;
}

const problems = tables.flatMap((table) => update(table, process.argv.includes('--write')));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
