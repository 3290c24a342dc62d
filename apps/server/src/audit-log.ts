/** Writes and purges `private.audit_log`, where triggers record the changes of product data. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';

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
    select auth.uid(), current_setting('request.id', true), ${table}, row ->> 'id', 'DELETE', row
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as row`);
}

/** @param days age of the oldest entries to keep */
export async function purgeAuditLog(database: Database, days: number, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - days * 86_400_000);
  await database.query(sql`delete from private.audit_log where at < ${oldest}`);
}
