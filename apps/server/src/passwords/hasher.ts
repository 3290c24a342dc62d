/** Password hashing outside of the service's process, with a bounded queue. */
import os from 'node:os';
import type { Logger } from 'pino';
import type { HashResult, HashJob } from './hash-job.ts';
import { HashPool } from './hash-pool.ts';

export interface PasswordHasher {
  /** Starts a process, so that the first password does not wait for it. */
  prepare(): void;
  /** argon2id, 19 MiB, 2 passes. @throws ApiError 503 when too many wait, or when it takes too long. */
  hash(password: string): Promise<string>;
  /**
   * `null` stands for "nobody": the same work, never ok. Hashes of other systems are accepted within
   * the bounds of `stored-hash.ts`.
   * @param client the network of somebody who may be anybody; clients wait in lines of their own
   * @throws ApiError 503 when too many wait, or when it takes too long; `HashAbortedError` when it had begun
   */
  verify(
    password: string,
    hash: string | null,
    client?: string,
  ): Promise<{ ok: boolean; needsRehash: boolean }>;
  /** Jobs that wait for a process. */
  waiting(): number;
  close(): void;
}

export interface HasherOptions {
  readonly log: Logger;
  /** Told of every finished job: seconds from asking to answer, the wait included. */
  readonly onAnswer?: (seconds: number) => void;
  /** Hashing processes; each uses one core and 19 MiB. */
  readonly processes?: number;
  /** Longest wait for a turn, and longest time of one job, in milliseconds: together a request's time. */
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
      throw new Error('failure' in answer ? answer.failure : 'The hashing process gave no hash');
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
