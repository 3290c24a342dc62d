/** Subcommands of `audit` about the hash chain. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { KeyObject } from 'node:crypto';
import { tryParsePublicKey } from '../../audit/audit-key.ts';
import type { ChainPoint } from '../../audit/chain-hash.ts';
import { readFileLines } from '../../audit/file-lines.ts';
import { maxLineBytes, verifyExport } from '../../audit/verify-export.ts';
import type { Service } from '../../service.ts';
import {
  FileError,
  isStandardOutput,
  readChunks,
  readWhole,
  writeFile,
  type CommandFiles,
} from '../command-files.ts';
import { UsageError } from '../usage-error.ts';
import { recordOperationNow } from '../record-operation.ts';
import type { CommandIO, Invocation } from '../command.ts';

/**
 * `audit export FILE [--force]`
 *
 * @throws UsageError
 */
export function parseAuditExport(
  name: string | undefined,
  { force: replace = false }: { readonly force?: boolean | undefined },
): Invocation {
  if (name === undefined) throw new UsageError('Missing argument: FILE.');
  return {
    requires: 'service',
    writableFiles: [name],
    run: (service, io) => exportAuditLog(service, io, { name, replace }),
  };
}

/** Writes the sealed entries to a file. */
async function exportAuditLog(
  { auditChain, database }: Service,
  io: CommandIO,
  { name, replace }: { readonly name: string; readonly replace: boolean },
): Promise<number> {
  let lines = 0;
  let head = '';
  async function* countLines(): AsyncGenerator<string> {
    for await (const line of auditChain.exportLines()) {
      lines += 1;
      head = line;
      yield line;
    }
  }
  await writeFile(io.files, name, { replace, private: true }, async (stream) => {
    await recordOperationNow(database, io, 'audit_exported');
    await pipeline(Readable.from(countLines()), stream);
  });
  const report = isStandardOutput(name) ? io.printError : io.print;
  // The first line is the header, the last one is the head.
  report(`Wrote ${lines - 2} entries. Verify them with the public key ${auditChain.publicKey}`);
  const { unsealed } = (JSON.parse(head) as { head: { unsealed: number } }).head;
  if (unsealed > 0) {
    const entries = unsealed === 1 ? '1 newer entry is' : `${unsealed} newer entries are`;
    io.printError(`${entries} not sealed yet and not in the export.`);
  }
  return 0;
}

interface VerifyOptions {
  readonly key?: readonly string[] | undefined;
  /** `POSITION:HASH` of an earlier head. */
  readonly head?: string | undefined;
}

/**
 * `audit verify FILE --key=KEY [--head N:HASH]`
 *
 * @throws UsageError
 */
export function parseVerification(
  name: string | undefined,
  { key: keys = [], head }: VerifyOptions,
): Invocation {
  if (name === undefined) throw new UsageError('Missing argument: FILE.');
  if (keys.length === 0)
    throw new UsageError('Missing option: --key, the public key or a file that contains it.');
  const knownHead = head === undefined ? null : parseHead(head);
  return { requires: 'nothing', run: (_, io) => verifyAuditLog(io, { name, keys, knownHead }) };
}

interface Verification {
  readonly name: string;
  /** Public keys, or names of files with one. */
  readonly keys: readonly string[];
  readonly knownHead: ChainPoint | null;
}

/** Verifies an export. Needs neither a database nor settings. */
async function verifyAuditLog(
  io: Pick<CommandIO, 'files' | 'print' | 'printError'>,
  { name, keys, knownHead }: Verification,
): Promise<number> {
  const options = { keys: await Promise.all(keys.map((key) => readPublicKey(key, io.files))), knownHead };
  const result = await verifyExport(
    readFileLines(readChunks(await io.files.open(name)), maxLineBytes),
    options,
  );
  if (result.problem !== null) {
    io.printError(result.problem);
    return 1;
  }
  const { start, head: signed } = result;
  io.print(
    signed.position === start
      ? `The export has no entries. Its head, entry ${signed.position}, was signed at ${signed.at}.`
      : `Entries ${start + 1} to ${signed.position} are unchanged. The head was signed at ${signed.at}.`,
  );
  if (start > 0) io.print(`Entries 1 to ${start} were removed after their retention period.`);
  if (signed.unsealed > 0)
    io.print(`${signed.unsealed} newer entries were not sealed at that time and are not in the export.`);
  return 0;
}

/** Enough for a key in any format. */
const maxKeyBytes = 10_000;

async function readPublicKey(text: string, files: CommandFiles): Promise<KeyObject> {
  const key = tryParsePublicKey(text) ?? tryParsePublicKey(await readText(text, files));
  if (!key) throw new UsageError(`--key ${text} is neither a public key nor a file with one.`);
  return key;
}

/** Returns '' if there is no such file. */
async function readText(name: string, files: CommandFiles): Promise<string> {
  try {
    return String((await readWhole(await files.open(name), maxKeyBytes)) ?? '');
  } catch (error) {
    if (error instanceof FileError) return '';
    throw error;
  }
}

function parseHead(text: string): ChainPoint {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new UsageError('--head must be the number and the hash of an entry, for example 12:9f86d0…');
  return { position: Number(position), hash };
}
