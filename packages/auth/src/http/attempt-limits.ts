/** Limits failed attempts at passwords, codes and factors. */
import type { Logger } from 'pino';
import type { ClientInfo } from '../client-info.ts';
import { AuthError } from '../auth-error.ts';
import type { AttemptPurpose } from '../ports.ts';
import { HashAbortedError } from '../passwords/hash-pool.ts';
import { toClientNetwork } from '../client-network.ts';
import { hashKey, rateLimitError, type Counters, type Window } from './rate-limit-counters.ts';

const hour = 3600;
const day = 86_400;

/**
 * Failed attempts per identifier, across all clients without a device token or a session. An attacker can exhaust this
 * limit, so email links, known devices and active sessions do not count against it.
 */
const identifierWindows: readonly Window[] = [
  { name: 'identifier-minute', limit: 10, seconds: 60, maxSeconds: hour },
  { name: 'identifier-hour', limit: 100, seconds: hour, maxSeconds: day },
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
/**
 * The same for attempts in an owner bucket. Clients without credentials cannot exhaust it, and a user needs 30 sessions in
 * each window to exhaust it for the other users of the network.
 */
const ownerNetworkWindow: Window = { name: 'owner-failures', limit: 300, seconds: 300 };
/**
 * The owner gets an email after this number of failed attempts per day. Each purpose has its own count, because it means
 * something else to the owner: wrong passwords must not use up the email about a password that was correct.
 */
const dailyFailures = (purpose: AttemptPurpose): Window => ({
  name: purpose === 'sign_in' ? 'failed-day' : `failed-day-${purpose}`,
  limit: 5,
  seconds: day,
});

export interface OwnerBucket {
  /**
   * A device that signed in with this identifier before, a session, the second factors of a user, a device that
   * verified this factor before, or the recovery codes of a user.
   */
  readonly kind: 'device' | 'session' | 'factor' | 'factor-device' | 'recovery-codes';
  readonly id: string;
}

type AttemptClient = Pick<ClientInfo, 'ip' | 'userAgent'>;

interface Attempt {
  /** Email address or phone number, normalized or as sent; known or not. */
  readonly identifier: string;
  readonly client: AttemptClient;
  /** Counts the attempt in this bucket instead of that of the identifier. */
  readonly owner?: OwnerBucket | null;
  /** `sign_in` without it. */
  readonly purpose?: AttemptPurpose;
}

/**
 * Runs one attempt at the credentials of a user, with any sign-in method. The attempt is counted before it is
 * evaluated, so that concurrent attempts cannot exceed the limit. The count is undone if the attempt succeeds, or
 * if it was not evaluated because of an error of the service.
 *
 * @throws AuthError 429 with Retry-After; any error of `work`
 */
export type LimitAttempts = <Outcome>(
  attempt: Attempt,
  work: () => Promise<Outcome>,
  isSuccess: (outcome: Outcome) => boolean,
) => Promise<Outcome>;

export interface AttemptLimitsOptions {
  /** Called at most once a day per identifier, known or not, and purpose, with the client of the last attempt. */
  readonly onFailures: (identifier: string, client: AttemptClient, purpose: AttemptPurpose) => Promise<void>;
  readonly log: Logger;
}

export function createAttemptLimits(
  { hit, release }: Counters,
  { onFailures, log }: AttemptLimitsOptions,
): LimitAttempts {
  const recordFailure = async ({ identifier, client, purpose = 'sign_in' }: Attempt): Promise<void> => {
    const window = dailyFailures(purpose);
    const { hits } = await hit(window, hashKey(identifier));
    if (hits !== window.limit) return;
    // An error of the notice changes neither the count nor the response.
    await onFailures(identifier, client, purpose).catch((error: unknown) => {
      log.error({ err: error }, 'failed-attempts notice not sent');
    });
  };
  return async (attempt, work, isSuccess) => {
    const { identifier, client, owner = null } = attempt;
    const [attemptWindows, owningKey] = owner
      ? [ownerWindows(owner.kind), owner.id]
      : [identifierWindows, hashKey(identifier)];
    const windows: readonly [Window, string][] = [
      [owner ? ownerNetworkWindow : networkWindow, toClientNetwork(client.ip)],
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
      await (wasEvaluated(error) ? recordFailure(attempt) : release(buckets));
      throw error;
    }
    await (isSuccess(outcome) ? release(buckets) : recordFailure(attempt));
    return outcome;
  };
}

/**
 * Returns true if the credentials were evaluated and rejected, false for an error of the service. An aborted hash job
 * counts as evaluated; otherwise an attacker could start any number of jobs.
 */
const wasEvaluated = (error: unknown): boolean =>
  error instanceof HashAbortedError || (error instanceof AuthError && error.status < 500);
