/** Imports contacts: finds the accounts that rows name, and writes the planned changes in one transaction. */
import type { ImportResult } from '@lanternrock/contract/account-import';
import { type ContactRow, type ContactValues, parseContactRow } from '@lanternrock/contract/contact-import';
import { type Transaction, sql } from '@lanternrock/postgres';
import { recordImport } from '../audit-log.ts';
import { startRun } from '../audit-run.ts';
import { lockAccounts, readContacts, writeContacts } from './account-contacts.ts';
import { planContacts, type ResolvedRow } from './contact-import-plan.ts';

interface ImportOptions {
  /** True: reads only, and returns what an import would do. */
  readonly dryRun: boolean;
  /** The same for all calls of a file. Undefined: each call is an action of its own. */
  readonly importId?: string | undefined;
  /** See `parsePhone`. */
  readonly defaultCountry: string;
}

/**
 * Adds and changes contacts. Invalid rows are rejected before the first write, so either all others are written or, if this
 * throws, none.
 *
 * @returns the result of each row, in the same order
 */
export async function importContacts(
  tx: Transaction,
  rows: readonly ContactRow[],
  { dryRun, importId, defaultCountry }: ImportOptions,
): Promise<readonly ImportResult[]> {
  if (importId !== undefined && !dryRun) await startRun(tx, { kind: 'import-contacts', id: importId });
  const resolved = await resolveRows(tx, rows);
  const accountIds = [...new Set(resolved.flatMap((row) => ('reason' in row ? [] : [row.accountId])))];
  if (!dryRun) await lockAccounts(tx, accountIds);
  const before = await readContacts(tx, accountIds);
  const { results, contacts } = planContacts(resolved, before, defaultCountry);
  if (!dryRun) {
    await writeContacts(tx, { before, after: contacts });
    const count = (outcome: ImportResult['outcome']): number =>
      results.filter((result) => result.outcome === outcome).length;
    const counts = { created: count('created'), changed: count('changed') };
    // The newest entry of the import, by which the activity names it. An import without an effect leaves none.
    if (counts.created + counts.changed > 0) await recordImport(tx, { list: 'contacts', ...counts });
    return results;
  }
  // A contact that would be created has no ID yet.
  return results.map(({ id, ...result }) =>
    id === undefined || result.outcome === 'created' ? result : { ...result, id },
  );
}

/** Finds the account of each row, by its ID or its name. */
async function resolveRows(tx: Transaction, rows: readonly ContactRow[]): Promise<readonly ResolvedRow[]> {
  const parsed = rows.map((row) => ({ line: row.line, parsed: parseContactRow(row) }));
  const wanted = parsed.flatMap(({ line, parsed: row }) =>
    'reason' in row ? [] : [{ line, id: row.accountId, name: row.accountId === null ? row.account : null }],
  );
  const found = new Map<number, string[]>();
  if (wanted.length > 0) {
    const accounts = await tx.query<{ line: number; id: string }>(
      sql`with wanted as materialized (
            select w.line, w.id, w.name
              from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) w (line integer, id uuid, name text)
          )
          select w.line, a.id from wanted w join public.accounts a on a.id = w.id
          union all
          select w.line, a.id from wanted w join public.accounts a
            on private.fold_text(a.name)::private.folded_text = private.fold_text(w.name)::private.folded_text`,
    );
    for (const { line, id } of accounts) found.set(line, [...(found.get(line) ?? []), id]);
  }
  return parsed.map(({ line, parsed: row }) =>
    'reason' in row ? { line, reason: row.reason } : resolveRow(row, found.get(line) ?? []),
  );
}

function resolveRow(row: ContactValues, accounts: readonly string[]): ResolvedRow {
  const { line } = row;
  const [accountId] = accounts;
  if (accountId === undefined)
    return { line, reason: row.accountId === null ? 'No account has this name' : 'No account has this ID' };
  if (accounts.length > 1)
    return { line, reason: `${accounts.length} accounts have this name. Add the ID of one of them` };
  return { line, row, accountId };
}
