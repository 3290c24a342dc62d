/**
 * Entry of the hashing process. It takes one job at a time over IPC and answers in order; the parent
 * gives it the lowest priority, so that a storm of sign-ins does not slow down anything else.
 */
import { hashSync, verifySync } from '@node-rs/argon2';
import bcrypt from 'bcryptjs';
import type { HashResult, HashJob, HashMessage } from './hash-job.ts';
import { classifyHash } from './imported-hash.ts';

/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. */
// 2 is argon2id; the package declares its names in a way that this build cannot read.
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const currentPrefix = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Compared when there is no hash, so that the work is the same. */
const dummy = hashSync('no such password', parameters);

function work(job: HashJob): HashResult {
  if (job.kind === 'hash') return { hash: hashSync(job.password, parameters) };
  const { hash } = job;
  const kind = hash === null ? 'unknown' : classifyHash(hash);
  // Nobody, and texts that are no hash or one from before the bounds, match nothing.
  if (hash === null || kind === 'unknown' || kind === 'too costly') {
    verifySync(dummy, job.password);
    return { ok: false, needsRehash: false };
  }
  const ok = kind === 'bcrypt' ? bcrypt.compareSync(job.password, hash) : verifySync(hash, job.password);
  return { ok, needsRehash: ok && !hash.startsWith(currentPrefix) };
}

// A parent that ended meanwhile is heard of below; without a callback the failure would be thrown.
const tell = (message: HashMessage): void =>
  void process.send?.(message, undefined, undefined, () => undefined);

process.on('message', (job: HashJob) => {
  let answer: HashResult;
  try {
    answer = work(job);
  } catch (error) {
    // A stored text that only looks like a hash matches nothing.
    answer = { failure: error instanceof Error ? error.message : String(error) };
  }
  tell(answer);
});
tell('ready');

// The parent is gone: nothing left to do.
process.on('disconnect', () => process.exit(0));
