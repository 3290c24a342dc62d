/**
 * Checks the source directories:
 * - the tree in docs/architecture.md names every directory, and only existing ones,
 * - each directory imports only what the tables below allow.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const problems = [];

/**
 * The layers of each source tree, from top to bottom. A directory or file imports only from layers below its
 * importer: members of one layer do not import one another. `features/*` makes each feature a separate member, and
 * `*` is one member for all files.
 */
const layers = {
  'apps/console/src': [
    ['documents'],
    ['app'],
    ['features/*'],
    ['session'],
    ['forms'],
    ['api', 'ui', 'styles'],
  ],
  'apps/server/src': [
    ['main.ts'],
    ['cli'],
    ['service.ts'],
    ['doctor', 'metrics'],
    ['functions'],
    ['invitations', 'backup'],
    ['mail'],
    ['auth'],
    ['database', 'http'],
    ['log.ts'],
    ['config'],
    ['errors.ts', 'paths.ts', 'principal.ts', 'redirect-pattern.ts', 'file-permissions.ts'],
  ],
  'packages/contract/src': [['*']],
  'packages/postgres/src': [['*']],
  'packages/rest/src': [
    ['rest-service.ts'],
    ['handlers'],
    ['openapi', 'response'],
    ['run'],
    ['compile'],
    ['check'],
    ['parse'],
    ['plan'],
    ['schema'],
    ['rest-types.ts', 'errors.ts', 'settings.ts'],
  ],
};

/** The packages of this repository that each source tree may import. */
const packages = {
  'apps/console/src': ['contract'],
  'apps/server/src': ['contract', 'postgres', 'rest'],
  'packages/contract/src': [],
  'packages/postgres/src': [],
  'packages/rest/src': ['postgres'],
};

/** Directories with source files, without installed packages and the output of builds and tests. */
function directoriesBelow(directory) {
  const ignored = /^(node_modules|dist|test-results|playwright-report|\.(?!ci$).*)$/;
  const entries = fs.readdirSync(path.join(root, directory), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !ignored.test(entry.name))
    .map((entry) => path.posix.join(directory, entry.name))
    .flatMap((below) => [below, ...directoriesBelow(below)]);
}

const tree = fs.readFileSync(path.join(root, 'docs/architecture.md'), 'utf8').split('\n## ')[1] ?? '';
const named = [...tree.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
);
for (const name of named)
  if (!fs.existsSync(path.join(root, name)))
    problems.push(`docs/architecture.md names ${name}, which does not exist`);
for (const directory of directoriesBelow('')) {
  const within = (outer) =>
    directory === outer || directory.startsWith(`${outer}/`) || outer.startsWith(`${directory}/`);
  if (!named.some(within)) problems.push(`The tree in docs/architecture.md does not name ${directory}`);
}

/** Returns the imports of the files below `source`, without tests: `[importing file, specifier]`. */
function importsBelow(source) {
  return fs
    .readdirSync(path.join(root, source), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = fs.readFileSync(path.join(root, source, name), 'utf8');
      const imports = [...text.matchAll(/(?:from|import\(|import)\s*'([^']+)'/g)];
      return imports.map(([, specifier]) => [name, specifier]);
    });
}

for (const [source, ranks] of Object.entries(layers)) {
  /** Returns the layer of a path and its member of that layer, or null. */
  const findLayer = (name) => {
    const [first, second] = name.split('/');
    for (const [rank, members] of ranks.entries()) {
      if (members.includes(first)) return { rank, member: first };
      if (members.includes(`${first}/*`)) return { rank, member: `${first}/${second}` };
      if (members.includes('*')) return { rank, member: '*' };
    }
    return null;
  };
  for (const [from, specifier] of importsBelow(source)) {
    const [, name] = /^@lanternrock\/(\w+)/.exec(specifier) ?? [];
    if (name && !packages[source].includes(name))
      problems.push(`${source}/${from} imports ${specifier}, which is not allowed`);
    if (!specifier.startsWith('.')) continue;
    const to = path.posix.join(path.posix.dirname(from), specifier);
    if (to.startsWith('..')) {
      problems.push(`${source}/${from} imports a file of another package by its path`);
      continue;
    }
    const [importer, imported] = [findLayer(from), findLayer(to)];
    if (!importer || !imported)
      problems.push(`${source}/${importer ? to : from} is in no layer of check-imports.mjs`);
    else if (importer.member !== imported.member && imported.rank <= importer.rank)
      problems.push(`${source}/${from} imports ${to}, which is not below it`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
