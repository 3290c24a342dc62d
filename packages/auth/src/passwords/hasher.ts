/** Hashes and verifies passwords: normalizes them, and does the same work for unknown users. */
import os from 'node:os';
import { isPasswordTooLong, normalizePassword } from '@lanternrock/contract/credentials';
import type { Logger } from 'pino';
import type { HashResult, HashJob } from './hash-job.ts';
import { HashPool } from './hash-pool.ts';

export interface PasswordHasher {
  /** Starts a process, so that the first password does not wait for it. */
  prepare(): void;
  /**
   * Normalizes a password and hashes it with argon2id, 19 MiB, 2 passes.
   *
   * @param client as for `verify`
   * @throws AuthError 503 if the queue is full or the job times out
   */
  hash(password: string, client: string): Promise<string>;
  /**
   * Verifies a password, normalized first. If normalization changes it, also as it was sent, because hashes from before
   * normalization and imported ones can be of any form; the hash of such a password needs a rehash. The number of hash
   * jobs depends on the password, and on whether the normalized form matches. Accepts imported hashes within the bounds of
   * `imported-hash.ts`.
   *
   * @param hash null for an unknown user: the same work, never `ok`
   * @param client network of a client that is not authenticated, or ID of the user; each one has its own queue. '' for
   *   the service role, which has no limit
   * @throws AuthError 503 if the queue is full or the job times out; `HashAbortedError` if it had started
   */
  verify(
    password: string,
    hash: string | null,
    client: string,
  ): Promise<{ ok: boolean; needsRehash: boolean }>;
  /** Returns the number of queued jobs. */
  waiting(): number;
  close(): void;
}

export interface HasherOptions {
  /** The bundle of `hash-worker.ts`. */
  readonly workerFile: string;
  readonly log: Logger;
  /** Called after every job with its duration in seconds, including the time in the queue. */
  readonly onResult?: (seconds: number) => void;
  /** Number of hashing processes; each uses one core and 19 MiB. */
  readonly processes?: number;
  /** Maximum time in the queue, and maximum time of a job, in milliseconds; the sum is the maximum of a request. */
  readonly timeoutMs: number;
}

export function createHasher({
  workerFile,
  log,
  onResult = () => {},
  processes = defaultProcesses(),
  timeoutMs,
}: HasherOptions): PasswordHasher {
  const pool = new HashPool(workerFile, log, processes, timeoutMs);
  const run = async (job: HashJob, client: string): Promise<HashResult> => {
    const startedAt = performance.now();
    const result = await pool.run(job, client);
    onResult((performance.now() - startedAt) / 1000);
    return result;
  };
  return {
    prepare: () => pool.warmUp(),
    async hash(password, client) {
      const result = await run({ kind: 'hash', password: normalizePassword(password) }, client);
      if ('hash' in result) return result.hash;
      throw new Error('failure' in result ? result.failure : 'The hashing process returned no hash');
    },
    async verify(password, hash, client) {
      const normalized = normalizePassword(password);
      const verifyForm = async (form: string): Promise<{ ok: boolean; needsRehash: boolean }> => {
        // bcrypt ignores further bytes, so a long form could match the hash of another password.
        const result = await run(
          { kind: 'verify', password: form, hash: isPasswordTooLong(form) ? null : hash },
          client,
        );
        return 'ok' in result ? result : { ok: false, needsRehash: false };
      };
      const result = await verifyForm(normalized);
      if (result.ok || normalized === password) return result;
      const { ok } = await verifyForm(password);
      // A normalized form that is too long cannot be stored.
      return { ok, needsRehash: ok && !isPasswordTooLong(normalized) };
    },
    waiting: () => pool.waiting,
    close: () => pool.close(),
  };
}

const defaultProcesses = (): number => Math.min(2, Math.max(1, os.availableParallelism() - 1));
