/** In whose name mails go out: read when a mail is sent, so that a saved change counts at once. */
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * The oldest record of the notification settings; without one, the product's display name
 * (specification section 9) and the address of MAIL_FROM.
 */
export async function readSender(tx: Transaction, config: Config): Promise<Sender> {
  const [row] = await tx.query<{ sender_email: string; sender_name: string }>(
    sql`select sender_email, sender_name from public.notification_settings order by created_at, id limit 1`,
  );
  const address = row ? normalizeEmail(row.sender_email) : '';
  return {
    name: row?.sender_name ?? config.PRODUCT_NAME,
    // Rows brought in by SQL may hold what no mail server takes.
    address: isEmail(address) ? address : config.MAIL_FROM,
  };
}
