/** The commands in the documents: blocks of a shell or of SQL, and commands in the text. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** @returns the paths of all files of the repository that match the pattern of git */
export const listFiles = (pattern: string): readonly string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', pattern], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((name) => name !== '' && fs.existsSync(path.join(root, name)));

export const readText = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');

interface Command {
  readonly text: string;
  /** The page tells the reader that no test runs it. */
  readonly isMarked: boolean;
}

interface Block extends Command {
  readonly language: string;
}

export interface Page {
  /** Path from the root of the repository. */
  readonly name: string;
  readonly blocks: readonly Block[];
  /** Commands in the text. */
  readonly inline: readonly Command[];
}

/** Pages for readers. */
export const pageNames = listFiles('*.md').filter((name) =>
  /^(README|CONTRIBUTING|SECURITY|docs\/.*|(apps|packages)\/\w+\/README)\.md$/.test(name),
);

/** What a reader sees before a command that no test runs. In the introduction of a page, it is about all its commands. */
const mark = /\b(not\s+run\s+by\s+a\s+test|no\s+test\s+runs)\b/i;

const programs =
  'npm|npx|node|lanternrock|docker|psql|pg_dump|curl|openssl|gpg|cp|install|kill|nginx|systemctl|systemd-run|useradd' +
  '|sudo|supabase|git';
const command = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:${programs}) \\S`);
/** A whole statement. Documents also name parts, such as `alter role … set`. */
const statement =
  /^(?:insert into|delete from|update \S+ set|select .+ from|notify \w+,|(?:create|alter|drop) (?:table|index|role|user|database|policy|schema) \w) ?/;

export const isStatement = (text: string): boolean => statement.test(text);

/** Splits text into paragraphs, list items and table rows. */
const splitText = (text: string): string[] =>
  text.split(/\n\s*\n|\n(?=\s*(?:[-|]|\d+\.) ?)/).filter((part) => part.trim() !== '');

/** Returns the commands of a paragraph. The rows of the table of commands are synopses, compared by another test. */
const inlineCommands = (unit: string): string[] =>
  unit.trim().startsWith('| `lanternrock ')
    ? []
    : [...unit.matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)]
        .map(([, code = '']) => code.replaceAll('\\|', '|').replaceAll(/\s*\n\s*/g, ' '))
        .filter((code) => command.test(code) || isStatement(code));

const fence = /^( *)```(\w+)?\n([\s\S]*?)^\1```$/gm;

export function readPage(name: string): Page {
  const text = readText(name);
  const [introduction = ''] = text.replaceAll(fence, '').split(/^## /m);
  const isPageMarked = mark.test(introduction);
  const blocks: Block[] = [];
  const inline: Command[] = [];
  let before = '';
  const parts = text.split(fence);
  for (let at = 0; at < parts.length; at += 4) {
    const [prose = '', indent = '', language = '', content = ''] = parts.slice(at, at + 4);
    const units = splitText(prose);
    for (const unit of units)
      for (const code of inlineCommands(unit))
        inline.push({ text: code, isMarked: isPageMarked || mark.test(unit) });
    before = units.at(-1) ?? before;
    if (content !== '')
      blocks.push({
        language,
        text: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        isMarked: isPageMarked || mark.test(before),
      });
  }
  return { name, blocks, inline };
}

/** Returns the single commands of a block or of an inline command, without comments. */
export const splitCommands = (text: string): string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split(/\n|&&/)
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');

/** Commands of which the test run consists, or whose result a test compares, with the file that contains the text. */
const elsewhere: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'npm test': ['.ci/run', 'npm test'],
  'npm run setup': ['.ci/run', 'npm run --silent setup'],
  'npm ci': ['scripts/install.mjs', "'npm', ['ci'"],
  'npm run check': ['.ci/run', 'npm run check'],
  'npm run format': ['scripts/check.mjs', 'npm run format'],
  'npm run build': ['scripts/test.mjs', 'build();'],
  'npm run package': ['apps/server/test/process/package.test.ts', "'scripts/package.mjs'"],
  'npm run generate -- schema': ['apps/server/test/schema-dump.test.ts', 'GENERATE'],
  'npm run generate -- configuration': ['apps/server/src/config/settings.test.ts', 'GENERATE'],
  'npm run generate -- requirements': ['scripts/check.mjs', 'npm run generate -- requirements'],
  // As in the comment of compose.yaml, whose commands run in a test.
  'openssl rand -base64 32': ['deploy/compose.yaml', 'openssl rand -base64 32'],
  'node scripts/check-source.mjs': ['scripts/check.mjs', 'scripts/check-source.mjs'],
  'npm start': ['apps/server/test/process/document-commands.test.ts', "'start', '--', '--demo'"],
  'npm start -- --demo': ['apps/server/test/process/document-commands.test.ts', "'start', '--', '--demo'"],
};

/** Returns true for commands that run tests, and for those of `elsewhere`. */
export function runsElsewhere(text: string): boolean {
  if (/^(?:[A-Z_]+=\S+ )*(?:npx vitest run|npx playwright test|npx tsc -p) ?/.test(text)) return true;
  const [file, content] = elsewhere[text] ?? [];
  return file !== undefined && content !== undefined && readText(file).includes(content);
}
