/**
 * Removes the members of the auth client that no code uses, and its debug messages, which the console does not turn on.
 * The client is one class, and a bundler keeps all members of a class, because it does not know which objects a call
 * reaches.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ESTree, parseSync, type Plugin, Visitor } from 'vite';

/** The only classes whose members are removed. The members of others, such as errors, are also used by the browser. */
const clientClasses = new Set(['GoTrueClient', 'GoTrueAdminApi', 'WebAuthnApi']);

/** A name in a source file, with the offset of its first character. */
interface Reference {
  readonly file: string;
  readonly name: string;
  readonly start: number;
}

/** The name of all debug messages. Not an identifier, so nothing refers to it. */
const debugMessage = 'debug message';

/** A method, an object of methods that the constructor assigns, such as `mfa`, or a debug message. */
interface Member extends Reference {
  readonly end: number;
}

/** Returns the `mfa` of a statement `this.mfa = {...}`, otherwise null. */
const assignedObject = ({ expression }: ESTree.ExpressionStatement): ESTree.IdentifierName | null => {
  if (expression.type !== 'AssignmentExpression' || expression.right.type !== 'ObjectExpression') return null;
  const { left } = expression;
  return left.type === 'MemberExpression' && left.object.type === 'ThisExpression' && !left.computed
    ? (left.property as ESTree.IdentifierName)
    : null;
};

const isDebugMessage = ({ expression }: ESTree.ExpressionStatement): boolean =>
  expression.type === 'CallExpression' &&
  expression.callee.type === 'MemberExpression' &&
  expression.callee.object.type === 'ThisExpression' &&
  expression.callee.property.type === 'Identifier' &&
  expression.callee.property.name === '_debug';

/** Returns the members of the client classes in a file, and all names of members that the file uses. */
const analyze = (file: string, code: string): { members: Member[]; references: Reference[] } => {
  const members: Member[] = [];
  const references: Reference[] = [];
  const assigned = new Set<number>();
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const addReference = (key: ESTree.Node): void => {
    const name =
      key.type === 'Identifier'
        ? key.name
        : key.type === 'Literal' && typeof key.value === 'string'
          ? key.value
          : null;
    if (name !== null && !assigned.has(key.start)) references.push({ file, name, start: key.start });
  };
  let isClient = false;
  new Visitor({
    ClassDeclaration: ({ id }) => {
      isClient = clientClasses.has(id?.name ?? '');
    },
    'ClassDeclaration:exit': () => {
      isClient = false;
    },
    MethodDefinition: ({ kind, key, start, end }) => {
      if (isClient && kind === 'method' && key.type === 'Identifier')
        members.push({ file, name: key.name, start, end });
    },
    ExpressionStatement: (statement) => {
      if (isClient && isDebugMessage(statement)) {
        members.push({ file, name: debugMessage, start: statement.start, end: statement.end });
        return;
      }
      const key = isClient ? assignedObject(statement) : null;
      if (key === null) return;
      assigned.add(key.start);
      members.push({ file, name: key.name, start: statement.start, end: statement.end });
    },
    MemberExpression: ({ property }) => addReference(property),
    ObjectPattern: ({ properties }) => {
      for (const property of properties) if (property.type === 'Property') addReference(property.key);
    },
  }).visit(program);
  return { members, references };
};

/**
 * Returns the members of the client classes that no code uses, or only other unused members.
 *
 * @param client path and content of the files of the client
 * @param callers content of all files that can call the client. Each word in them counts as a use.
 */
export const findUnusedMembers = (
  client: ReadonlyMap<string, string>,
  callers: readonly string[],
): readonly Member[] => {
  const analyzed = [...client].map(([file, code]) => analyze(file, code));
  const references = analyzed.flatMap((file) => file.references);
  const words = new Set(callers.flatMap((code) => code.match(/\w+/g) ?? []));
  let unused = analyzed.flatMap((file) => file.members).filter(({ name }) => !words.has(name));
  for (;;) {
    const candidates = unused;
    const isInside = ({ file, start }: Reference): boolean =>
      candidates.some((member) => member.file === file && member.start <= start && start < member.end);
    const used = new Set(references.filter((reference) => !isInside(reference)).map(({ name }) => name));
    unused = candidates.filter(({ name }) => !used.has(name));
    if (unused.length === candidates.length) return unused;
  }
};

/**
 * Returns text of the same length that is valid in a class and as the only statement of an `if`. Line breaks stay, so that
 * the source map stays valid.
 */
const emptyStatement = (code: string): string => `;${code.slice(1).replace(/[^\n]/g, ' ')}`;

/** Returns the code of a file of the client without the members. One member can be inside another. */
export const withoutMembers = (code: string, members: readonly Member[]): string => {
  let rest = code;
  for (const { start, end } of members) {
    rest = rest.slice(0, start) + emptyStatement(rest.slice(start, end)) + rest.slice(end);
  }
  return rest;
};

const readSources = (directory: string, pattern: RegExp): [string, string][] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(directory, name))
    .map((file) => [file, readFileSync(file, 'utf8')]);

export const removeUnusedMembers = (): Plugin => {
  let unused: readonly Member[] = [];
  return {
    name: 'lanternrock:unused-members',
    apply: 'build',
    async buildStart() {
      const client = await this.resolve('@supabase/auth-js');
      if (client === null) throw new Error('The auth client was not found.');
      const callers = readSources(join(import.meta.dirname, '../src'), /(?<!\.test)\.tsx?$/);
      unused = findUnusedMembers(
        new Map(readSources(dirname(client.id), /\.js$/)),
        callers.map(([, code]) => code),
      );
    },
    transform: (code, id) => {
      const removed = unused.filter(({ file }) => file === id);
      if (removed.length === 0) return null;
      return { code: withoutMembers(code, removed), map: null };
    },
  };
};
