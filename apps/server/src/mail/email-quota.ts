/** The instance's hourly mail budget, counted over the tries of the last hour. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../errors.ts';

const hour = 3_600_000;

export interface EmailQuota {
  /** Mails that may still go now. */
  readonly left: number;
  /** When the next one becomes free; equals `now` while some are left. */
  readonly freeAt: Date;
}

/** @param limit mails per hour. */
export async function readEmailQuota(tx: Transaction, limit: number, now: Date): Promise<EmailQuota> {
  const since = new Date(now.getTime() - hour);
  const [row] = await tx.query<{ used: number; frees: Date | null }>(
    // The mail that must grow old before the next may go: the limit-th newest.
    sql`select (select count(*)::int from private.deliveries where attempted_at > ${since}) as used,
               (select attempted_at from private.deliveries where attempted_at > ${since}
                order by attempted_at desc offset ${limit - 1} limit 1) as frees`,
  );
  const left = Math.max(0, limit - (row?.used ?? 0));
  const freeAt = left > 0 || !row?.frees ? now : new Date(row.frees.getTime() + hour);
  return { left, freeAt };
}

/**
 * Emails per hour that may go without a signed-in administrator who waits for them. Anyone can cause these (recovery,
 * sign-up, notices), so a fifth of the quota stays free for invitations and test emails.
 *
 * @param limit MAILS_PER_HOUR
 */
export const limitOfWorker = (limit: number): number => Math.max(1, limit - Math.ceil(limit / 5));

/** Says which limit was hit and when it ends. */
export function quotaMessage(
  limit: number,
  budget: EmailQuota,
  now: Date,
): { message: string; retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil((budget.freeAt.getTime() - now.getTime()) / 1000));
  const wait = retryAfter > 90 ? `${Math.ceil(retryAfter / 60)} minutes` : `${retryAfter} seconds`;
  return {
    message: `The platform's limit of ${limit} mails per hour is reached. Try again in ${wait}.`,
    retryAfter,
  };
}

/** For mails that somebody waits for. @throws ApiError 429 with the seconds until the next may go. */
export async function requireEmailQuota(tx: Transaction, limit: number, now: Date): Promise<void> {
  const budget = await readEmailQuota(tx, limit, now);
  if (budget.left > 0) return;
  const { message, retryAfter } = quotaMessage(limit, budget, now);
  throw new ApiError(429, 'over_email_send_rate_limit', message, {
    headers: { 'Retry-After': String(retryAfter) },
  });
}
