/** Names the command line to the audit triggers, which know people by their tokens alone. */
import os from 'node:os';
import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The name under which the operating system knows whoever types; '' where it knows none. */
export function systemUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A container may run under a number that no user list holds.
    return '';
  }
}

/** How `audit` spells it: `command line (root)`. */
export const commandLine = 'command line';

/** @returns what runs first in a transaction of a command; its changes carry the origin until it ends. */
export const asCommandLine =
  ({ user }: { readonly user: string }) =>
  async (tx: Transaction): Promise<void> => {
    const origin = user === '' ? commandLine : `${commandLine} (${user})`;
    await tx.query(sql`select set_config('request.id', ${origin}, true)`);
  };
