/**
 * The commands in the documents. A test runs each of them, or the page says that no test does. Here: every command is one
 * or the other, the names in commands exist, and SQL runs. `process/document-commands.test.ts` runs the other blocks.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sql, type Transaction } from '@lanternrock/postgres';
import { QueryError } from '@lanternrock/postgres/errors';
import { engines, openTestDatabase } from '@lanternrock/testing/engines';
import { emailKinds } from '../src/mail/email-job.ts';
import {
  isStatement,
  listFiles,
  pageNames,
  readPage,
  readText,
  root,
  runsElsewhere,
  splitCommands,
} from './support/documents.ts';

const pages = pageNames.map(readPage);
/** Languages of blocks that run unless they are marked, and of blocks that contain no commands. */
const languages = ['sh', 'sql', 'ts', 'tsx', 'json', 'text'];
/** Pages whose shell blocks run in order in `process/document-commands.test.ts` or `hosted-schema.test.ts`. */
const executed = ['README.md', 'docs/api.md', 'docs/operations.md', 'docs/hosted-supabase.md'];

const scripts = Object.keys(
  (JSON.parse(readText('package.json')) as { scripts: Record<string, string> }).scripts,
);
const generators = readText('scripts/generate.mjs');
const specs = listFiles('e2e/*.spec.ts');
const tests = listFiles('*.test.ts').map(readText).join('\n') + specs.map(readText).join('\n');
const isPlaceholder = (word: string): boolean => /\b(FILE|NAME|COMMAND)\b/.test(word);
const pathExists = (name: string): boolean => isPlaceholder(name) || fs.existsSync(path.join(root, name));

/** Returns what a command of Node.js names that does not exist. */
function missingNames(text: string): string[] {
  const [program = '', ...words] = text.replace(/^(?:[A-Z_]+=\S+ )+/, '').split(' ');
  const after = (word: string): string[] => words.slice(words.indexOf(word) + 1);
  if (program === 'node') return words.slice(0, 1).filter((file) => !pathExists(file));
  if (program === 'npm') {
    const script = words.filter((word) => !word.startsWith('-'))[words[0] === 'run' ? 1 : 0] ?? '';
    const [argument = ''] = words.includes('--') ? after('--') : [];
    const isKnown =
      (script === 'test:file' && pathExists(argument)) ||
      (script === 'bench' && (!/^\w/.test(argument) || pathExists(`bench/${argument}.mjs`))) ||
      (script === 'generate' && (isPlaceholder(argument) || generators.includes(`  ${argument}: [`))) ||
      !['test:file', 'bench', 'generate'].includes(script);
    return [
      ...(['install', 'ci', 'outdated', 'view', 'run', ''].includes(script) || scripts.includes(script)
        ? []
        : [script]),
      ...(isKnown ? [] : [argument]),
    ];
  }
  // The tarball of a version, which a build writes.
  if (program !== 'npx' || words[0]?.endsWith('.tgz')) return [];
  const tag = /(?:--tags-filter|--grep) (\S+)/.exec(text)?.[1];
  const unknownTags = tag === undefined || tests.includes(`'${tag}'`) ? [] : [tag];
  if (words[0] === 'tsc') return after('-p').filter((directory) => !pathExists(`${directory}/tsconfig.json`));
  if (words[0] === 'playwright') {
    const filters = words
      .slice(2)
      .filter((word, at, all) => !word.startsWith('-') && all[at - 1] !== '--grep');
    return [...unknownTags, ...filters.filter((filter) => !specs.some((name) => name.includes(filter)))];
  }
  const project = /--project (\S+)/.exec(text)?.[1] ?? '';
  const files = words.filter((word) => word.includes('/'));
  return [
    ...unknownTags,
    ...(['unit', 'integration', 'process'].includes(project) ? [] : [`project ${project}`]),
    ...files.filter((file) => !pathExists(file)),
  ];
}

describe.each(pages)('$name', ({ name, blocks, inline }) => {
  const shell = blocks.filter(({ language }) => language === 'sh');

  it('has only blocks of a language that the tests of the documents know', () => {
    expect(blocks.map(({ language }) => language).filter((each) => !languages.includes(each))).toEqual([]);
  });

  it('names only scripts, files, projects and tags that exist', () => {
    const all = [...shell, ...inline].flatMap(({ text }) => splitCommands(text));
    expect(all.flatMap((text) => missingNames(text).map((missing) => `${text}: ${missing}`))).toEqual([]);
  });

  it('has no command that is neither run nor marked', () => {
    const unmarked = [
      ...(executed.includes(name) ? [] : shell),
      // Commands of the service in the text run in `process/document-commands.test.ts`.
      // Statements in the text run below.
      ...inline.filter(
        ({ text }) => !isStatement(text) && !/^((npm run -s )?lanternrock|pg_dump) /.test(text),
      ),
    ].filter(({ isMarked }) => !isMarked);
    expect(
      unmarked.flatMap(({ text }) => splitCommands(text)).filter((text) => !runsElsewhere(text)),
    ).toEqual([]);
  });
});

it('CONTRIBUTING.md describes each script, of which there are at most 15', () => {
  const rows = readText('CONTRIBUTING.md').matchAll(/^\| `npm (?:run (?:-s )?)?([\w:]+)[^`]*` \|/gm);
  expect([...rows].map(([, name]) => name).toSorted()).toEqual(scripts.toSorted());
  expect(scripts.length).toBeLessThanOrEqual(15);
});

it('guides name only members of the input and output and the fields of a command, and all of these', () => {
  const source = readText('apps/server/src/cli/command.ts');
  const members = (text: string): string[] =>
    [...text.matchAll(/^  (?:readonly )?(\w+)[?(:]/gm)].map(([, name = '']) => name);
  const io = members(/interface CommandIO \{[\s\S]*?\n\}/.exec(source)?.[0] ?? '');
  const fields = members(source.slice(source.indexOf('interface Command {')));
  expect([io.length, fields.length].every((count) => count > 5)).toBe(true);
  const guides = pageNames
    .filter((name) => name.startsWith('docs/guides/'))
    .map(readText)
    .join('\n');
  const used = [...guides.matchAll(/\bio\.(\w+)/g)].map(([, name = '']) => name);
  expect(used.filter((name) => !io.includes(name))).toEqual([]);
  const guide = readText('docs/guides/command.md');
  const rows = [...guide.matchAll(/^ +\| `(\w+)` \|/gm)].map(([, name = '']) => name);
  const explained = ['name', 'usage', 'description'];
  expect(rows.filter((name) => name !== 'io').toSorted()).toEqual(
    [...new Set(fields)].filter((name) => !explained.includes(name)).toSorted(),
  );
});

describe('SQL in the documents', () => {
  /** Runs a block. An object that exists already is one of the migrations, of which the block is a part. */
  async function run(tx: Transaction, text: string): Promise<void> {
    for (const statement of text.split(/;\n/).filter((part) => part.trim() !== '')) {
      await tx.query({ text: 'savepoint statement', values: [] });
      try {
        await tx.query({ text: statement, values: [] });
      } catch (error) {
        if (!(error instanceof QueryError) || !/^42(P07|710)$/.test(error.code)) throw error;
        await tx.query({ text: 'rollback to savepoint statement', values: [] });
      }
    }
  }

  const found = pages.flatMap(({ name, blocks, inline }) =>
    [
      ...blocks.filter(({ language }) => language === 'sql'),
      ...inline.filter(({ text }) => isStatement(text)),
    ].map(({ text, isMarked }) => ({ name, text, isMarked })),
  );

  it('runs on a migrated database, and the constraint of an email permits every kind', async () => {
    expect(found.length).toBeGreaterThan(2);
    const { database, dispose } = await openTestDatabase(engines.at(-1) ?? 'embedded');
    for (const { name, text } of found.filter(({ isMarked }) => !isMarked)) {
      const definition = await database.maintenance(async (tx) => {
        // The default of psql. The service sets another one.
        await tx.query(sql`set local search_path = "$user", public`);
        await run(tx, text);
        const [row] = await tx.query<{ kinds: string }>(
          sql`select pg_get_constraintdef(oid) as kinds from pg_constraint where conname = 'deliveries_kind_check'`,
        );
        return row?.kinds ?? '';
      });
      const missing = emailKinds.filter((kind) => !definition.includes(`'${kind}'`));
      expect([name, missing]).toEqual([name, []]);
    }
    await dispose();
  });
});

it.skipIf(!engines.includes('postgres'))(
  'the command for a restore copies the keys of Postgres',
  async () => {
    const from = await openTestDatabase('postgres');
    const to = await openTestDatabase('postgres');
    await from.database.query(
      sql`insert into auth.service_secrets (name, sealed) values ('example', 'a key')`,
    );
    const command = readPage('docs/operations.md').inline.find(({ text }) => text.startsWith('pg_dump '));
    const script = (command?.text ?? '').replace('OLD_URL', '"$OLD_URL"').replace('NEW_URL', '"$NEW_URL"');
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      env: { ...process.env, OLD_URL: from.url, NEW_URL: to.url },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(
      await to.database.query(sql`select convert_from(sealed, 'UTF8') as key from auth.service_secrets`),
    ).toEqual([{ key: 'a key' }]);
    await Promise.all([from.dispose(), to.dispose()]);
  },
);
