/**
 * Rules about folders:
 * - the tree in docs/architecture.md names every folder, and nothing that is not there,
 * - folders of the server do not import one another in a circle, at any depth.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const problems = [];

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

/** What the code of a file, tests aside, imports by a path: `[importing, imported]`, from the root. */
const imports = fs
  .readdirSync(path.join(root, 'server/src'), { recursive: true })
  .filter((name) => /(?<!\.test)\.ts$/.test(name))
  .flatMap((name) => {
    const text = fs.readFileSync(path.join(root, 'server/src', name), 'utf8');
    const paths = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1]);
    return paths.map((relative) => [name, path.posix.join(path.posix.dirname(name), relative)]);
  });

/** Which folders beside one another import which: the first parts of two paths that differ. */
const edges = new Map();
for (const [from, to] of imports) {
  const [a, b] = [from.split('/'), to.split('/')];
  const depth = a.findIndex((part, at) => part !== b[at]);
  if (depth === a.length - 1 || depth === b.length - 1) continue;
  const [here, there] = [a, b].map((parts) => parts.slice(0, depth + 1).join('/'));
  edges.set(here, (edges.get(here) ?? new Map()).set(there, from));
}

/** The files by whose imports a folder comes back to itself; null where it does not. */
function wayBack(start) {
  const ways = new Map([[start, []]]);
  for (const [folder, way] of ways) {
    for (const [next, file] of edges.get(folder) ?? []) {
      if (next === start) return [...way, file];
      if (!ways.has(next)) ways.set(next, [...way, file]);
    }
  }
  return null;
}
for (const folder of edges.keys()) {
  const way = wayBack(folder);
  if (way) problems.push(`server/src/${folder} imports itself by way of ${way.join(', ')}`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
