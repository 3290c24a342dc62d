/**
 * Stores the time up to which an administrator has seen the changes. Confirmed responses less than `visitGapMinutes` apart are
 * one visit, so a second tab and a reload show the same period. The next visit starts at the end of that period.
 */
import { visitGapMinutes } from '@lanternrock/contract/handover';
import { type Transaction, sql } from '@lanternrock/postgres';

const minute = 60_000;
const visitGapMs = visitGapMinutes * minute;
/** An entry has the time at which its transaction started, so it can appear later. It is then shown twice, never lost. */
const overlapMs = minute;
const firstPeriodMs = 7 * 24 * 60 * minute;

interface Visit {
  /** End of the previous visit; null during the first. */
  readonly since: Date | null;
  readonly seen_until: Date;
  readonly visited_at: Date;
}

/** Returns the start of the present visit, and the end of the previous one (null for the first). */
export async function readVisit(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<{ readonly since: Date; readonly lastVisit: Date | null }> {
  const [visit] = await tx.query<Visit>(
    sql`select since, seen_until, visited_at from private.handover_visits where user_id = ${userId}`,
  );
  const isSame = visit !== undefined && now.getTime() - visit.visited_at.getTime() < visitGapMs;
  const lastVisit = (isSame ? visit.since : visit?.seen_until) ?? null;
  return { since: lastVisit ?? new Date(now.getTime() - firstPeriodMs), lastVisit };
}

/** Records that the changes up to `until` were shown. Only moves forward, and never beyond the present. */
export async function confirmVisit(
  tx: Transaction,
  { userId, until, now }: { readonly userId: string; readonly until: Date; readonly now: Date },
): Promise<void> {
  const end = new Date(Math.min(until.getTime(), now.getTime()) - overlapMs);
  await tx.query(
    sql`insert into private.handover_visits as v (user_id, since, seen_until, visited_at)
        values (${userId}, null, ${end}, ${now})
        on conflict (user_id) do update
          set since = case when v.visited_at <= ${new Date(now.getTime() - visitGapMs)} then v.seen_until else v.since end,
              seen_until = greatest(v.seen_until, excluded.seen_until),
              visited_at = excluded.visited_at`,
  );
}
