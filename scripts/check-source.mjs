/**
 * Source rules that no linter checks:
 * - the Data API names no table (they come from the catalog),
 * - the lock file names no registry host,
 * - citations lead to something that a reader can open: a section number belongs to an RFC or a named standard, and a
 *   page of `docs` exists, with the heading that a link names.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const problems = [];

const listSourceFiles = (directory) =>
  fs
    .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
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

for (const file of listSourceFiles('packages/rest/src').filter((name) => !name.endsWith('.test.ts'))) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  for (const table of tables) {
    if (new RegExp(`\\b${table}\\b`).test(text)) problems.push(`${file} names the table ${table}`);
  }
}

const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
for (const [name, entry] of Object.entries(lock.packages)) {
  if (/^https?:/.test(entry.resolved ?? '')) problems.push(`package-lock.json names the registry of ${name}`);
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /\.(tsx?|mjs|sql|css|sh|md)$/.test(name) && fs.existsSync(path.join(root, name)));

/** The anchors of the headings of a page, as GitHub derives them. */
function anchorsOf(page) {
  const headings = fs.readFileSync(path.join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function checkPage(file, page, anchor) {
  if (!fs.existsSync(path.join(root, page))) problems.push(`${file} cites ${page}, which does not exist`);
  else if (anchor && !anchorsOf(page).includes(anchor))
    problems.push(`${file} cites the heading #${anchor} of ${page}, which does not exist`);
}

for (const file of files) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  if (file.endsWith('.md')) {
    for (const [, target, anchor] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const page = target === '' ? file : path.posix.join(path.posix.dirname(file), decodeURI(target));
      checkPage(file, page, page.endsWith('.md') ? anchor : undefined);
    }
    continue;
  }
  for (const [, page, anchor] of text.matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g))
    checkPage(file, page, anchor);
  for (const { index } of text.matchAll(/\b[Ss]ections? \d/g)) {
    if (!/(?:RFC \d+|WebAuthn|PostgreSQL|SQL:\d+)[^.]*$/.test(text.slice(Math.max(0, index - 80), index)))
      problems.push(`${file} cites a section without its source: ${text.slice(index, index + 20)}`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
