/**
 * Entry point of a hashing process. It runs one job at a time over IPC, in order. The parent gives it the lowest
 * priority, so that many sign-ins do not slow down other requests.
 */
import { hashSync, verifySync } from '@node-rs/argon2';
import bcrypt from 'bcryptjs';
import type { HashResult, HashJob, HashMessage } from './hash-job.ts';
import { classifyHash } from './imported-hash.ts';

/**
 * OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. `algorithm: 2` is argon2id, a const enum of the package.
 */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const currentPrefix = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Verified if there is no hash, so that the work is the same. */
const dummyHash = hashSync('no such password', parameters);

function runJob(job: HashJob): HashResult {
  if (job.kind === 'hash') return { hash: hashSync(job.password, parameters) };
  const { hash } = job;
  const kind = hash === null ? 'unknown' : classifyHash(hash);
  // An unknown user, an invalid hash and one above the bounds match no password.
  if (hash === null || kind === 'unknown' || kind === 'too costly') {
    verifySync(dummyHash, job.password);
    return { ok: false, needsRehash: false };
  }
  const ok = kind === 'bcrypt' ? bcrypt.compareSync(job.password, hash) : verifySync(hash, job.password);
  return { ok, needsRehash: ok && !hash.startsWith(currentPrefix) };
}

// Ignores the error of a parent that has exited; without a callback it would be thrown.
const send = (message: HashMessage): void =>
  void process.send?.(message, undefined, undefined, () => undefined);

process.on('message', (job: HashJob) => {
  let result: HashResult;
  try {
    result = runJob(job);
  } catch (error) {
    // An invalid hash matches no password.
    result = { failure: error instanceof Error ? error.message : String(error) };
  }
  send(result);
});
send('ready');

// The parent has exited.
process.on('disconnect', () => process.exit(0));
