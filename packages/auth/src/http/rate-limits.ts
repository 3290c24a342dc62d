/** Limits requests per session, user and network. Fails closed: without the database, the request fails. */
import type { Database } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { ClientInfo } from '../client-info.ts';
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import { createAttemptLimits, type AttemptLimitsOptions, type LimitAttempts } from './attempt-limits.ts';
import { toClientNetwork } from '../client-network.ts';
import { createCounters, hashKey, rateLimitError, type Window } from './rate-limit-counters.ts';

const hour = 3600;

/** Windows of endpoints that send email to an address of the client's choice. */
const emailWindow = (name: string): Window => ({ name, limit: 30, seconds: 300, maxSeconds: hour });

/** Limits per IP address, of requests without a session. */
const limitsPerIp = {
  verify: { name: 'verify', limit: 30, seconds: 300 },
  token: { name: 'token', limit: 150, seconds: 300 },
  refresh: { name: 'refresh', limit: 1800, seconds: 300 },
  otp: emailWindow('otp'),
  recover: emailWindow('recover'),
  resend: emailWindow('resend'),
  signup: emailWindow('signup'),
  passkeys: { name: 'passkeys', limit: 30, seconds: 300 },
} as const satisfies Record<string, Window>;

/**
 * Limits per session, of signed-in users. Users behind one IP address do not share them, and a stolen token cannot use up
 * those of another session of its user. They do not limit guesses; `limitAttempts` does.
 */
const limitsPerSession = {
  /** Not per user: a client with the password alone could use up the limit of an owner with a second factor. */
  user: { name: 'user', limit: 30, seconds: 300 },
  /** Changes of password, email and phone, counted after their step-up. */
  credentials: { name: 'credentials', limit: 30, seconds: 300 },
  /** Passwords, codes and factors that are sent for a step-up, right or wrong. */
  stepUp: { name: 'step-up', limit: 30, seconds: 300 },
  factors: { name: 'factors', limit: 15, seconds: 60 },
  /** Emailed codes; each user has a cooldown as well. */
  reauthentication: { name: 'reauthentication', limit: 30, seconds: 300 },
  /** Ended sessions other than the one of the request. */
  sessions: { name: 'sessions', limit: 60, seconds: 300 },
  /** Ends the session of the request, so the owner of a stolen token can always do it. */
  logout: { name: 'logout', limit: 60, seconds: 300 },
} as const satisfies Record<string, Window>;

/**
 * Limits of changes that no credential limits. Each writes rows, audit log entries or emails. They apply to the session,
 * and with `sessionsPerUser` times the number to the user, who can sign in any number of times.
 */
const limitsPerUser = {
  methods: { name: 'methods', limit: 60, seconds: 300 },
  /** Flows at a provider, of up to 8 kB. */
  linking: { name: 'linking', limit: 20, seconds: 300 },
} as const satisfies Record<string, Window>;
const sessionsPerUser = 3;

/** Calls of a session that a check rejected. Accepted calls do not share the limit. */
const rejectedWindow: Window = { name: 'rejected', limit: 60, seconds: 300 };

const has = <Limits extends object>(limits: Limits, name: PropertyKey): name is keyof Limits =>
  Object.hasOwn(limits, name);

export type RateLimitName =
  | keyof typeof limitsPerIp
  | keyof typeof limitsPerSession
  | keyof typeof limitsPerUser;

/** The client of a request. Without a session, the user counts as one; without a user, the network. */
export interface LimitedClient {
  readonly ip: string;
  readonly userId: string | null;
  readonly sessionId: string | null;
}

export interface RateLimits {
  /** @throws AuthError 429; 503 for refreshes, because clients discard their session on 429 */
  consume(limit: RateLimitName, client: LimitedClient): Promise<void>;
  /**
   * Counts a request of a signed-in user in a window of the product, per session and per user.
   *
   * @throws AuthError 429
   */
  consumeWindow(window: Window, client: LimitedClient): Promise<void>;
  /**
   * Counts several requests in a window of the product.
   *
   * @returns seconds until the window ends if its limit is exceeded, otherwise 0
   */
  countInWindow(window: Window, key: string, count: number): Promise<number>;
  /**
   * Runs the checks of a call of a signed-in user, and counts the call if they reject it.
   *
   * @throws AuthError of `check`; 429 after too many rejected calls
   */
  limitRejections<Result>(client: LimitedClient, check: () => Promise<Result>): Promise<Result>;
  readonly limitAttempts: LimitAttempts;
  /**
   * Counts an email to an address that the client chose, known or not. The cooldown doubles with each email, up to an
   * hour, and is reset after a day without one.
   *
   * @param key identifies the counter: a recipient, or a requesting user
   * @returns seconds until the email can be sent; 0 if it can be sent now
   */
  emailCooldownSeconds(key: string): Promise<number>;
}

export interface LimitsOptions extends AttemptLimitsOptions {
  readonly database: Database;
  readonly config: AuthSettings;
  readonly clock: Pick<DatabaseClock, 'fixed'>;
}

export function createRateLimits({ database, config, clock, onFailures, log }: LimitsOptions): RateLimits {
  if (!config.RATE_LIMITS)
    return {
      consume: async () => {},
      consumeWindow: async () => {},
      countInWindow: async () => 0,
      limitRejections: async (_client, check) => check(),
      limitAttempts: async (_attempt, work) => work(),
      emailCooldownSeconds: async () => 0,
    };

  const counters = createCounters(database, clock);
  const { hit } = counters;
  const requireWithin = async (window: Window, key: string, status: 429 | 503 = 429): Promise<void> => {
    const { waitSeconds } = await hit(window, key);
    if (waitSeconds > 0) throw rateLimitError(status, waitSeconds);
  };
  const consumeWindow: RateLimits['consumeWindow'] = async (window, client) => {
    await requireWithin(window, sessionKey(client));
    const perUser = { ...window, name: `${window.name}-user`, limit: window.limit * sessionsPerUser };
    if (client.userId !== null) await requireWithin(perUser, client.userId);
  };
  return {
    async consume(limit, client) {
      if (has(limitsPerUser, limit)) return consumeWindow(limitsPerUser[limit], client);
      if (has(limitsPerSession, limit)) return requireWithin(limitsPerSession[limit], sessionKey(client));
      return requireWithin(limitsPerIp[limit], toClientNetwork(client.ip), limit === 'refresh' ? 503 : 429);
    },
    consumeWindow,
    countInWindow: async (window, key, count) => (await hit(window, key, count)).waitSeconds,
    async limitRejections(client, check) {
      try {
        return await check();
      } catch (error) {
        if (error instanceof AuthError) await requireWithin(rejectedWindow, sessionKey(client));
        throw error;
      }
    },
    limitAttempts: createAttemptLimits(counters, { onFailures, log }),
    async emailCooldownSeconds(key) {
      const seconds = config.RESEND_COOLDOWN;
      if (seconds === 0) return 0;
      const window = { name: 'email', limit: 1, seconds, maxSeconds: Math.max(seconds, hour) };
      return (await hit(window, hashKey(key))).waitSeconds;
    },
  };
}

interface HasUser {
  readonly user: { readonly id: string };
  readonly session: { readonly id: string } | null;
}

/** @param signedIn null without a user */
export const limitedClient = ({ ip }: Pick<ClientInfo, 'ip'>, signedIn: HasUser | null): LimitedClient => ({
  ip,
  userId: signedIn?.user.id ?? null,
  sessionId: signedIn?.session?.id ?? null,
});

const sessionKey = ({ ip, userId, sessionId }: LimitedClient): string =>
  sessionId ?? userId ?? toClientNetwork(ip);
