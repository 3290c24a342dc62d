/** Reads the sender of outgoing emails. It is read for each email, so that a changed setting applies immediately. */
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Returns the sender from the oldest row of the notification settings, or PRODUCT_NAME and MAIL_FROM without a row. */
export async function readSender(tx: Transaction, config: Config): Promise<Sender> {
  const [row] = await tx.query<{ sender_email: string; sender_name: string }>(
    sql`select sender_email, sender_name from public.notification_settings order by created_at, id limit 1`,
  );
  const address = row ? normalizeEmail(row.sender_email) : '';
  return {
    name: row?.sender_name ?? config.PRODUCT_NAME,
    // A row that was written by SQL can contain an invalid email address.
    address: isEmail(address) ? address : config.MAIL_FROM,
  };
}
