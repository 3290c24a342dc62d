/** Verifies an export of the audit log without a database, in one pass with bounded memory. */
import type { KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { isSignedBy } from './audit-key.ts';
import { chainStart, findChainProblem, toCanonicalJson, type ChainPoint } from './chain-hash.ts';
import { tryParseLinkLine } from './export-chain.ts';
import type { FileLine } from './file-lines.ts';

/** Maximum length of a line in bytes. An entry holds a changed row twice. */
export const maxLineBytes = 256 * 1_048_576;

interface VerifyOptions {
  /** Public keys that may have signed the head and the checkpoint. */
  readonly keys: readonly KeyObject[];
  /** A head that was received earlier, for example by email; null without one. */
  readonly knownHead: ChainPoint | null;
}

/** What a valid export contains, or the first problem. */
export type Verification =
  | { readonly problem: string }
  | {
      readonly problem: null;
      /** Position before the first entry of the file. */
      readonly start: number;
      readonly head: { readonly position: number; readonly at: string; readonly unsealed: number };
    };

const position = z.number().check(z.int(), z.gte(0));
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const signature = z.string();
const headerShape = z.strictObject({
  format: z.literal('lanternrock-audit'),
  version: z.literal(1),
  start: z.nullable(
    z.strictObject({
      checkpoint: z.strictObject({
        format: z.literal('lanternrock-audit-checkpoint'),
        position,
        hash,
        at: z.string(),
      }),
      signature,
    }),
  ),
});
const headShape = z.strictObject({
  head: z.strictObject({
    format: z.literal('lanternrock-audit-head'),
    position,
    hash,
    at: z.string(),
    unsealed: position,
  }),
  signature,
});

/** Returns the value of a line that is exactly the canonical JSON of the shape, otherwise null. */
function tryParse<Value>({ text }: FileLine, shape: z.ZodMiniType<Value>): Value | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    const parsed = shape.safeParse(value);
    return parsed.success && toCanonicalJson(value as object) === text ? parsed.data : null;
  } catch {
    // No JSON, or a value without a canonical form.
    return null;
  }
}

const cutEnd = 'The signed head is missing: the end of the export was removed.';
const fail = (problem: string): Verification => ({ problem });

export async function verifyExport(
  lines: AsyncIterable<FileLine>,
  { keys, knownHead }: VerifyOptions,
): Promise<Verification> {
  let start: ChainPoint | null = null;
  let last = chainStart;
  let result: Verification | null = null;
  for await (const line of lines) {
    const at = `Line ${line.number}:`;
    if (result) return fail(`${at} there is more data after the signed head.`);
    if (!line.isComplete) return fail(start ? cutEnd : notAnExport(line));
    if (!start) {
      const header = tryParse(line, headerShape);
      if (!header) return fail(notAnExport(line));
      const signed = header.start;
      if (signed && !isSignedBy(keys, signed.checkpoint, signed.signature))
        return fail(`${at} the signature of the checkpoint does not match the key.`);
      start = last = signed?.checkpoint ?? chainStart;
      const problem = findEarlierCut(start, knownHead);
      if (problem) return fail(`${at} ${problem}`);
      continue;
    }
    const signedHead = tryParse(line, headShape);
    if (signedHead) {
      const { head } = signedHead;
      if (!isSignedBy(keys, head, signedHead.signature))
        return fail(`${at} the signature of the head does not match the key.`);
      const problem = findHeadProblem(last, head) ?? findLaterCut(last, knownHead);
      if (problem) return fail(`${at} ${problem}`);
      result = { problem: null, start: start.position, head };
      continue;
    }
    const link = line.text === null ? null : tryParseLinkLine(line.text);
    if (!link) return fail(`${at} ${describeChangedLine(line, last)}`);
    const problem = findChainProblem(last, link);
    if (problem) return fail(`${at} ${problem}`);
    last = link;
    if (last.position === knownHead?.position && last.hash !== knownHead.hash)
      return fail(`${at} the hash of entry ${last.position} is not that of the known head.`);
  }
  if (!start) return fail('The file is empty.');
  return result ?? fail(cutEnd);
}

function notAnExport({ number, text }: FileLine): string {
  return text?.includes('"filtered":true')
    ? 'This export is filtered and cannot be verified. Export without filters.'
    : `Line ${number}: this is not the start of an audit export.`;
}

const describeChangedLine = ({ text }: FileLine, last: ChainPoint): string =>
  text?.startsWith('{"head":')
    ? 'the signed head was changed.'
    : `entry ${last.position + 1} was changed: the line is not as it was exported.`;

function findEarlierCut(start: ChainPoint, knownHead: ChainPoint | null): string | null {
  if (!knownHead || knownHead.position > start.position) return null;
  if (knownHead.position < start.position)
    return `entry ${knownHead.position} of the known head was removed as too old, so it cannot be compared.`;
  return knownHead.hash === start.hash
    ? null
    : `the hash of entry ${start.position} is not that of the known head.`;
}

function findHeadProblem(last: ChainPoint, head: ChainPoint): string | null {
  if (head.position > last.position)
    return `entry ${last.position + 1} is missing: the signed head is entry ${head.position}.`;
  if (head.position < last.position)
    return `entry ${head.position + 1} was added: the signed head is entry ${head.position}.`;
  return head.hash === last.hash
    ? null
    : `the hash of entry ${last.position} is not that of the signed head.`;
}

/** The operator of an instance could sign a shorter or rewritten chain; a head that was received earlier shows it. */
function findLaterCut(last: ChainPoint, knownHead: ChainPoint | null): string | null {
  return knownHead && knownHead.position > last.position
    ? `entry ${last.position + 1} is missing: the known head is entry ${knownHead.position}.`
    : null;
}
