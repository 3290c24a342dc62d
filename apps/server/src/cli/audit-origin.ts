/** Marks the audit log entries of a command: it has no access token, so its request ID names the operator. */
import { type Transaction, sql } from '@lanternrock/postgres';

/** Origin of the entries, and prefix of their actor, as in `command line (root)`. */
export const commandLineOrigin = 'command line';

/** Returns the actor of a command, as the audit logs show it. */
export const formatCommandActor = ({ osUser }: { readonly osUser: string }): string =>
  osUser === '' ? commandLineOrigin : `${commandLineOrigin} (${osUser})`;

/**
 * Returns a function to call first in the transaction of a command. It sets request ID and origin of the audit log entries
 * of the transaction.
 */
export const setCommandOrigin =
  (io: { readonly osUser: string }) =>
  async (tx: Transaction): Promise<void> => {
    await tx.query(sql`select set_config('request.id', ${formatCommandActor(io)}, true),
      set_config('request.origin', ${commandLineOrigin}, true)`);
  };
