/** Imports that can be undone: which accounts an import has created, and their removal. */
import type { RecentImportsResponse, UndoImportResponse } from '@lanternrock/contract/account-import';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { deleteExpired } from '@lanternrock/postgres/delete-expired';
import { recordUndoneImport, startUndo } from '../audit-log.ts';
import { startRun } from '../audit-run.ts';
import { DomainError } from '../errors.ts';

interface RecordedImport {
  readonly importId: string;
  /** Null if it is not known. */
  readonly fileName: string | null;
  /** User ID of the administrator; null for the command line. */
  readonly createdBy: string | null;
  /** The accounts that the transaction has created. */
  readonly accountIds: readonly string[];
}

/** @throws DomainError import_not_found if another user has an import with this ID */
export async function recordImportedAccounts(
  tx: Transaction,
  { importId, fileName, createdBy, accountIds }: RecordedImport,
): Promise<void> {
  if (accountIds.length === 0) return;
  await tx.query(sql`insert into private.account_imports (id, created_by, file_name)
    values (${importId}, ${createdBy}, ${fileName})
    on conflict (id) do nothing`);
  await requireImport(tx, { importId, scope: { createdBy } });
  await tx.query(sql`insert into private.imported_accounts (account_id, import_id, updated_at)
    select id, ${importId}, updated_at from public.accounts where id = any (${accountIds}::uuid[])`);
}

/** `all`: also the imports of other users and of the command line. */
type ImportScope = { readonly createdBy: string | null } | 'all';

interface UndoOptions {
  readonly importId: string;
  readonly scope: ImportScope;
  /** ID of an account: continues after it. */
  readonly after: string | null;
}

/** @throws DomainError import_not_found */
async function requireImport(
  tx: Transaction,
  { importId, scope }: Pick<UndoOptions, 'importId' | 'scope'>,
): Promise<void> {
  const createdBy = scope === 'all' ? null : scope.createdBy;
  const [found] = await tx.query(sql`select from private.account_imports
    where id = ${importId} and (${scope === 'all'} or created_by is not distinct from ${createdBy}::uuid)
      and created_at > now() - interval '7 days'`);
  if (!found)
    throw new DomainError(
      'import_not_found',
      'This import cannot be undone. You can undo your own imports of the last 7 days.',
    );
}

/** Reads the imports that the user can undo, newest first, up to 20. */
export async function readRecentImports(
  tx: Transaction,
  userId: string | null,
): Promise<RecentImportsResponse> {
  const imports = await tx.query<RecentImportsResponse['imports'][number]>(
    sql`select i.id, to_json(i.created_at) #>> '{}' as created_at, i.file_name, count(*)::int as accounts
          from private.account_imports i join private.imported_accounts a on a.import_id = i.id
          where i.created_by = ${userId} and i.created_at > now() - interval '7 days'
          group by i.id order by i.created_at desc, i.id limit 20`,
  );
  return { imports };
}

/** Exported for the tests. Names the newest entry of the import, by which the activity shows it. An entry of long ago can have been removed. */
export async function startImportUndo(tx: Transaction, importId: string): Promise<void> {
  const [entry] = await tx.query<{ id: string }>(
    sql`select l.id::text from private.account_imports i join private.audit_log l
          -- No part of another action, as the index requires.
          on l.part_of is null and l.table_name = 'imports' and l.at >= i.created_at
        where i.id = ${importId} and l.action = 'imported' and l.after ->> 'import_id' = ${importId}
        order by l.at desc, l.id desc limit 1`,
  );
  if (entry) await startUndo(tx, entry.id);
}

/** Accounts of one transaction. */
const undoRows = 500;

/**
 * Deletes accounts that the import has created, as long as they are as they were created and no other record names them.
 * Accounts that the import changed stay as they are.
 *
 * @throws DomainError import_not_found
 */
export async function undoImport(
  tx: Transaction,
  { importId, scope, after }: UndoOptions,
): Promise<UndoImportResponse> {
  await requireImport(tx, { importId, scope });
  await startRun(tx, { kind: 'undo-import', id: importId });
  // A new member, which needs a lock of its account, waits until this transaction ends.
  const accounts = await tx.query<{ id: string; name: string; is_changed: boolean }>(
    sql`select a.id, a.name, a.updated_at <> i.updated_at as is_changed
          from private.imported_accounts i join public.accounts a on a.id = i.account_id
          where i.import_id = ${importId} and (${after}::uuid is null or i.account_id > ${after})
          order by i.account_id limit ${undoRows} for update of a`,
  );
  const unchanged = accounts.flatMap(({ id, is_changed }) => (is_changed ? [] : [id]));
  const referenced = await tx.query<{ id: string }>(
    sql`select id from private.referenced_accounts(${unchanged}::uuid[]) id`,
  );
  const used = new Set(referenced.map(({ id }) => id));
  const deleted = unchanged.filter((id) => !used.has(id));
  await tx.query(sql`delete from public.accounts where id = any (${deleted}::uuid[])`);
  if (deleted.length > 0) {
    // Only the entry that sums up the undo names the import, not each of the accounts.
    await startImportUndo(tx, importId);
    await recordUndoneImport(tx, { deleted: deleted.length });
  }
  const kept = accounts
    .filter(({ id, is_changed }) => is_changed || used.has(id))
    .map(({ id, name, is_changed }) => ({ id, name, reason: is_changed ? 'changed' : 'used' }) as const);
  const next = accounts.length === undoRows ? (accounts.at(-1)?.id ?? null) : null;
  return { deleted, kept, next };
}

/** Deletes the records of imports that can no longer be undone; not their accounts. */
export async function purgeImports(database: Database): Promise<void> {
  // The rows first: one import can have created 200,000 accounts.
  const expired = sql`import_id in (
    select id from private.account_imports where created_at <= now() - interval '7 days')`;
  await deleteExpired(database, 'private.imported_accounts', expired);
  await deleteExpired(
    database,
    'private.account_imports',
    sql`created_at <= now() - interval '7 days'
      and not exists (select from private.imported_accounts i where i.import_id = account_imports.id)`,
  );
}
