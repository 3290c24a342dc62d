/** The email quota of the instance (MAILS_PER_HOUR), counted over the attempts of the last hour. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { DomainError } from '../errors.ts';

const hourMs = 3_600_000;

interface EmailQuota {
  /** Number of emails that can be sent now. */
  readonly left: number;
  /** Time at which the next email can be sent; equals `now` if some are left. */
  readonly freeAt: Date;
}

/** @param limit emails per hour */
export async function readEmailQuota(tx: Transaction, limit: number, now: Date): Promise<EmailQuota> {
  const since = new Date(now.getTime() - hourMs);
  const [row] = await tx.query<{ used: number; frees: Date | null }>(
    // The next email can be sent when the limit-th newest attempt is an hour old.
    sql`select (select count(*)::int from private.deliveries where attempted_at > ${since}) as used,
               (select attempted_at from private.deliveries where attempted_at > ${since}
                order by attempted_at desc offset ${limit - 1} limit 1) as frees`,
  );
  const left = Math.max(0, limit - (row?.used ?? 0));
  const freeAt = left > 0 || !row?.frees ? now : new Date(row.frees.getTime() + hourMs);
  return { left, freeAt };
}

/**
 * Returns the hourly limit for queued emails. Anyone can cause these (recovery, sign-up, security notices), so a fifth
 * of the quota is reserved for invitations and test emails, which an administrator sends.
 *
 * @param limit MAILS_PER_HOUR
 */
export const workerEmailLimit = (limit: number): number => Math.max(1, limit - Math.ceil(limit / 5));

/**
 * Returns a message with the limit and the waiting time.
 *
 * @returns `retryAfter` in seconds
 */
export function quotaMessage(
  limit: number,
  quota: EmailQuota,
  now: Date,
): { message: string; retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil((quota.freeAt.getTime() - now.getTime()) / 1000));
  const wait = retryAfter > 90 ? `${Math.ceil(retryAfter / 60)} minutes` : `${retryAfter} seconds`;
  return {
    message: `The limit of ${limit} emails per hour has been reached. Try again in ${wait}.`,
    retryAfter,
  };
}

/**
 * Checks the quota before an email that the caller sends immediately.
 *
 * @throws DomainError over_email_send_rate_limit, with the waiting time
 */
export async function requireEmailQuota(tx: Transaction, limit: number, now: Date): Promise<void> {
  const quota = await readEmailQuota(tx, limit, now);
  if (quota.left > 0) return;
  const { message, retryAfter } = quotaMessage(limit, quota, now);
  throw new DomainError('over_email_send_rate_limit', message, { retryAfterSeconds: retryAfter });
}
