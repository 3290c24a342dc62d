/** Subcommands of `audit` about the hash chain. */
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { KeyObject } from 'node:crypto';
import { OperationalError } from '@lanternrock/postgres/errors';
import { tryParsePublicKey } from '../../audit/audit-key.ts';
import type { ChainPoint } from '../../audit/chain-hash.ts';
import { readFileLines } from '../../audit/file-lines.ts';
import { maxLineBytes, verifyExport, type Verification } from '../../audit/verify-export.ts';
import { errorMessage } from '../../errors.ts';
import { writeNewFile } from '../../new-file.ts';
import type { Service } from '../../service.ts';
import { UsageError } from '../parse-arguments.ts';
import type { Output } from '../command.ts';

interface ExportArguments {
  readonly name: string | undefined;
  readonly replace: boolean;
}

/** Writes the sealed entries to a file. */
export async function exportAuditLog(
  { auditChain }: Pick<Service, 'auditChain'>,
  { name, replace }: ExportArguments,
  output: Output,
): Promise<number> {
  if (name === undefined) throw new UsageError('Missing argument: FILE.');
  const file = path.resolve(output.cwd, name);
  if (fs.existsSync(file) && !replace) {
    output.printError(`${file} already exists. Use --force to overwrite it.`);
    return 1;
  }
  let lines = 0;
  async function* countLines(): AsyncGenerator<string> {
    for await (const line of auditChain.exportLines()) {
      lines += 1;
      yield line;
    }
  }
  await writeNewFile(file, replace, (stream) => pipeline(Readable.from(countLines()), stream));
  // The first line is the header, the last one is the head.
  output.print(`Wrote ${lines - 2} entries. Verify them with the public key ${auditChain.publicKey}`);
  const unsealed = await auditChain.countUnsealed();
  if (unsealed > 0)
    output.printError(
      `${unsealed} entries are not sealed yet: a transaction that started before is running.`,
    );
  return 0;
}

interface VerifyArguments {
  readonly name: string | undefined;
  readonly keys: readonly string[];
  /** `POSITION:HASH` of an earlier head. */
  readonly head: string | undefined;
}

/** Verifies an export. Needs neither a database nor settings. */
export async function verifyAuditLog(
  { name, keys, head }: VerifyArguments,
  output: Pick<Output, 'cwd' | 'print' | 'printError'>,
): Promise<number> {
  if (name === undefined) throw new UsageError('Missing argument: FILE.');
  if (keys.length === 0) throw new UsageError('Missing option: --key, the public key or a file with it.');
  const options = {
    keys: keys.map((key) => readPublicKey(key, output.cwd)),
    knownHead: head === undefined ? null : parseHead(head),
  };
  const result = await verifyFile(path.resolve(output.cwd, name), options);
  if (result.problem !== null) {
    output.printError(result.problem);
    return 1;
  }
  const { start, head: signed } = result;
  output.print(
    signed.position === start
      ? `The export has no entries. Its head, entry ${signed.position}, was signed at ${signed.at}.`
      : `Entries ${start + 1} to ${signed.position} fit. The head was signed at ${signed.at}.`,
  );
  if (start > 0) output.print(`Entries 1 to ${start} were removed by the retention.`);
  if (signed.unsealed > 0)
    output.print(`${signed.unsealed} newer entries were not sealed then and are not in the export.`);
  return 0;
}

async function verifyFile(
  file: string,
  options: { readonly keys: readonly KeyObject[]; readonly knownHead: ChainPoint | null },
): Promise<Verification> {
  try {
    return await verifyExport(readFileLines(file, maxLineBytes), options);
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new OperationalError(`Cannot read ${file} (${code ?? errorMessage(error)}).`);
  }
}

function readPublicKey(text: string, cwd: string): KeyObject {
  const key = tryParsePublicKey(text);
  if (key) return key;
  const file = path.resolve(cwd, text);
  const content = fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? fs.readFileSync(file, 'utf8') : '';
  const fileKey = tryParsePublicKey(content);
  if (!fileKey) throw new UsageError(`--key ${text} is neither a public key nor a file with one.`);
  return fileKey;
}

function parseHead(text: string): ChainPoint {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new UsageError('--head must be the number and the hash of an entry, for example 12:9f86d0…');
  return { position: Number(position), hash };
}
