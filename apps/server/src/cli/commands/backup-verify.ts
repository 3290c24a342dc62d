/** `lanternrock backup verify`: runs in the client process, so it needs neither settings nor an instance. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OperationalError, QueryError } from '@lanternrock/postgres/errors';
import { verifyBackup, type BackupVerification } from '../../backup/verify-backup.ts';
import { toErrorMessage } from '../../errors.ts';
import { toTerminalText } from '../../log.ts';
import type { CommandIO, Invocation } from '../command.ts';
import { createBackupSource } from '../backup-source.ts';
import { removeOnExit } from '../unfinished-files.ts';
import { UsageError } from '../usage-error.ts';

/** @throws UsageError without a file */
export function parseVerification(name: string | undefined, isJson: boolean): Invocation {
  if (name === undefined) throw new UsageError('Missing argument: FILE.');
  return { requires: 'nothing', run: (_, io) => verify(io, name, isJson) };
}

async function verify(io: CommandIO, name: string, isJson: boolean): Promise<number> {
  const result = await withScratchDirectory((directory) =>
    verifyBackup(createBackupSource(name, io.files), directory),
  ).catch((error: unknown) => {
    const problem = describeFailure(error, name);
    if (!isJson) throw new OperationalError(problem, { cause: error });
    return problem;
  });
  if (typeof result === 'string') {
    io.print(JSON.stringify({ file: name, verified: false, problem: result }));
    return 1;
  }
  if (isJson) {
    io.print(JSON.stringify({ file: name, verified: result.differences.length === 0, ...result }));
  } else {
    printResult(io, name, result);
  }
  return result.differences.length === 0 ? 0 : 1;
}

function printResult(
  io: CommandIO,
  name: string,
  { at, rows, tables, compared, differences }: BackupVerification,
): void {
  if (differences.length > 0) {
    io.printError(`${name} does not restore as it was written:`);
    for (const difference of differences) io.printError(`  ${toTerminalText(difference, 200)}`);
    return;
  }
  const comparison = compared
    ? `Counts and digests of all ${tables} tables match.`
    : 'It has no digests, so the restored rows were not compared.';
  io.print(`Restored ${rows} rows of ${toTerminalText(at)} into a scratch database. ${comparison}`);
}

/** @throws an unexpected error as it is */
function describeFailure(error: unknown, name: string): string {
  if (error instanceof OperationalError) return error.message;
  if (error instanceof QueryError)
    return `${name} cannot be restored: ${toTerminalText(toErrorMessage(error), 500)}.`;
  throw error;
}

/** Creates a directory that only this user can read, as it will contain all data, and removes it afterwards. */
async function withScratchDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-verify-'));
  const keep = removeOnExit(directory);
  try {
    return await work(directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    keep();
  }
}
