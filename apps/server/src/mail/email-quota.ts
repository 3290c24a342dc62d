/**
 * The email quota of the instance (MAILS_PER_HOUR), counted over the attempts of the last hour. Three kinds of emails have a
 * reserve of a fifth each, which no other email can use: invitations by administrators, the recovery of administrators,
 * and security notices. All emails share the rest.
 */
import { type Transaction, sql } from '@lanternrock/postgres';
import { DomainError } from '../errors.ts';
import { noticeKinds, type EmailJob, type EmailKind } from './email-job.ts';

const hourMs = 3_600_000;

/** `none` has no reserve and uses the shared part only. */
const reserves = ['invitation', 'recovery', 'notice', 'none'] as const;
export type Reserve = (typeof reserves)[number];

/** Clients without credentials cause `sign_in_failed`, so it has no reserve. */
const reservedNotices: readonly EmailKind[] = noticeKinds.filter((kind) => kind !== 'sign_in_failed');

/** Returns the reserve of an email. That of `recovery` is only for administrators. */
export function selectReserve({ kind, inviter }: Pick<EmailJob, 'kind' | 'inviter'>): Reserve {
  if (kind === 'invitation' || kind === 'member_invitation')
    return inviter?.kind === 'administrator' || inviter?.kind === 'command_line' ? 'invitation' : 'none';
  if (kind === 'recovery') return 'recovery';
  return reservedNotices.includes(kind) ? 'notice' : 'none';
}

type Counts = Readonly<Record<Reserve, number>>;

/** Returns the size of each reserve. With fewer than four emails per hour there is none. */
const getReserveSize = (limit: number): number => (limit < 4 ? 0 : Math.max(1, Math.floor(limit / 5)));

/** @returns the number of emails of this kind that its reserve allows after `used`; without reserves, that all share */
export function countReservedLeft(limit: number, used: Counts, reserve: Reserve): number {
  const size = getReserveSize(limit);
  return size === 0 ? countEmailsLeft(limit, used, reserve) : Math.max(0, size - used[reserve]);
}

/** @returns the number of emails of this kind that can be sent after `used` */
export function countEmailsLeft(limit: number, used: Counts, reserve: Reserve): number {
  const size = getReserveSize(limit);
  const getSize = (each: Reserve): number => (each === 'none' ? 0 : size);
  const shared = reserves.reduce(
    (left, each) => left - Math.max(0, used[each] - getSize(each)),
    limit - 3 * size,
  );
  return Math.max(0, shared) + Math.max(0, getSize(reserve) - used[reserve]);
}

/** Returns the number of attempts of the last hour. */
export async function readUsedEmails(tx: Transaction, now: Date): Promise<Record<Reserve, number>> {
  const rows = await tx.query<{ reserve: Reserve; used: number }>(
    sql`select reserve, count(*)::int as used
        from private.deliveries where attempted_at > ${new Date(now.getTime() - hourMs)} group by reserve`,
  );
  const used = { invitation: 0, recovery: 0, notice: 0, none: 0 };
  for (const row of rows) used[row.reserve] = row.used;
  return used;
}

interface EmailQuota {
  /** Number of emails of this kind that can be sent now. */
  readonly left: number;
  /** Time at which the next email can be sent; equals `now` if some are left. */
  readonly freeAt: Date;
  /** True if emails of other kinds can still be sent. */
  readonly isRestReserved: boolean;
}

/** @param limit MAILS_PER_HOUR */
export async function readEmailQuota(
  tx: Transaction,
  { limit, reserve, now }: { readonly limit: number; readonly reserve: Reserve; readonly now: Date },
): Promise<EmailQuota> {
  const used = await readUsedEmails(tx, now);
  const left = countEmailsLeft(limit, used, reserve);
  const isRestReserved = left === 0 && reserves.some((each) => countEmailsLeft(limit, used, each) > 0);
  if (left > 0) return { left, freeAt: now, isRestReserved };
  // Attempts stop counting one after another.
  const attempts = await tx.query<{ reserve: Reserve; at: Date }>(
    sql`select reserve, attempted_at as at
        from private.deliveries where attempted_at > ${new Date(now.getTime() - hourMs)} order by attempted_at`,
  );
  for (const attempt of attempts) {
    used[attempt.reserve] -= 1;
    if (countEmailsLeft(limit, used, reserve) > 0)
      return { left, freeAt: new Date(attempt.at.getTime() + hourMs), isRestReserved };
  }
  return { left, freeAt: now, isRestReserved };
}

/**
 * Returns a message with the limit and the waiting time.
 *
 * @returns `retryAfter` in seconds
 */
function quotaMessage(limit: number, quota: EmailQuota, now: Date): { message: string; retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil((quota.freeAt.getTime() - now.getTime()) / 1000));
  const seconds = `${retryAfter} second${retryAfter === 1 ? '' : 's'}`;
  const wait = retryAfter > 90 ? `${Math.ceil(retryAfter / 60)} minutes` : seconds;
  const reached = quota.isRestReserved
    ? 'allows no more emails of this kind now; the rest is reserved for other kinds'
    : 'has been reached';
  return {
    message: `The limit of ${limit} emails per hour ${reached}. Try again in ${wait}.`,
    retryAfter,
  };
}

/**
 * Checks the quota before an email that the caller sends immediately.
 *
 * @throws DomainError over_email_send_rate_limit, with the waiting time
 */
export async function requireEmailQuota(
  tx: Transaction,
  limit: number,
  reserve: Reserve,
  now: Date,
): Promise<void> {
  const quota = await readEmailQuota(tx, { limit, reserve, now });
  if (quota.left > 0) return;
  const { message, retryAfter } = quotaMessage(limit, quota, now);
  throw new DomainError('over_email_send_rate_limit', message, { retryAfterSeconds: retryAfter });
}
