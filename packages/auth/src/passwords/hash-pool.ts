/** Runs hash jobs in a pool of low-priority processes with a bounded queue, and restarts failed processes. */
import { fork, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import type { Logger } from 'pino';
import { AuthError } from '../auth-error.ts';
import { FairQueue } from './fair-queue.ts';
import type { HashResult, HashJob, HashMessage } from './hash-job.ts';

/**
 * Bounds memory. One process runs about 120 jobs in the usual `timeoutMs` of 5 s, so most jobs of a longer queue
 * would time out.
 */
const maxQueuedJobs = 200;

/** Maximum queued jobs of one network or user, enough for the users behind one NAT address and less than the queue. */
const maxQueuedPerClient = 50;

/** Includes the start on a busy machine, which takes seconds. */
const startTimeoutMs = 30_000;

/** Delay of the next start after a process failed to start. */
const restartDelayMs = 1_000;

const busy = [
  503,
  'over_request_rate_limit',
  'The service cannot check passwords at this moment, please retry shortly',
  { headers: { 'Retry-After': '5' } },
] as const;

/** Thrown when a hash job is aborted after it has started. Counts as a failed attempt. */
export class HashAbortedError extends AuthError {
  constructor() {
    super(...busy);
    this.name = 'HashAbortedError';
  }
}

interface QueuedJob {
  readonly job: HashJob;
  /** Network or user ID of the client; '' for the service role. */
  readonly client: string;
  readonly resolve: (result: HashResult) => void;
  readonly reject: (error: Error) => void;
  /** Number of processes that have started the job. */
  attempts: number;
  /** The job has timed out, so no other process gets it. */
  timedOut: boolean;
}

interface Worker {
  readonly child: ChildProcess;
  ready: boolean;
  current: QueuedJob | null;
  /** Kills a process that takes too long to start or to run a job. */
  timer: NodeJS.Timeout;
}

/** Starts processes on demand, gives each one job at a time, and replaces those that exit or hang. */
export class HashPool {
  readonly #workerFile: string;
  readonly #log: Logger;
  readonly #size: number;
  readonly #timeoutMs: number;
  readonly #queue = new FairQueue<QueuedJob>();
  readonly #workers = new Set<Worker>();
  /** Set while no process can be started. */
  #restartTimer: NodeJS.Timeout | null = null;
  #closed = false;

  /**
   * @param workerFile the bundle of `hash-worker.ts`
   * @param timeoutMs maximum time in the queue, and maximum time of a job, in milliseconds
   */
  constructor(workerFile: string, log: Logger, size: number, timeoutMs: number) {
    this.#workerFile = workerFile;
    this.#log = log;
    this.#size = size;
    this.#timeoutMs = timeoutMs;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Starts a process if there is none. */
  warmUp(): void {
    if (this.#workers.size === 0) this.#start();
  }

  /** @throws AuthError 503 immediately or after `timeoutMs`; `HashAbortedError` if a process had started the job */
  run(job: HashJob, client: string): Promise<HashResult> {
    return new Promise((resolve, reject) => {
      const full = this.#queue.size >= maxQueuedJobs;
      const clientFull = client !== '' && this.#queue.countFor(client) >= maxQueuedPerClient;
      const unavailable = this.#restartTimer !== null && this.#workers.size === 0;
      if (this.#closed || full || clientFull || unavailable) {
        reject(new AuthError(...busy));
        return;
      }
      const timer = setTimeout(() => this.#timeOut(queuedJob), this.#timeoutMs);
      const queuedJob: QueuedJob = {
        job,
        client,
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
        attempts: 0,
        timedOut: false,
      };
      this.#queue.add(client, queuedJob);
      this.#dispatch();
    });
  }

  close(): void {
    this.#closed = true;
    if (this.#restartTimer) clearTimeout(this.#restartTimer);
    const shutdownError = new Error('The service is shutting down');
    for (const { child, current, timer } of this.#workers) {
      clearTimeout(timer);
      child.kill('SIGKILL');
      current?.reject(shutdownError);
    }
    for (const { reject } of this.#queue.clear()) reject(shutdownError);
  }

  /** Rejects a job that is still queued while its client waits for the response. */
  #timeOut(queuedJob: QueuedJob): void {
    queuedJob.timedOut = true;
    if (this.#queue.remove(queuedJob.client, queuedJob)) queuedJob.reject(busyError(queuedJob));
  }

  #dispatch(): void {
    const idle = [...this.#workers].filter(({ current }) => current === null).length;
    const toStart = Math.min(this.#size - this.#workers.size, this.#queue.size - idle);
    for (let count = 0; count < toStart; count += 1) this.#start();
    for (const worker of this.#workers) {
      if (!worker.ready || worker.current || !worker.child.connected) continue;
      const next = this.#queue.take();
      if (!next) return;
      next.attempts += 1;
      worker.current = next;
      worker.timer = setTimeout(() => this.#kill(worker), this.#timeoutMs);
      worker.child.send(next.job);
    }
  }

  #start(): void {
    if (this.#restartTimer) return;
    let child: ChildProcess;
    try {
      // Without the flags of this process: the port of --inspect is in use.
      child = fork(this.#workerFile, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    } catch (error) {
      this.#scheduleRestart(error);
      return;
    }
    const timer = setTimeout(() => this.#kill(worker), startTimeoutMs);
    const worker: Worker = { child, ready: false, current: null, timer };
    this.#workers.add(worker);
    child.on('message', (message: HashMessage) => {
      clearTimeout(worker.timer);
      if (message === 'ready') {
        worker.ready = true;
        // After the start, which would take too long at low priority on a busy machine.
        lowerPriority(child);
      } else {
        worker.current?.resolve(message);
        worker.current = null;
      }
      this.#dispatch();
    });
    // A process that failed to start emits `error` and no `exit`.
    child.on('exit', () => this.#replace(worker)).on('error', (error) => this.#replace(worker, error));
  }

  /** SIGKILL also ends a process that hangs. */
  #kill(worker: Worker): void {
    if (worker.current) worker.current.timedOut = true;
    worker.child.kill('SIGKILL');
    this.#replace(worker);
  }

  #replace(worker: Worker, error?: Error): void {
    clearTimeout(worker.timer);
    if (!this.#workers.delete(worker) || this.#closed) return;
    const { child, current, ready } = worker;
    // A job that has crashed two processes would crash the next one too.
    if (current && !current.timedOut && current.attempts < 2) this.#queue.putBack(current.client, current);
    else current?.reject(busyError(current));
    if (!ready) {
      this.#scheduleRestart(error);
      return;
    }
    this.#log.warn({ pid: child.pid }, 'hashing process exited, restarting');
    this.warmUp();
    this.#dispatch();
  }

  /** Rejects the queued jobs if there is no process, and schedules the next start. */
  #scheduleRestart(error: unknown): void {
    this.#log.warn({ reason: String(error ?? 'process exited') }, 'hashing process failed to start');
    if (this.#workers.size === 0)
      for (const queuedJob of this.#queue.clear()) queuedJob.reject(busyError(queuedJob));
    this.#restartTimer ??= setTimeout(() => {
      this.#restartTimer = null;
      this.warmUp();
    }, restartDelayMs).unref();
  }
}

const busyError = ({ attempts }: QueuedJob): AuthError =>
  attempts > 0 ? new HashAbortedError() : new AuthError(...busy);

function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // Not permitted everywhere. Hashing then runs at normal priority.
  }
}
