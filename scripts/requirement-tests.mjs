/**
 * Writes the tests of each requirement into the last column of the pages below, from the tags of the tests. `--check`
 * writes nothing and fails if a page is out of date. Both reject a tag without a requirement, an ID in a title, and a
 * requirement without a test; its last column can state the reason instead (`none: reason`).
 */
import fs from 'node:fs';
import path from 'node:path';
import { files, fromRoot, read } from './repository.mjs';

const pages = ['docs/requirements.md', 'docs/security-tests.md', 'docs/interaction.md'];
/** Matches a row: ID, requirement, tests. */
const rowPattern = /^\| ([A-Z]+-?\d{1,3}) \| (.*) \| (.*?) ?\|$/gm;
const tagPattern = /(?<=['"]@?)(?:[CX]\d{2,3}|I\d{1,2}|(?:CON|AUTH|REST|FN|RLS|OPS|REL)-\d{2})(?=['"])/g;
const titlePattern = /\b(?:it|test|describe|eachEngine)[\w.]*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;

const check = process.argv.includes('--check');
const problems = [];
const filesByTag = new Map();
for (const file of files
  .filter((name) => /^(?:apps|packages|e2e)\/.*\.(?:test|spec)\.tsx?$/.test(name))
  .sort((a, b) => a.localeCompare(b, 'en'))) {
  const source = read(file);
  for (const [tag] of source.matchAll(tagPattern))
    filesByTag.set(tag, (filesByTag.get(tag) ?? new Set()).add(file));
  for (const [, , title] of source.matchAll(titlePattern))
    for (const [tag] of `'${title.replaceAll(/[\s:]+/g, "' '")}'`.matchAll(tagPattern))
      problems.push(`${file} has the ID ${tag} in a title. Use a tag: ${title}`);
}

const known = new Set();
for (const page of pages) {
  const before = read(page);
  const after = before.replaceAll(rowPattern, (_row, id, text, last) => {
    known.add(id);
    const links = [...(filesByTag.get(id) ?? [])].map((file) => `[${path.posix.basename(file)}](../${file})`);
    if (links.length === 0 && !last.startsWith('none: '))
      problems.push(`${page}: ${id} has no test. Add one, or the reason: none: ...`);
    return `| ${id} | ${text} | ${links.join(', ') || last} |`;
  });
  if (after === before) continue;
  if (check) problems.push(`${page} is out of date. Run npm run generate -- requirements.`);
  else fs.writeFileSync(fromRoot(page), after);
}
for (const [tag, [file]] of filesByTag)
  if (!known.has(tag)) problems.push(`${file} has the tag ${tag}, which no page defines`);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
