/**
 * Rate limits as fixed windows in the database, shared by all replicas. They are kept across restarts of the service,
 * crashes of Postgres and promotions of a standby. They fail closed: if the database is unavailable, the request fails.
 */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { type Database, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { ClientInfo } from '../auth-context.ts';
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import { clientNetwork } from './client-network.ts';
import { HashAbortedError } from '../passwords/hash-pool.ts';
import { addSeconds } from '../auth-context.ts';

export interface Window {
  readonly name: string;
  /** Requests per window. */
  readonly limit: number;
  /** Length of the window. */
  readonly seconds: number;
  /** After an exhausted window, the next one has double length, up to this. Absent: always `seconds`. */
  readonly maxSeconds?: number;
}

const hour = 3600;
const day = 86_400;

/** Windows of endpoints that send email to an address of the client's choice. */
const emailWindow = (name: string): Window => ({ name, limit: 30, seconds: 300, maxSeconds: hour });

/** Limits per IP address. */
const limitsPerIp = {
  verify: { name: 'verify', limit: 30, seconds: 300 },
  token: { name: 'token', limit: 150, seconds: 300 },
  refresh: { name: 'refresh', limit: 1800, seconds: 300 },
  otp: emailWindow('otp'),
  recover: emailWindow('recover'),
  resend: emailWindow('resend'),
  signup: emailWindow('signup'),
  user: { name: 'user', limit: 30, seconds: 300 },
  passkeys: { name: 'passkeys', limit: 30, seconds: 300 },
  factors: { name: 'factors', limit: 15, seconds: 60 },
} as const satisfies Record<string, Window>;

/**
 * Limits per user of changes that no credential limits. Each writes rows, audit log entries or emails. Users behind one IP
 * address do not share them.
 */
const limitsPerUser = {
  methods: { name: 'methods', limit: 60, seconds: 300 },
  /** Ended sessions. */
  sessions: { name: 'sessions', limit: 60, seconds: 300 },
  /** Flows at a provider, of up to 8 kB. */
  linking: { name: 'linking', limit: 20, seconds: 300 },
} as const satisfies Record<string, Window>;

const isPerUser = (limit: RateLimitName): limit is keyof typeof limitsPerUser =>
  Object.hasOwn(limitsPerUser, limit);

export type RateLimitName = keyof typeof limitsPerIp | keyof typeof limitsPerUser;

/**
 * Failed attempts per identifier, across all clients without a device token or a session. An attacker can exhaust this
 * limit, so email links, known devices and active sessions do not count against it.
 */
const identifierWindows: readonly Window[] = [
  { name: 'account-minute', limit: 10, seconds: 60, maxSeconds: hour },
  { name: 'account-hour', limit: 100, seconds: hour, maxSeconds: day },
];
/**
 * Failed attempts of clients that have more than the identifier. Other clients do not share these counters,
 * so they cannot lock the owner out. `session` is for the password and emailed codes of a step-up: a stolen token has
 * one session, and a client that can create sessions needs no step-up. `factor` is per user, because the password is
 * enough to create any number of sessions that still need the factor. `factor-device` keeps a client with the password
 * from locking out the owner, and takes a factor to get.
 */
const ownerWindows = (kind: OwnerBucket['kind']): readonly Window[] => [
  { name: `${kind}-minute`, limit: 10, seconds: 60, maxSeconds: hour },
  { name: `${kind}-hour`, limit: 50, seconds: hour, maxSeconds: day },
];
const networkWindow: Window = { name: 'failures', limit: 100, seconds: 300, maxSeconds: 2400 };
/** The owner gets an email after this number of failed attempts per day. */
const dailyFailures: Window = { name: 'failed-day', limit: 5, seconds: day };

export interface RateLimits {
  /** @throws AuthError 429; 503 for refreshes, because clients discard their session on 429 */
  consume(
    limit: RateLimitName,
    client: { readonly ip: string; readonly userId: string | null },
  ): Promise<void>;
  /**
   * Counts a request in a window of the product.
   *
   * @throws AuthError 429
   */
  consumeWindow(window: Window, key: string): Promise<void>;
  /**
   * Counts several requests in a window of the product.
   *
   * @returns seconds until the window ends if its limit is exceeded, otherwise 0
   */
  countInWindow(window: Window, key: string, count: number): Promise<number>;
  /**
   * Runs one attempt at the credentials of a user, with any sign-in method. The attempt is counted before it is
   * evaluated, so that concurrent attempts cannot exceed the limit. The count is undone if the attempt succeeds, or
   * if it was not evaluated because of an error of the service.
   *
   * @throws AuthError 429 with Retry-After; any error of `work`
   */
  limitAttempts<Outcome>(
    attempt: Attempt,
    work: () => Promise<Outcome>,
    isSuccess: (outcome: Outcome) => boolean,
  ): Promise<Outcome>;
  /**
   * Counts an email to an address that the client chose, known or not. The cooldown doubles with each email, up to an
   * hour, and is reset after a day without one.
   *
   * @param key identifies the counter: a recipient, or a requesting user
   * @returns seconds until the email can be sent; 0 if it can be sent now
   */
  emailCooldownSeconds(key: string): Promise<number>;
}

export interface OwnerBucket {
  /**
   * A device that signed in with this identifier before, a session, the second factors of a user, or a device that
   * verified this factor before.
   */
  readonly kind: 'device' | 'session' | 'factor' | 'factor-device';
  readonly id: string;
}

type AttemptClient = Pick<ClientInfo, 'ip' | 'userAgent'>;

interface Attempt {
  /** Email address or phone number, normalized or as sent; known or not. */
  readonly identifier: string;
  readonly client: AttemptClient;
  /** Counts the attempt in this bucket instead of that of the identifier. */
  readonly owner?: OwnerBucket | null;
}

export interface LimitsOptions {
  readonly database: Database;
  readonly config: AuthSettings;
  readonly now: DatabaseClock['read'];
  /** Called at most once a day per identifier, known or not, with the client of the last attempt. */
  readonly onFailures: (identifier: string, client: AttemptClient) => Promise<void>;
  readonly log: Logger;
}

export function createRateLimits({ database, config, now, onFailures, log }: LimitsOptions): RateLimits {
  if (!config.RATE_LIMITS)
    return {
      consume: async () => {},
      consumeWindow: async () => {},
      countInWindow: async () => 0,
      limitAttempts: async (_attempt, work) => work(),
      emailCooldownSeconds: async () => 0,
    };

  const { hit, release, requireWithin } = createCounters(database, now);
  const recordFailure = async (identifier: string, client: AttemptClient): Promise<void> => {
    const { hits } = await hit(dailyFailures, hashKey(identifier));
    if (hits !== dailyFailures.limit) return;
    // An error of the notice changes neither the count nor the response.
    await onFailures(identifier, client).catch((error: unknown) => {
      log.error({ err: error }, 'failed-attempts notice not sent');
    });
  };

  return {
    async consume(limit, { ip, userId }) {
      const network = clientNetwork(ip);
      if (isPerUser(limit)) return requireWithin(limitsPerUser[limit], userId ?? network);
      return requireWithin(limitsPerIp[limit], network, limit === 'refresh' ? 503 : 429);
    },
    consumeWindow: requireWithin,
    countInWindow: async (window, key, count) => (await hit(window, key, count)).waitSeconds,
    async limitAttempts({ identifier, client, owner = null }, work, isSuccess) {
      const [attemptWindows, owningKey] = owner
        ? [ownerWindows(owner.kind), owner.id]
        : [identifierWindows, hashKey(identifier)];
      const windows: readonly [Window, string][] = [
        [networkWindow, clientNetwork(client.ip)],
        ...attemptWindows.map((window): [Window, string] => [window, owningKey]),
      ];
      const buckets: string[] = [];
      for (const [window, key] of windows) {
        const { waitSeconds } = await hit(window, key);
        if (waitSeconds > 0) {
          await release(buckets);
          throw rateLimitError(429, waitSeconds);
        }
        buckets.push(`${window.name}:${key}`);
      }
      let outcome;
      try {
        outcome = await work();
      } catch (error) {
        await (wasEvaluated(error) ? recordFailure(identifier, client) : release(buckets));
        throw error;
      }
      await (isSuccess(outcome) ? release(buckets) : recordFailure(identifier, client));
      return outcome;
    },
    async emailCooldownSeconds(key) {
      const seconds = config.RESEND_COOLDOWN;
      if (seconds === 0) return 0;
      const window = { name: 'email', limit: 1, seconds, maxSeconds: Math.max(seconds, hour) };
      return (await hit(window, hashKey(key))).waitSeconds;
    },
  };
}

interface Counters {
  /** @throws AuthError 429, or the given status */
  requireWithin(window: Window, key: string, status?: 429 | 503): Promise<void>;
  hit(window: Window, key: string, count?: number): Promise<Hit>;
  release(buckets: readonly string[]): Promise<void>;
}

function createCounters(database: Database, now: DatabaseClock['read']): Counters {
  /**
   * Counts a request. A bucket that was not used for a day after its end restarts with the shortest window. If the
   * clock was set back, a window ends at most its length from now.
   */
  const hit = async (
    { name, limit, seconds, maxSeconds = seconds }: Window,
    key: string,
    count = 1,
  ): Promise<Hit> => {
    const currentTime = await now(database);
    const [row] = await database.query<{ hits: number; ends_at: Date }>(sql`
      insert into auth.rate_limits as l (bucket, hits, seconds, ends_at)
      values (${`${name}:${key}`}, ${count}, ${seconds}, ${addSeconds(currentTime, seconds)})
      on conflict (bucket) do update set (hits, seconds, ends_at) = (
        select case when present.runs then l.hits + excluded.hits else excluded.hits end,
          case when present.runs then present.seconds else next.seconds end,
          case when present.runs
            then least(l.ends_at, ${currentTime}::timestamptz + make_interval(secs => present.seconds))
            else ${currentTime}::timestamptz + make_interval(secs => next.seconds) end
        from (select greatest(l.seconds, excluded.seconds) as seconds, l.ends_at > ${currentTime} as runs) as present,
          lateral (select case
            when l.ends_at <= ${addSeconds(currentTime, -day)} then excluded.seconds
            when l.hits >= ${limit} then least(present.seconds * 2, ${maxSeconds}::integer)
            else present.seconds
          end as seconds) as next)
      returning hits, ends_at`);
    if (!row) throw new Error('The rate limit statement returned no row');
    const waitSeconds = Math.max(1, Math.ceil((row.ends_at.getTime() - currentTime.getTime()) / 1000));
    return { hits: row.hits, waitSeconds: row.hits <= limit ? 0 : waitSeconds };
  };
  const release = async (buckets: readonly string[]): Promise<void> => {
    await database.query(
      sql`update auth.rate_limits set hits = greatest(hits - 1, 0) where bucket = any (${buckets})`,
    );
  };
  return {
    hit,
    release,
    requireWithin: async (window, key, status = 429) => {
      const { waitSeconds } = await hit(window, key);
      if (waitSeconds > 0) throw rateLimitError(status, waitSeconds);
    },
  };
}

interface Hit {
  readonly hits: number;
  /** Seconds until the window ends if its limit is exceeded, otherwise 0. */
  readonly waitSeconds: number;
}

const hashKey = (identifier: string): string => createHash('sha256').update(identifier).digest('base64url');

/**
 * Returns true if the credentials were evaluated and rejected, false for an error of the service. An aborted hash job
 * counts as evaluated; otherwise an attacker could start any number of jobs.
 */
const wasEvaluated = (error: unknown): boolean =>
  error instanceof HashAbortedError || (error instanceof AuthError && error.status < 500);

function rateLimitError(status: 429 | 503, waitSeconds: number): AuthError {
  return new AuthError(status, 'over_request_rate_limit', 'Request rate limit reached', {
    headers: { 'Retry-After': String(waitSeconds) },
  });
}
