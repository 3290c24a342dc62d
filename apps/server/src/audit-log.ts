/** Writes to `private.audit_log`, where triggers record the changes of product data. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { addTotals } from './audit-run.ts';

/**
 * Records deleted rows of a table without a trigger. The settings of the transaction name the actor and the request.
 *
 * @param table for example `auth.mfa_factors`
 */
export async function recordDeletions(
  tx: Transaction,
  table: string,
  rows: readonly { readonly id: string }[],
): Promise<void> {
  await tx.query(sql`insert into private.audit_log (actor, request_id, table_name, row_id, action, before)
    select auth.uid(), nullif(current_setting('request.id', true), ''), ${table}, row ->> 'id', 'DELETE', row
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as row`);
}

interface AuditAction {
  /** Lower case, for example `exported`. */
  readonly action: string;
  /** For example `private.invitations`, or a word such as `operations` for an action without a table. */
  readonly table: string;
  /** ID of the row; null for an action without one. */
  readonly id: string | null;
  /** Shown with the entry. Never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/**
 * Records an action that changes no table with the trigger `record_change`, such as an export.
 *
 * @returns the ID of the entry
 */
export async function recordAction(
  tx: Transaction,
  { action, table, id, details }: AuditAction,
): Promise<string> {
  const [entry] = await tx.query<{ id: string }>(
    sql`insert into private.audit_log (actor, request_id, table_name, row_id, action, after)
      values (auth.uid(), nullif(current_setting('request.id', true), ''), ${table}, ${id}, ${action},
        ${JSON.stringify(details)}::jsonb) returning id`,
  );
  return entry?.id ?? '';
}

/**
 * Marks all further entries of the transaction as the undo of an entry. Call it before the first write of the transaction, and only if
 * that restores the state before the entry.
 *
 * @param entry ID of the entry
 */
export const startUndo = async (tx: Transaction, entry: string): Promise<void> =>
  void (await tx.query(sql`select set_config('request.undoes', ${entry}, true)`));

const recordExport =
  (list: string) =>
  (tx: Transaction): Promise<string> =>
    recordAction(tx, { action: 'exported', table: 'exports', id: null, details: { list, format: 'csv' } });

/** Records an export of the accounts. */
export const recordAccountExport = recordExport('accounts');
/** Records an export of the contacts of accounts. */
export const recordContactExport = recordExport('contacts');

interface ImportCounts {
  readonly list: 'accounts' | 'contacts';
  /** By which the activity undoes the import; undefined if it cannot be undone. */
  readonly importId?: string | undefined;
  readonly created: number;
  readonly changed: number;
}

/** Records an import, whose rows are entries of the same transaction. The totals are those of all requests so far. */
export const recordImport = async (
  tx: Transaction,
  { list, importId, ...counts }: ImportCounts,
): Promise<string> =>
  recordAction(tx, {
    action: 'imported',
    table: 'imports',
    id: null,
    details: { list, import_id: importId, ...(await addTotals(tx, counts)) },
  });

/** Records the undo of an import, whose deleted accounts are entries of the same transaction. */
export const recordUndoneImport = async (
  tx: Transaction,
  counts: { readonly deleted: number },
): Promise<string> =>
  recordAction(tx, {
    action: 'import_undone',
    table: 'imports',
    id: null,
    details: { list: 'accounts', ...(await addTotals(tx, counts)) },
  });

/** Records an email that tests the settings. */
export const recordTestEmail = (tx: Transaction, to: string): Promise<string> =>
  recordAction(tx, { action: 'test_email_sent', table: 'emails', id: null, details: { to } });
