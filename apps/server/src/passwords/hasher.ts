/** Password hashing in separate processes, with a bounded queue. */
import os from 'node:os';
import type { Logger } from 'pino';
import type { HashResult, HashJob } from './hash-job.ts';
import { HashPool } from './hash-pool.ts';

export interface PasswordHasher {
  /** Starts a process, so that the first password does not wait for it. */
  prepare(): void;
  /** argon2id, 19 MiB, 2 passes. @throws ApiError 503 if the queue is full or the job times out */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password. Accepts imported hashes within the bounds of `imported-hash.ts`.
   *
   * @param hash null for an unknown user: the same work, never `ok`
   * @param client network of a client that is not authenticated; each one has its own queue
   * @throws ApiError 503 if the queue is full or the job times out; `HashAbortedError` if it had started
   */
  verify(
    password: string,
    hash: string | null,
    client?: string,
  ): Promise<{ ok: boolean; needsRehash: boolean }>;
  /** Returns the number of queued jobs. */
  waiting(): number;
  close(): void;
}

export interface HasherOptions {
  readonly log: Logger;
  /** Called after every job with its duration in seconds, including the time in the queue. */
  readonly onAnswer?: (seconds: number) => void;
  /** Number of hashing processes; each uses one core and 19 MiB. */
  readonly processes?: number;
  /** Maximum time in the queue, and maximum time of a job, in milliseconds; the sum is the maximum of a request. */
  readonly waitLimit: number;
}

export function createHasher({
  log,
  onAnswer = () => {},
  processes = defaultProcesses(),
  waitLimit,
}: HasherOptions): PasswordHasher {
  const pool = new HashPool(log, processes, waitLimit);
  const run = async (job: HashJob, client = ''): Promise<HashResult> => {
    const asked = performance.now();
    const answer = await pool.run(job, client);
    onAnswer((performance.now() - asked) / 1000);
    return answer;
  };
  return {
    prepare: () => pool.warmUp(),
    async hash(password) {
      const answer = await run({ kind: 'hash', password });
      if ('hash' in answer) return answer.hash;
      throw new Error('failure' in answer ? answer.failure : 'The hashing process returned no hash');
    },
    async verify(password, hash, client) {
      const answer = await run({ kind: 'verify', password, hash }, client);
      return 'ok' in answer ? answer : { ok: false, needsRehash: false };
    },
    waiting: () => pool.waiting,
    close: () => pool.close(),
  };
}

const defaultProcesses = (): number => Math.min(2, Math.max(1, os.availableParallelism() - 1));
