/**
 * Rules about the source that no linter knows:
 * - the data interface names no table (they come from the catalog),
 * - the lock file names no registry's host,
 * - the tree in docs/architecture.md names every folder, and nothing that is not there.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const problems = [];

const filesBelow = (folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((name) => /\.tsx?$/.test(name));

const tables = filesOf('db/migrations').flatMap((text) =>
  [...text.matchAll(/create (?:table|view) public\.(\w+)/g)].map((match) => match[1]),
);

function filesOf(folder) {
  return fs
    .readdirSync(path.join(root, folder))
    .map((name) => fs.readFileSync(path.join(root, folder, name), 'utf8'));
}

for (const file of filesBelow('server/src/rest').filter((name) => !name.endsWith('.test.ts'))) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  for (const table of tables) {
    if (new RegExp(`\\b${table}\\b`).test(text)) problems.push(`${file} names the table ${table}`);
  }
}

const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
for (const [name, entry] of Object.entries(lock.packages)) {
  if (/^https?:/.test(entry.resolved ?? '')) problems.push(`package-lock.json names the registry of ${name}`);
}

/** Folders that hold files of the project, without what is installed, built or left by tests. */
function foldersBelow(folder) {
  const passedOver = /^(node_modules|dist|test-results|playwright-report|\.(?!ci$).*)$/;
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !passedOver.test(entry.name))
    .map((entry) => path.posix.join(folder, entry.name))
    .flatMap((below) => [below, ...foldersBelow(below)]);
}

const tree = fs.readFileSync(path.join(root, 'docs/architecture.md'), 'utf8').split('\n## ')[1] ?? '';
const named = [...tree.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
);
for (const name of named)
  if (!fs.existsSync(path.join(root, name)))
    problems.push(`docs/architecture.md names ${name}, which is not there`);
for (const folder of foldersBelow('')) {
  const within = (outer) =>
    folder === outer || folder.startsWith(`${outer}/`) || outer.startsWith(`${folder}/`);
  if (!named.some(within)) problems.push(`The tree in docs/architecture.md does not name ${folder}`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
