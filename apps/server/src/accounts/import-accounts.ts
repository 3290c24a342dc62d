/** Imports accounts: finds the accounts that rows name, and writes the planned changes in one transaction. */
import { randomUUID } from 'node:crypto';
import type { ImportResult, ImportRow } from '@lanternrock/contract/account-import';
import { slugOfRow } from '@lanternrock/contract/account-import';
import { type Transaction, sql } from '@lanternrock/postgres';
import { recordImport } from '../audit-log.ts';
import { startRun } from '../audit-run.ts';
import {
  parseRows,
  planRows,
  type ExistingAccount,
  type ParsedRow,
  type PlannedRow,
  type PlanOptions,
} from './import-plan.ts';
import { recordImportedAccounts } from './imports.ts';

interface ImportOptions extends PlanOptions {
  /** User ID of the administrator; null for the command line. */
  readonly createdBy: string | null;
  /** The same for all calls of a file. Undefined: the import cannot be undone. */
  readonly importId?: string | undefined;
  readonly fileName?: string | undefined;
}

/**
 * Imports rows in the transaction. Invalid rows are rejected before the first write, so either all others are written or,
 * if this throws, none.
 *
 * @returns the result of each row, in the same order
 * @throws DomainError import_not_found for an import ID of another user
 */
export async function importAccounts(
  tx: Transaction,
  rows: readonly ImportRow[],
  options: ImportOptions,
): Promise<readonly ImportResult[]> {
  const { createdBy, importId, fileName = null, findRepeat } = options;
  // Two imports of the same file would create every account twice.
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('import-accounts'))`);
  if (importId !== undefined) await startRun(tx, { kind: 'import-accounts', id: importId });
  const planned = await planImport(tx, rows, options);
  const ids = await createAccounts(tx, planned, createdBy);
  if (importId !== undefined)
    await recordImportedAccounts(tx, { importId, fileName, createdBy, accountIds: [...ids.values()] });
  for (const row of planned) if (row.outcome === 'created') findRepeat(row.row, ids.get(row.line) ?? null);
  const changed = await changeAccounts(tx, planned);
  // The newest entry of the import, by which the activity names it. An import without an effect leaves none.
  if (ids.size + changed.size > 0)
    await recordImport(tx, { list: 'accounts', importId, created: ids.size, changed: changed.size });
  return planned.map((row) =>
    row.outcome === 'changed' && !changed.has(row.account.id)
      ? { line: row.line, outcome: 'rejected', reason: changedMeanwhile }
      : toImportResult(row, ids.get(row.line)),
  );
}

/** Returns what an import would do with each row, in the same order. Writes nothing. */
export async function planImport(
  tx: Transaction,
  rows: readonly ImportRow[],
  options: PlanOptions,
): Promise<readonly PlannedRow[]> {
  const parsed = parseRows(rows);
  return planRows(parsed, await readNamedAccounts(tx, parsed), options);
}

const changedMeanwhile = 'The account was changed during the import. Import the row again';

/** @param createdId ID of the account that the row has created */
export function toImportResult(row: PlannedRow, createdId?: string): ImportResult {
  const { line, outcome } = row;
  if (outcome === 'rejected') return { line, outcome, reason: row.reason };
  const id = outcome === 'created' ? createdId : row.account.id;
  return id === undefined ? { line, outcome } : { line, outcome, id };
}

/** Reads the accounts with an ID, a slug, or a derived slug and name of the rows. */
async function readNamedAccounts(
  tx: Transaction,
  rows: readonly ParsedRow[],
): Promise<readonly ExistingAccount[]> {
  const wanted = rows.flatMap<{ id?: string; slug?: string; name?: string }>(({ parsed }) => {
    if ('reason' in parsed) return [];
    if (parsed.id !== null) return [{ id: parsed.id }];
    if (parsed.slug !== null) return [{ slug: parsed.slug }];
    return [{ slug: slugOfRow(parsed), name: parsed.fields.name }];
  });
  if (wanted.length === 0) return [];
  return tx.query<ExistingAccount & Record<string, unknown>>(
    sql`with wanted as materialized (
          select w.id, w.slug, w.name from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) w (id uuid, slug text, name text)
        ), named as (
          select w.id from wanted w where w.id is not null
          union
          select a.id from wanted w join public.accounts a on a.slug = w.slug where w.name is null
          union
          select a.id from wanted w join public.accounts a
            on a.slug = w.slug and private.fold_text(a.name) = private.fold_text(w.name)
        )
        select a.*, a.updated_at::text as updated_at
          from named n join public.accounts a on a.id = n.id`,
  );
}

/** @returns the ID of each created account by line */
async function createAccounts(
  tx: Transaction,
  planned: readonly PlannedRow[],
  createdBy: string | null,
): Promise<ReadonlyMap<number, string>> {
  const created = planned.flatMap((row) =>
    row.outcome === 'created' ? [{ line: row.line, id: randomUUID(), slug: row.slug, ...row.fields }] : [],
  );
  if (created.length > 0) {
    await tx.query(
      sql`insert into public.accounts (id, name, slug, account_type, address, city, state, zip_code, created_by)
          select r.id, r.name, r.slug, r.account_type, r.address, r.city, r.state, r.zip_code, ${createdBy}::uuid
            from jsonb_populate_recordset(null::public.accounts, ${JSON.stringify(created)}::jsonb) r`,
    );
  }
  return new Map(created.map(({ line, id }) => [line, id]));
}

/** @returns the IDs of the changed accounts; an account that changed since it was read is left alone */
async function changeAccounts(tx: Transaction, planned: readonly PlannedRow[]): Promise<ReadonlySet<string>> {
  const changes = planned.flatMap((row) =>
    row.outcome === 'changed'
      ? [{ ...row.fields, id: row.account.id, updated_at: row.account.updated_at }]
      : [],
  );
  if (changes.length === 0) return new Set();
  const changed = await tx.query<{ id: string }>(
    sql`update public.accounts a
           set name = r.name, account_type = r.account_type, address = r.address, city = r.city,
               state = r.state, zip_code = r.zip_code
          from jsonb_populate_recordset(null::public.accounts, ${JSON.stringify(changes)}::jsonb) r
         where a.id = r.id and a.updated_at = r.updated_at
        returning a.id`,
  );
  return new Set(changed.map(({ id }) => id));
}
