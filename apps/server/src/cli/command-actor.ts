/** Option `--as`: records an administrator as the author of what a command does. */
import { type Transaction, sql } from '@lanternrock/postgres';
import type { CommandIO } from './command.ts';
import { setCommandOrigin } from './audit-origin.ts';
import { UsageError } from './usage-error.ts';

/**
 * Call it first in the transaction. The audit log then names the operator and, with an email address, the administrator.
 *
 * @returns the user ID, or null without an email address
 * @throws UsageError if the address is not that of an administrator
 */
export async function setCommandActor(
  tx: Transaction,
  io: CommandIO,
  email: string | undefined,
): Promise<string | null> {
  await setCommandOrigin(io)(tx);
  if (email === undefined) return null;
  const [user] = await tx.query<{ id: string }>(
    sql`select id from private.active_administrators where lower(email) = lower(${email.trim()})`,
  );
  if (!user) throw new UsageError(`No administrator has the email ${email}.`);
  const claims = JSON.stringify({ sub: user.id, role: 'authenticated' });
  await tx.query(sql`select set_config('request.jwt.claims', ${claims}, true)`);
  return user.id;
}
