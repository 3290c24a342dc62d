/** Undoes an import of accounts. */
import { keptReasons } from '@lanternrock/contract/account-import';
import { callFunction } from '../api/functions.ts';

interface UndoneImport {
  readonly deleted: number;
  /** Why an account is kept, by its ID. */
  readonly kept: ReadonlyMap<string, string>;
}

/**
 * Deletes the accounts that an import has created, in as many calls as it takes.
 *
 * @throws ApiError of a call; a repeated undo then continues
 */
export const undoImport = async (importId: string): Promise<UndoneImport> => {
  const kept = new Map<string, string>();
  let deleted = 0;
  let after: string | null = null;
  do {
    const input: { import_id: string; after?: string } = { import_id: importId };
    if (after !== null) input.after = after;
    const result = await callFunction('undo-import', input);
    for (const { id, reason } of result.kept) kept.set(id, keptReasons[reason]);
    deleted += result.deleted.length;
    after = result.next;
  } while (after !== null);
  return { deleted, kept };
};
