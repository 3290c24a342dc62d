/**
 * Checks the rules about sources that no linter checks:
 * - each directory imports only what the drawing of docs/architecture.md allows, and no files import each other,
 * - docs/architecture.md names every directory, and only existing ones,
 * - `ui` of the console knows no word of the product,
 * - one file of the console formats dates and times, and one reads the search params of the URL,
 * - the Data API names no table (they come from the catalog) and no function of the product,
 * - SQL states each of the `truths` once, in the service and in the migrations,
 * - only the files in `writers` write users and sessions,
 * - only the files in `processClocks` read the clock of the process,
 * - benchmarks and scripts name only sources that exist,
 * - the lock file has the packages of all platforms and names no registry host,
 * - citations lead to something that a reader can open: an RFC or another named standard, a page of `docs` with the
 *   heading that the citation names, or a source that exists.
 */
import path from 'node:path';
import { exists, files, read } from './repository.mjs';

const problems = [];
const sourcesBelow = (directory) =>
  files.filter((name) => name.startsWith(`${directory}/`) && /(?<!\.test)\.tsx?$/.test(name));

/**
 * The layers of each source tree, from top to bottom, and the packages of this repository that it imports: the drawing
 * in docs/architecture.md, which also states the rules.
 */
const trees = new Map(
  (/## Allowed imports[\s\S]*?```text\n([\s\S]*?)```/.exec(read('docs/architecture.md'))?.[1] ?? '')
    .trim()
    .split('\n\n')
    .map((block) => {
      const [first = '', ...lines] = block.split('\n');
      const [tree = '', packages = ''] = first.split(' -> ');
      return [tree, { packages: packages.split('  '), layers: lines.map((line) => line.trim().split('  ')) }];
    }),
);
for (const directory of files.flatMap((name) => /^(?:apps|packages)\/\w+\/src\//.exec(name)?.[0] ?? []))
  if (!trees.has(directory.slice(0, -1)))
    problems.push(`docs/architecture.md draws no layers of ${directory}`);

/** Returns the layer of a path and its member of that layer, or null. */
function findLayer(layers, name) {
  const [first, second] = name.split('/');
  for (const [rank, members] of layers.entries()) {
    if (members.includes(first)) return { rank, member: first };
    if (members.includes(`${first}/*`)) return { rank, member: `${first}/${second}` };
    if (members.includes('*')) return { rank, member: '*' };
  }
  return null;
}

function findImportProblem(tree, from, specifier) {
  const { packages, layers } = trees.get(tree);
  const [, name] = /^@lanternrock\/(\w+)/.exec(specifier) ?? [];
  if (name && !packages.includes(name)) return `imports ${specifier}, which is not allowed`;
  if (!specifier.startsWith('.')) return null;
  const to = path.posix.relative(tree, path.posix.join(path.posix.dirname(from), specifier));
  if (to.startsWith('..')) return 'imports a file of another package by its path';
  const importer = findLayer(layers, path.posix.relative(tree, from));
  const imported = findLayer(layers, to);
  if (!importer) return 'is in no layer of docs/architecture.md';
  if (!imported) return `imports ${to}, which is in no layer of docs/architecture.md`;
  const allowed = importer.member === imported.member || imported.rank > importer.rank;
  return allowed ? null : `imports ${to}, which is not below it`;
}

/** Returns the specifiers of all imports of a file, also of types. */
const importsOf = (file) =>
  [...read(file).matchAll(/(?:from|import\(|import)\s*'([^']+)'/g)].map(([, specifier]) => specifier);

for (const [tree, { layers }] of trees) {
  const sources = sourcesBelow(tree);
  for (const member of layers.flat())
    if (member !== '*' && !files.some((file) => file.startsWith(`${tree}/${member.replace('/*', '')}`)))
      problems.push(`docs/architecture.md draws ${tree}/${member}, which does not exist`);
  for (const file of sources)
    for (const specifier of importsOf(file)) {
      const problem = findImportProblem(tree, file, specifier);
      if (problem) problems.push(`${file} ${problem}`);
    }
  for (const circle of findCircles(sources))
    problems.push(`These files import each other: ${circle.join(', ')}`);
}

/** Returns the circles of imports, each as the files on its path. */
function findCircles(sources) {
  const circles = [];
  const done = new Set();
  const visit = (file, chain) => {
    if (chain.includes(file)) circles.push([...chain.slice(chain.indexOf(file)), file]);
    if (done.has(file) || chain.includes(file) || !sources.includes(file)) return;
    for (const specifier of importsOf(file))
      visit(path.posix.join(path.posix.dirname(file), specifier), [...chain, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
  return circles;
}

const directoryTable = read('docs/architecture.md').split('\n## ')[1] ?? '';
const named = [...directoryTable.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
);
for (const name of named)
  if (!exists(name)) problems.push(`docs/architecture.md names ${name}, which does not exist`);
for (const directory of new Set(files.map((name) => path.posix.dirname(name)))) {
  if (/^\.(?!ci$)/.test(directory)) continue;
  const within = (outer) =>
    directory === outer || directory.startsWith(`${outer}/`) || outer.startsWith(`${directory}/`);
  if (!named.some(within)) problems.push(`The tree in docs/architecture.md does not name ${directory}`);
}

/** Words of the product, which belong in `shared` or a feature. */
const productWords =
  /\b(?:account|activity|admin|administrator|audit|handover|invitation|invitee|member|membership|platform|tenant)s?\b/gi;
for (const file of sourcesBelow('apps/console/src/ui')) {
  const code = read(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  // Names in camel case and in snake case are several words.
  const words = code.replaceAll('_', ' ').replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
  for (const [word] of words.matchAll(productWords))
    problems.push(`${file} says "${word}": ui knows no word of the product`);
}

/** What only one file of the console does. */
const singleHomes = [
  {
    home: 'apps/console/src/ui/format-time.ts',
    use: /\bIntl\.(?:DateTime|RelativeTime)Format\(\w|\.toLocale(?:Date|Time)String\(/,
  },
  { home: 'apps/console/src/shared/url-state.ts', use: /\buseSearch\(/ },
];
for (const { home, use } of singleHomes)
  for (const file of sourcesBelow('apps/console/src'))
    if (use.test(read(file)) !== (file === home))
      problems.push(
        file === home
          ? `${file} no longer contains ${use}; remove it from scripts/check-source.mjs`
          : `${file} contains ${use.exec(read(file))[0]}, which only ${home} does`,
      );

for (const file of sourcesBelow('apps/console/src')) {
  // The sheet of a handover is a document on paper.
  if (/\/ui\/|\/sheet-(?:accounts|screen|table)\.tsx$/.test(file)) continue;
  for (const [tag] of read(file).matchAll(/<(?:table|thead|th|td)\b/g))
    problems.push(`${file} has ${tag}>; use the columns of ui/column.tsx`);
}

const tables = files
  .filter((name) => name.startsWith('db/migrations/'))
  .flatMap((name) =>
    [...read(name).matchAll(/create (?:table|view) public\.(\w+)/g)].map((match) => match[1]),
  );
for (const file of sourcesBelow('packages/rest/src')) {
  for (const table of tables)
    if (new RegExp(`\\b${table}\\b`).test(read(file))) problems.push(`${file} names the table ${table}`);
  for (const [name] of read(file).matchAll(/\b(?:private|auth)\.\w+|\bplatform_\w+/g))
    problems.push(`${file} names ${name}, which the server passes as an option`);
}

for (const file of sourcesBelow('packages/auth/src'))
  if (/\b(?:private|public)\.\w/.test(read(file)))
    problems.push(`${file} names a table outside the schema auth`);

/** What SQL states once: the definitions, and the text of a copy. A migration that creates or replaces one may contain the text. */
const truths = [
  [
    ['view private.active_administrators', 'view private.active_memberships'],
    /\bends_at\s+is\s+null\s+or\s+(?:\w+\.)?ends_at\s+>/g,
  ],
  [
    ['function private.display_name'],
    /coalesce\((?:nullif\()?(?:btrim\()?\w+\.full_name|nullif\((?:btrim\()?(?:\w+\.)?full_name/g,
  ],
];
const migrations = files.filter((name) => /^db\/migrations\/.*\.sql$/.test(name));
for (const [definitions, copy] of truths) {
  const creations = definitions.map(
    (name) => new RegExp(`^create (?:or replace )?${name.replaceAll('.', '\\.')}\\b`, 'm'),
  );
  for (const [index, creation] of creations.entries())
    if (!migrations.some((file) => creation.test(read(file))))
      problems.push(
        `No migration creates the ${definitions[index]}; remove it from scripts/check-source.mjs`,
      );
  for (const file of [...sourcesBelow('apps/server/src'), ...migrations])
    if (!creations.some((creation) => creation.test(read(file))))
      for (const [text] of read(file).matchAll(copy))
        problems.push(`${file} contains "${text}"; use the ${definitions.join(' or the ')}`);
}

/** The only files with statements that write `auth.users` or `auth.sessions`. */
const writers = [
  'sessions/session-writes',
  'users/contact-writes',
  'users/revocation',
  'users/sign-in-methods',
  'users/user-writes',
].map((name) => `packages/auth/src/${name}.ts`);
const write = /\b(?:(?:insert|merge)\s+into|update|delete\s+from)\s+(?:only\s+)?auth\.(?:users|sessions)\b/gi;
for (const file of files.filter((name) => /^(?:apps|packages)\/\w+\/src\//.test(name)))
  if (!writers.includes(file))
    for (const [statement] of read(file).matchAll(write))
      problems.push(`${file} contains "${statement}", which belongs in one of ${writers.join(', ')}`);

/**
 * The only files of the service that read the clock of the process: dates of support and of files, the comparison of
 * clocks, and the lock of a directory. All other times are those of the database (docs/security.md, Clocks).
 */
const processClocks = [
  'apps/server/src/cli/commands/backup.ts',
  'apps/server/src/cli/commands/doctor.ts',
  'apps/server/src/cli/start.ts',
  'apps/server/src/database/open-database.ts',
  'apps/server/src/doctor/clocks.ts',
  'apps/server/src/mail/mailbox.ts',
  'packages/postgres/src/database-clock.ts',
];
for (const file of ['apps/server', 'packages/auth', 'packages/postgres', 'packages/rest'].flatMap(
  (directory) => sourcesBelow(`${directory}/src`),
))
  if (/\bnew Date\(\)|\bDate\.now\(/.test(read(file)) !== processClocks.includes(file))
    problems.push(
      processClocks.includes(file)
        ? `${file} reads no clock; remove it from scripts/check-source.mjs`
        : `${file} reads the clock of the process; use that of the database, or performance.now() for a duration`,
    );

// The benchmarks and scripts load sources by their path, which no compiler checks.
for (const file of files.filter((name) => /^(?:bench|scripts)\/.*\.mjs$/.test(name)))
  for (const [, source] of read(file).matchAll(/'((?:apps|packages)\/[\w/.-]+\.(?:ts|mjs|js))'/g))
    if (!source.includes('/dist/') && !exists(source))
      problems.push(`${file} loads ${source}, which does not exist`);

const { packages: locked } = JSON.parse(read('package-lock.json'));
for (const [name, { resolved = '' }] of Object.entries(locked))
  if (/^https?:/.test(resolved)) problems.push(`package-lock.json names the registry of ${name}`);
const lockedNames = new Set(Object.keys(locked).map((name) => name.split('node_modules/').at(-1)));
const missing = Object.values(locked)
  .flatMap(({ dependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  )
  .filter((name) => !lockedNames.has(name));
// With installed packages, npm can leave out those of other platforms, and `npm ci` then fails.
if (missing.length > 0)
  problems.push(
    `package-lock.json lacks ${missing.join(', ')}. Delete node_modules and run: npm install --package-lock-only`,
  );

/** Returns the anchors of the headings of a page, as GitHub derives them. */
const anchorsOf = (page) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

function checkPage(file, page, anchor) {
  if (!exists(page)) problems.push(`${file} cites ${page}, which does not exist`);
  else if (anchor && !anchorsOf(page).includes(anchor))
    problems.push(`${file} cites the heading #${anchor} of ${page}, which does not exist`);
}

for (const file of files.filter((name) => /\.(tsx?|mjs|sql|css|sh|md)$/.test(name))) {
  const text = read(file);
  if (file.endsWith('.md')) {
    for (const [, target, anchor] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const page = target === '' ? file : path.posix.join(path.posix.dirname(file), decodeURI(target));
      checkPage(file, page, page.endsWith('.md') ? anchor : undefined);
    }
    if (file === 'CHANGELOG.md') continue;
    for (const [, source] of text.matchAll(/`((?:apps|packages|db)\/[a-z\d/.-]+\.\w+)`/g))
      if (!source.includes('/dist/')) checkPage(file, source);
    // Without the directory of the package.
    for (const [, source] of text.matchAll(/`([a-z\d][a-z\d/.-]*\.tsx?)`/g))
      if (!files.some((name) => `/${name}`.endsWith(`/${source}`)))
        problems.push(`${file} cites ${source}, which is the end of no path`);
  } else {
    for (const [, page, anchor] of text.matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g))
      checkPage(file, page, anchor);
  }
  for (const { 0: citation, index } of text.matchAll(/\b[Ss]ections? \d[\d.]*|\b[Ss]pecifications?\b/g))
    if (!/(?:RFC \d+|WebAuthn|PostgreSQL|SQL:\d+)[^.]*$/.test(text.slice(Math.max(0, index - 80), index)))
      problems.push(
        `${file} cites "${citation}" of no standard; what the product must do is in docs/requirements.md`,
      );
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
