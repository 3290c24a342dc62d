/** The hashing processes and who waits for them. */
import { fork, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import type { Logger } from 'pino';
import { ApiError } from '../errors.ts';
import { bundlePath } from '../paths.ts';
import { FairQueue } from './fair-queue.ts';
import type { HashResult, HashJob, HashMessage } from './hash-job.ts';

/**
 * Bounds what is held in memory. One process does about 120 jobs in the usual `waitLimit` of 5 s, so that
 * most of a longer queue is given up before its turn.
 */
const queueLimit = 200;

/** What one client may have in the queue: about the people of one house, and never everybody's turn. */
const clientLimit = 50;

/** Longest start of a process, in milliseconds: a busy machine needs seconds. */
const startLimit = 30_000;

/** Pause before the next try where no process could be started, in milliseconds. */
const restartPause = 1_000;

const busy = [
  503,
  'over_request_rate_limit',
  'The service cannot check passwords at this moment, please retry shortly',
  { headers: { 'Retry-After': '5' } },
] as const;

/** Refused after the work had begun: whoever guesses has used a try. */
export class HashAbortedError extends ApiError {
  constructor() {
    super(...busy);
    this.name = 'HashAbortedError';
  }
}

interface Waiting {
  readonly job: HashJob;
  /** Whose turn it takes; '' for callers that are known already. */
  readonly client: string;
  readonly resolve: (answer: HashResult) => void;
  readonly reject: (error: Error) => void;
  /** Processes that were given it. */
  tries: number;
  /** Its time to wait is over: no other process gets it. */
  late: boolean;
}

interface Worker {
  readonly child: ChildProcess;
  ready: boolean;
  current: Waiting | null;
  /** Ends a process that takes too long to start or to answer. */
  timer: NodeJS.Timeout;
}

/** Starts processes when there is work, gives each one job at a time, replaces those that end or hang. */
export class HashPool {
  readonly #log: Logger;
  readonly #size: number;
  readonly #waitLimit: number;
  readonly #queue = new FairQueue<Waiting>();
  readonly #workers = new Set<Worker>();
  /** Set while no process can be started. */
  #pause: NodeJS.Timeout | null = null;
  #closed = false;

  /** @param waitLimit milliseconds that a job may wait for its turn, and again that it may take */
  constructor(log: Logger, size: number, waitLimit: number) {
    this.#log = log;
    this.#size = size;
    this.#waitLimit = waitLimit;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Starts a process before there is work. */
  warmUp(): void {
    if (this.#workers.size === 0) this.#start();
  }

  /** @throws ApiError 503 at once or after `waitLimit`; `HashAbortedError` when a process had begun with it */
  run(job: HashJob, client: string): Promise<HashResult> {
    return new Promise((resolve, reject) => {
      const full = this.#queue.size >= queueLimit;
      const greedy = client !== '' && this.#queue.held(client) >= clientLimit;
      const resting = this.#pause !== null && this.#workers.size === 0;
      if (this.#closed || full || greedy || resting) {
        reject(new ApiError(...busy));
        return;
      }
      const timer = setTimeout(() => this.#giveUp(waiting), this.#waitLimit);
      const waiting: Waiting = {
        job,
        client,
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
        tries: 0,
        late: false,
      };
      this.#queue.add(client, waiting);
      this.#feed();
    });
  }

  close(): void {
    this.#closed = true;
    if (this.#pause) clearTimeout(this.#pause);
    const stops = new Error('The service stops');
    for (const { child, current, timer } of this.#workers) {
      clearTimeout(timer);
      child.kill('SIGKILL');
      current?.reject(stops);
    }
    for (const { reject } of this.#queue.clear()) reject(stops);
  }

  /** A machine that has no time for hashing says so while the client still listens. */
  #giveUp(waiting: Waiting): void {
    waiting.late = true;
    if (this.#queue.remove(waiting.client, waiting)) waiting.reject(refusalOf(waiting));
  }

  #feed(): void {
    const idle = [...this.#workers].filter(({ current }) => current === null).length;
    const missing = Math.min(this.#size - this.#workers.size, this.#queue.size - idle);
    for (let count = 0; count < missing; count += 1) this.#start();
    for (const worker of this.#workers) {
      if (!worker.ready || worker.current || !worker.child.connected) continue;
      const next = this.#queue.take();
      if (!next) return;
      next.tries += 1;
      worker.current = next;
      worker.timer = setTimeout(() => this.#end(worker), this.#waitLimit);
      worker.child.send(next.job);
    }
  }

  #start(): void {
    if (this.#pause) return;
    let child: ChildProcess;
    try {
      child = fork(bundlePath('hash-worker'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    } catch (error) {
      this.#rest(error);
      return;
    }
    const timer = setTimeout(() => this.#end(worker), startLimit);
    const worker: Worker = { child, ready: false, current: null, timer };
    this.#workers.add(worker);
    child.on('message', (message: HashMessage) => {
      clearTimeout(worker.timer);
      if (message === 'ready') {
        worker.ready = true;
        // Only now: a busy machine would leave no time for the start.
        lowerPriority(child);
      } else {
        worker.current?.resolve(message);
        worker.current = null;
      }
      this.#feed();
    });
    // A process that was never there tells it by an error alone.
    child.on('exit', () => this.#replace(worker)).on('error', (error) => this.#replace(worker, error));
  }

  /** Takes even a process that does not listen. */
  #end(worker: Worker): void {
    if (worker.current) worker.current.late = true;
    worker.child.kill('SIGKILL');
    this.#replace(worker);
  }

  #replace(worker: Worker, error?: Error): void {
    clearTimeout(worker.timer);
    if (!this.#workers.delete(worker) || this.#closed) return;
    const { child, current, ready } = worker;
    // A job that ended two processes would end the next one too.
    if (current && !current.late && current.tries < 2) this.#queue.putBack(current.client, current);
    else current?.reject(refusalOf(current));
    if (!ready) {
      this.#rest(error);
      return;
    }
    this.#log.warn({ pid: child.pid }, 'a hashing process ended and is replaced');
    this.warmUp();
    this.#feed();
  }

  /** Tells whoever waits, and tries again later: at once would be again and again. */
  #rest(error: unknown): void {
    this.#log.warn({ reason: String(error ?? 'it ended') }, 'no hashing process could be started');
    if (this.#workers.size === 0)
      for (const waiting of this.#queue.clear()) waiting.reject(refusalOf(waiting));
    this.#pause ??= setTimeout(() => {
      this.#pause = null;
      this.warmUp();
    }, restartPause).unref();
  }
}

const refusalOf = ({ tries }: Waiting): ApiError =>
  tries > 0 ? new HashAbortedError() : new ApiError(...busy);

function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed everywhere; hashing then competes like everything else.
  }
}
