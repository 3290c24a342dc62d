/**
 * Counters in fixed windows in the database, shared by all replicas. They are kept across restarts of the service, and an
 * exhausted window also across crashes of Postgres and promotions of a standby.
 */
import { createHash } from 'node:crypto';
import { type Database, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';

export interface Window {
  readonly name: string;
  /** Requests per window. */
  readonly limit: number;
  /** Length of the window. */
  readonly seconds: number;
  /** After an exhausted window, the next one has double length, up to this. Absent: always `seconds`. */
  readonly maxSeconds?: number;
}

interface Hit {
  readonly hits: number;
  /** Seconds until the window ends if its limit is exceeded, otherwise 0. */
  readonly waitSeconds: number;
}

export interface Counters {
  /** @param count of requests; default: one */
  hit(window: Window, key: string, count?: number): Promise<Hit>;
  release(buckets: readonly string[]): Promise<void>;
}

const day = 86_400;

export function createCounters(database: Database, clock: Pick<DatabaseClock, 'fixed'>): Counters {
  return {
    /**
     * Counts a request. A bucket that was not used for a day after its end restarts with the shortest window. If the
     * clock was set back, a window ends at most its length from now.
     *
     * The commit does not wait for the disk, because a crash of Postgres can lose only the counts of its last second. The
     * request that exhausts a window waits, so that no crash gives new attempts.
     */
    hit: async ({ name, limit, seconds, maxSeconds = seconds }, key, count = 1) => {
      const fixed = clock.fixed();
      const [row] = await database.query<{ hits: number; seconds_left: number }>(sql`
        insert into auth.rate_limits as l (bucket, hits, seconds, ends_at)
        select ${`${name}:${key}`}, ${count}::integer, ${seconds}::integer,
          coalesce(${fixed}::timestamptz, clock_timestamp()) + make_interval(secs => ${seconds}::integer)
        on conflict (bucket) do update set (hits, seconds, ends_at) = (
          select case when present.runs then l.hits + excluded.hits else excluded.hits end,
            case when present.runs then present.seconds else next.seconds end,
            case when present.runs then least(l.ends_at, present.now + make_interval(secs => present.seconds))
              else present.now + make_interval(secs => next.seconds) end
          from (
            select greatest(l.seconds, excluded.seconds) as seconds, clock.now, l.ends_at > clock.now as runs
            from (select excluded.ends_at - make_interval(secs => excluded.seconds) as now) as clock
          ) as present, lateral (select case
            when l.ends_at <= present.now - make_interval(secs => ${day}) then excluded.seconds
            when l.hits >= ${limit}::integer then least(present.seconds * 2, ${maxSeconds}::integer)
            else present.seconds
          end as seconds) as next)
        returning hits,
          extract(epoch from ends_at - coalesce(${fixed}::timestamptz, clock_timestamp()))::float8 as seconds_left,
          set_config('synchronous_commit',
            case when hits >= ${limit}::integer and hits - ${count}::integer < ${limit}::integer
              then current_setting('synchronous_commit') else 'off' end, true)`);
      if (!row) throw new Error('The rate limit statement returned no row');
      const waitSeconds = row.hits <= limit ? 0 : Math.max(1, Math.ceil(row.seconds_left));
      return { hits: row.hits, waitSeconds };
    },
    release: async (buckets) => {
      await database.query(sql`
        with locked as (
          select bucket from auth.rate_limits where bucket = any (${buckets}) order by bucket for update
        )
        update auth.rate_limits l set hits = greatest(l.hits - 1, 0) from locked where l.bucket = locked.bucket
        returning set_config('synchronous_commit', 'off', true)`);
    },
  };
}

export const hashKey = (identifier: string): string =>
  createHash('sha256').update(identifier).digest('base64url');

export function rateLimitError(status: 429 | 503, waitSeconds: number): AuthError {
  return new AuthError(status, 'over_request_rate_limit', 'Request rate limit reached', {
    headers: { 'Retry-After': String(waitSeconds) },
  });
}
