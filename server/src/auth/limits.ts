/**
 * Rate limits as fixed windows counted in the database, so that several copies of the service share
 * them and a restart forgets nothing. A database that does not answer stops the request, so no limit
 * ever fails open.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { Refusal } from '../errors.ts';
import { BegunHash } from '../passwords/hash-pool.ts';

interface Window {
  readonly name: string;
  /** Calls per window. */
  readonly limit: number;
  /** Length of the window in seconds. */
  readonly seconds: number;
}

/** Per network address, as in the contract's section 9. */
const perAddress = {
  verify: { name: 'verify', limit: 30, seconds: 300 },
  token: { name: 'token', limit: 150, seconds: 300 },
  refresh: { name: 'refresh', limit: 1800, seconds: 300 },
  otp: { name: 'otp', limit: 30, seconds: 300 },
  magiclink: { name: 'magiclink', limit: 30, seconds: 300 },
  recover: { name: 'recover', limit: 30, seconds: 300 },
  resend: { name: 'resend', limit: 30, seconds: 300 },
  signup: { name: 'signup', limit: 30, seconds: 300 },
  user: { name: 'user', limit: 30, seconds: 300 },
  passkeys: { name: 'passkeys', limit: 30, seconds: 300 },
  disabled: { name: 'disabled', limit: 30, seconds: 300 },
  factors: { name: 'factors', limit: 15, seconds: 60 },
} as const satisfies Record<string, Window>;

export type AddressLimit = keyof typeof perAddress;

/** Failures only, of whoever makes them: somebody who guesses can use them up, and mailed links stay open. */
const perAccount: readonly Window[] = [
  { name: 'account-minute', limit: 10, seconds: 60 },
  { name: 'account-hour', limit: 100, seconds: 3600 },
];
const failuresPerAddress: Window = { name: 'failures', limit: 100, seconds: 300 };

export interface Limits {
  /** @throws Refusal 429, or 503 for refreshes (clients throw their session away on 429). */
  count(limit: AddressLimit, address: string): Promise<void>;
  /**
   * One try of a secret of an account, by whatever way. Counted before it is evaluated, so that
   * parallel tries cannot slip through, and given back when it was right, or when nobody
   * began to evaluate it because the service could not.
   * @param account e-mail or phone as typed in, in its normal form; known or not
   * @throws Refusal 429 with Retry-After; whatever `work` throws
   */
  attempt<Outcome>(
    account: string,
    address: string,
    work: () => Promise<Outcome>,
    isRight: (outcome: Outcome) => boolean,
  ): Promise<Outcome>;
}

export function createLimits(database: Database, config: Config, now: () => Date): Limits {
  if (!config.RATE_LIMITS)
    return { count: async () => {}, attempt: async (_account, _address, work) => work() };

  /** Adds a hit; the seconds until the window ends when it is over its limit, else 0. */
  const hit = async ({ name, limit, seconds }: Window, who: string): Promise<number> => {
    const time = now();
    const ends = new Date(time.getTime() + seconds * 1000);
    const [row] = await database.query<{ hits: number; ends_at: Date }>(sql`
      insert into auth.rate_limits as l (bucket, hits, ends_at) values (${`${name}:${who}`}, 1, ${ends})
      on conflict (bucket) do update set
        hits = case when l.ends_at <= ${time} or l.ends_at > ${ends} then 1 else l.hits + 1 end,
        ends_at = case when l.ends_at <= ${time} or l.ends_at > ${ends} then excluded.ends_at else l.ends_at end
      returning hits, ends_at`);
    if (!row || row.hits <= limit) return 0;
    return Math.max(1, Math.ceil((row.ends_at.getTime() - time.getTime()) / 1000));
  };
  const giveBack = async (buckets: readonly string[]): Promise<void> => {
    await database.query(
      sql`update auth.rate_limits set hits = greatest(hits - 1, 0) where bucket = any (${buckets})`,
    );
  };

  return {
    async count(limit, address) {
      const wait = await hit(perAddress[limit], networkOf(address));
      if (wait > 0) throw tooMany(limit === 'refresh' ? 503 : 429, wait);
    },
    async attempt(account, address, work, isRight) {
      const who = createHash('sha256').update(account).digest('base64url');
      const windows: readonly [Window, string][] = [
        [failuresPerAddress, networkOf(address)],
        ...perAccount.map((window): [Window, string] => [window, who]),
      ];
      const counted: string[] = [];
      for (const [window, key] of windows) {
        const wait = await hit(window, key);
        if (wait > 0) {
          await giveBack(counted);
          throw tooMany(429, wait);
        }
        counted.push(`${window.name}:${key}`);
      }
      try {
        const outcome = await work();
        if (isRight(outcome)) await giveBack(counted);
        return outcome;
      } catch (error) {
        if (!isAnswer(error)) await giveBack(counted);
        throw error;
      }
    },
  };
}

/**
 * Whether the secret was looked at and refused, other than by a service that is too busy or broken. A hash
 * that was begun and ended for its length counts too, or it could be had begun without end.
 */
const isAnswer = (error: unknown): boolean =>
  error instanceof BegunHash || (error instanceof Refusal && error.status < 500);

function tooMany(status: 429 | 503, wait: number): Refusal {
  return new Refusal(status, 'over_request_rate_limit', 'Request rate limit reached', {
    headers: { 'Retry-After': String(wait) },
  });
}

/** What one subscriber holds: an IPv4 address, or a /64 of IPv6, in one spelling. */
export function networkOf(address: string): string {
  const plain = address
    .trim()
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(plain)) return plain;
  const canonical = new URL(`http://[${plain.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped) {
    const bytes = Buffer.from(
      [mapped[1], mapped[2]].map((group = '') => group.padStart(4, '0')).join(''),
      'hex',
    );
    return [...bytes].join('.');
  }
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
