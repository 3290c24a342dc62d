/** `accounts undo-import`: deletes the accounts that an import has created. */
import { keptReasons, type UndoImportResponse } from '@lanternrock/contract/account-import';
import { formatCount } from '@lanternrock/contract/format-count';
import { isUuid } from '@lanternrock/contract/uuid';
import type { Database } from '@lanternrock/postgres';
import { undoImport } from '../../accounts/imports.ts';
import { DomainError } from '../../errors.ts';
import { toTerminalText } from '../../log.ts';
import { setCommandOrigin } from '../audit-origin.ts';
import type { CommandIO, Invocation } from '../command.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/**
 * `undo-import ID`
 *
 * @throws UsageError
 */
export function parseUndoImport(args: readonly string[]): Invocation {
  const [importId] = parseArguments(args, {}, 1).positionals;
  if (importId === undefined || !isUuid(importId))
    throw new UsageError('Missing or invalid import ID. "lanternrock accounts import" prints it.');
  return { requires: 'current-schema', run: ({ database }, io) => undo(database, io, importId) };
}

/** @returns the exit code: 1 if an account is kept, or if the command was interrupted */
async function undo(database: Database, io: CommandIO, importId: string): Promise<number> {
  let deleted = 0;
  let kept = 0;
  let after: string | null = null;
  do {
    const result = await undoSome(database, io, importId, after);
    for (const account of result.kept)
      io.print(`${account.id}  ${toTerminalText(account.name)}  ${keptReasons[account.reason]}`);
    deleted += result.deleted.length;
    kept += result.kept.length;
    after = result.next;
  } while (after !== null && !io.isClosed());
  io.print(
    `Deleted ${formatCount(deleted)} ${deleted === 1 ? 'account' : 'accounts'}, kept ${formatCount(kept)}.`,
  );
  if (after !== null) io.printError('The command was interrupted. Run the command again to continue.');
  return kept > 0 || after !== null ? 1 : 0;
}

async function undoSome(
  database: Database,
  io: CommandIO,
  importId: string,
  after: string | null,
): Promise<UndoImportResponse> {
  try {
    return await database.transaction(async (tx) => {
      await setCommandOrigin(io)(tx);
      return undoImport(tx, { importId, scope: 'all', after });
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError(`No import of the last 7 days has the ID ${importId}.`);
  }
}
