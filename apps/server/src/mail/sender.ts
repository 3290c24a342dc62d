/** Reads the sender of outgoing emails. It is read for each email, so that a changed setting applies immediately. */
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { noticeKinds, type EmailKind } from './email-job.ts';

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Returns the saved sender: the oldest row of the notification settings, or PRODUCT_NAME and MAIL_FROM without a row. */
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

/** False if MAIL_FROM has its default, which most mail servers reject. */
export const hasOperatorSender = ({ MAIL_FROM }: Config): boolean => !MAIL_FROM.endsWith('.localdomain');

const securityKinds: ReadonlySet<EmailKind> = new Set([...noticeKinds, 'audit_head', 'backup_problem']);

/**
 * Returns the sender of an email. Security notices, the head of the audit log and problems of backups come from MAIL_FROM, if it is set: a
 * stolen session of an administrator can save a sender that mail servers reject, and its next action must still be
 * reported.
 */
export const readEmailSender = async (tx: Transaction, config: Config, kind: EmailKind): Promise<Sender> =>
  securityKinds.has(kind) && hasOperatorSender(config)
    ? { name: config.PRODUCT_NAME, address: config.MAIL_FROM }
    : readSender(tx, config);
