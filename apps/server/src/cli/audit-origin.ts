/** Names the command line to the audit triggers, which know people by their tokens alone. */
import os from 'node:os';
import { type Transaction, sql } from '@lanternrock/postgres';

/** The name under which the operating system knows whoever types; '' where it knows none. */
export function osUsername(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A container may run under a number that no user list holds.
    return '';
  }
}

/** How `audit` spells it: `command line (root)`. */
export const commandLineActor = 'command line';

/** Names the command line and its user, as the audit logs store it. */
export const originOf = ({ osUser }: { readonly osUser: string }): string =>
  osUser === '' ? commandLineActor : `${commandLineActor} (${osUser})`;

/** @returns what runs first in a transaction of a command; its changes carry the origin until it ends. */
export const setAuditOrigin =
  (output: { readonly osUser: string }) =>
  async (tx: Transaction): Promise<void> => {
    await tx.query(sql`select set_config('request.id', ${originOf(output)}, true)`);
  };
