/** Password hashing outside of the service's process, with a bounded queue. */
import { fork, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import type { Logger } from 'pino';
import { Refusal } from '../errors.ts';
import { builtEntry } from '../paths.ts';
import type { HashAnswer, HashJob } from './hash-job.ts';

export interface PasswordHasher {
  /** argon2id, 19 MiB, 2 passes. @throws Refusal 503 when too many wait. */
  hash(password: string): Promise<string>;
  /**
   * `null` stands for "nobody": the same work, never ok. bcrypt hashes are accepted.
   * @throws Refusal 503 when too many wait.
   */
  verify(password: string, hash: string | null): Promise<{ ok: boolean; needsRehash: boolean }>;
  close(): void;
}

const defaultProcesses = (): number => Math.min(2, Math.max(1, os.availableParallelism() - 1));

interface Waiting {
  readonly job: HashJob;
  readonly resolve: (answer: HashAnswer) => void;
  readonly reject: (error: Error) => void;
  /** Processes that ended while they worked on it. */
  deaths: number;
}

interface Worker {
  readonly child: ChildProcess;
  current: Waiting | null;
}

/** At 30 to 50 ms per job the last in line waits about as long as a request may take. */
const queueLimit = 200;

export interface HasherParts {
  readonly log: Logger;
  /** Hashing processes; each uses one core and 19 MiB. */
  readonly processes?: number;
}

export function createHasher({ log, processes = defaultProcesses() }: HasherParts): PasswordHasher {
  const queue: Waiting[] = [];
  const workers = new Set<Worker>();
  let closed = false;

  const start = (): void => {
    const worker: Worker = { child: fork(builtEntry('hash-worker'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }), current: null };
    workers.add(worker);
    lowerPriority(worker.child);
    worker.child.on('message', (answer: HashAnswer) => {
      worker.current?.resolve(answer);
      worker.current = null;
      feed();
    });
    const ended = (): void => {
      if (!workers.delete(worker) || closed) return;
      log.warn({ pid: worker.child.pid }, 'a hashing process ended and is replaced');
      retry(worker.current);
      feed();
    };
    worker.child.on('exit', ended).on('error', ended);
  };

  /** A job that ended a process is tried once more, then refused. */
  const retry = (waiting: Waiting | null): void => {
    if (!waiting) return;
    waiting.deaths += 1;
    if (waiting.deaths > 1 || closed) waiting.reject(new Error('The hashing process ended'));
    else queue.unshift(waiting);
  };

  const feed = (): void => {
    while (!closed && workers.size < processes && queue.length > 0) {
      const idle = [...workers].some((worker) => worker.current === null);
      if (idle) break;
      start();
    }
    for (const worker of workers) {
      if (worker.current || !worker.child.connected) continue;
      const next = queue.shift();
      if (!next) return;
      worker.current = next;
      worker.child.send(next.job);
    }
  };

  const run = (job: HashJob): Promise<HashAnswer> =>
    new Promise((resolve, reject) => {
      if (closed || queue.length >= queueLimit) {
        reject(
          new Refusal(503, 'over_request_rate_limit', 'Too many people sign in at this moment, please retry shortly', {
            headers: { 'Retry-After': '5' },
          }),
        );
        return;
      }
      queue.push({ job, resolve, reject, deaths: 0 });
      feed();
    });

  return {
    async hash(password) {
      const answer = await run({ kind: 'hash', password });
      if ('hash' in answer) return answer.hash;
      throw new Error('failure' in answer ? answer.failure : 'The hashing process gave no hash');
    },
    async verify(password, hash) {
      const answer = await run({ kind: 'verify', password, hash });
      return 'ok' in answer ? answer : { ok: false, needsRehash: false };
    },
    close() {
      closed = true;
      for (const { child, current } of workers) {
        child.disconnect();
        current?.reject(new Error('The service stops'));
      }
      for (const waiting of queue.splice(0)) waiting.reject(new Error('The service stops'));
    },
  };
}

function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed everywhere; hashing then competes like everything else.
  }
}
