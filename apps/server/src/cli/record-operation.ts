/** Records actions of operators that change no recorded table. */
import type { Database, Transaction } from '@lanternrock/postgres';
import { recordAction } from '../audit-log.ts';
import { setCommandOrigin } from './audit-origin.ts';

/** Actions of operators that no trigger records, as the audit log stores them. */
type Operation =
  | 'keys_shown'
  | 'signing_key_created'
  | 'backup_written'
  | 'backup_restored'
  | 'database_migrated'
  | 'audit_exported'
  | 'audit_read'
  | 'sign_ins_read';

/** Records an action of an operator in the transaction. */
export async function recordOperation(
  tx: Transaction,
  io: { readonly osUser: string },
  action: Operation,
  details: Parameters<typeof recordAction>[1]['details'] = {},
): Promise<void> {
  await setCommandOrigin(io)(tx);
  await recordAction(tx, { action, table: 'operations', id: null, details });
}

/** Records an action of an operator in a transaction of its own. */
export const recordOperationNow = (
  database: Pick<Database, 'transaction'>,
  ...operation: [
    io: { readonly osUser: string },
    action: Operation,
    details?: Parameters<typeof recordOperation>[3],
  ]
): Promise<void> => database.transaction((tx) => recordOperation(tx, ...operation));
