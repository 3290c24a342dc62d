/** Password hashing outside of the service's process, with a bounded queue. */
import { fork, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import type { Logger } from 'pino';
import { Refusal } from '../errors.ts';
import { builtEntry } from '../paths.ts';
import type { HashAnswer, HashJob } from './hash-job.ts';

export interface PasswordHasher {
  /** argon2id, 19 MiB, 2 passes. @throws Refusal 503 when too many wait, or when the wait gets too long. */
  hash(password: string): Promise<string>;
  /**
   * `null` stands for "nobody": the same work, never ok. bcrypt hashes are accepted.
   * @throws Refusal 503 when too many wait, or when the wait gets too long.
   */
  verify(password: string, hash: string | null): Promise<{ ok: boolean; needsRehash: boolean }>;
  /** Jobs that wait for a process. */
  waiting(): number;
  close(): void;
}

export interface HasherParts {
  readonly log: Logger;
  /** Told of every finished job: seconds from asking to answer, the wait included. */
  readonly onAnswer?: (seconds: number) => void;
  /** Hashing processes; each uses one core and 19 MiB. */
  readonly processes?: number;
  /** Longest wait for an answer, in milliseconds: shorter than a request may take. */
  readonly waitLimit: number;
}

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

const tooBusy = (): Refusal =>
  new Refusal(
    503,
    'over_request_rate_limit',
    'Too many people sign in at this moment, please retry shortly',
    {
      headers: { 'Retry-After': '5' },
    },
  );

export function createHasher({
  log,
  onAnswer = () => {},
  processes = defaultProcesses(),
  waitLimit,
}: HasherParts): PasswordHasher {
  const pool = new HashPool(log, processes, waitLimit);
  const run = async (job: HashJob): Promise<HashAnswer> => {
    const asked = performance.now();
    const answer = await pool.run(job);
    onAnswer((performance.now() - asked) / 1000);
    return answer;
  };
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
    waiting: () => pool.waiting,
    close: () => pool.close(),
  };
}

const defaultProcesses = (): number => Math.min(2, Math.max(1, os.availableParallelism() - 1));

/** Starts processes when there is work, gives each one job at a time, replaces those that end. */
class HashPool {
  readonly #log: Logger;
  readonly #size: number;
  readonly #waitLimit: number;
  readonly #queue: Waiting[] = [];
  readonly #workers = new Set<Worker>();
  #closed = false;

  constructor(log: Logger, size: number, waitLimit: number) {
    this.#log = log;
    this.#size = size;
    this.#waitLimit = waitLimit;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  run(job: HashJob): Promise<HashAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#queue.length >= queueLimit) {
        reject(tooBusy());
        return;
      }
      const timer = setTimeout(() => this.#giveUp(waiting), this.#waitLimit);
      const waiting: Waiting = {
        job,
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
        deaths: 0,
      };
      this.#queue.push(waiting);
      this.#feed();
    });
  }

  /** A machine that has no time for hashing says so while the client still listens. */
  #giveUp(waiting: Waiting): void {
    const index = this.#queue.indexOf(waiting);
    if (index >= 0) this.#queue.splice(index, 1);
    waiting.reject(tooBusy());
  }

  close(): void {
    this.#closed = true;
    for (const { child, current } of this.#workers) {
      child.disconnect();
      current?.reject(new Error('The service stops'));
    }
    for (const { reject } of this.#queue.splice(0)) reject(new Error('The service stops'));
  }

  #feed(): void {
    const idle = [...this.#workers].filter(({ current }) => current === null).length;
    const missing = Math.min(this.#size - this.#workers.size, this.#queue.length - idle);
    for (let count = 0; count < missing; count += 1) this.#start();
    for (const worker of this.#workers) {
      if (worker.current || !worker.child.connected) continue;
      const next = this.#queue.shift();
      if (!next) return;
      worker.current = next;
      worker.child.send(next.job);
    }
  }

  #start(): void {
    const child = fork(builtEntry('hash-worker'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const worker: Worker = { child, current: null };
    this.#workers.add(worker);
    lowerPriority(child);
    child.on('message', (answer: HashAnswer) => {
      worker.current?.resolve(answer);
      worker.current = null;
      this.#feed();
    });
    const ended = (): void => this.#replace(worker);
    child.on('exit', ended).on('error', ended);
  }

  #replace(worker: Worker): void {
    if (!this.#workers.delete(worker) || this.#closed) return;
    this.#log.warn({ pid: worker.child.pid }, 'a hashing process ended and is replaced');
    const waiting = worker.current;
    if (waiting) {
      waiting.deaths += 1;
      // A job that ended two processes would end the next one too.
      if (waiting.deaths > 1) waiting.reject(new Error('The hashing process ended'));
      else this.#queue.unshift(waiting);
    }
    this.#feed();
  }
}

function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed everywhere; hashing then competes like everything else.
  }
}
