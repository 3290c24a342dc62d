/** Sets the actor of commands for the audit triggers, which otherwise read it from the access token. */
import os from 'node:os';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { recordAction } from '../audit-log.ts';

/** Returns the operating system's name of the current user, or '' if there is none. */
export function readOsUsername(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A container can run with a user ID that has no entry in /etc/passwd.
    return '';
  }
}

/** Actor prefix in the audit log, as in `command line (root)`. */
export const commandLineActor = 'command line';

/** Returns the actor of a command, as the audit logs store it. */
export const formatAuditOrigin = ({ osUser }: { readonly osUser: string }): string =>
  osUser === '' ? commandLineActor : `${commandLineActor} (${osUser})`;

/** Returns a function to call first in the transaction of a command. It sets the actor until the transaction ends. */
export const setAuditOrigin =
  (io: { readonly osUser: string }) =>
  async (tx: Transaction): Promise<void> => {
    await tx.query(sql`select set_config('request.id', ${formatAuditOrigin(io)}, true),
      set_config('request.origin', ${commandLineActor}, true)`);
  };

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
  await setAuditOrigin(io)(tx);
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
