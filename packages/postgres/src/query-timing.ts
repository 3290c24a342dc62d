/** Estimates how long statements take, to choose the connection of a read. A wrong estimate costs only time. */
import { LRUCache } from 'lru-cache';

/** Maximum duration on a dedicated connection, in milliseconds, after which the next run uses the shared connection. */
const maxDedicatedMs = 5;
/** Estimate for the first shared run, in milliseconds. */
const initialEstimateMs = 0.2;
/** Maximum average duration of shared reads, in milliseconds. Longer reads gain little and delay others. */
const maxSharedMs = 0.5;
/**
 * Weight of one run in the average, and the maximum duration that one run contributes, in milliseconds. The first runs
 * of a statement are planned each time, and on a busy machine long durations have other causes.
 */
const weight = 1 / 32;
const maxSampleMs = 1;
/** Milliseconds for which a statement is excluded after slow shared runs, and after the server canceled a run. */
const slowExclusionMs = 5000;
const canceledExclusionMs = 30_000;

export class QueryTiming {
  /** Expected duration of a shared run, in milliseconds; infinite if it is unknown or too long for sharing. */
  expectedMs = Number.POSITIVE_INFINITY;
  #excludedUntil = 0;

  get isFast(): boolean {
    return this.expectedMs <= maxSharedMs;
  }

  /**
   * Records a run on a dedicated connection.
   *
   * @param durationMs milliseconds
   * @param now milliseconds of `performance.now()`
   */
  recordDedicated(durationMs: number, now: number): void {
    if (!this.isFast && now >= this.#excludedUntil && durationMs <= maxDedicatedMs)
      this.expectedMs = initialEstimateMs;
  }

  /**
   * Records a run on the shared connection.
   *
   * @param durationMs milliseconds
   * @param now milliseconds of `performance.now()`
   */
  recordShared(durationMs: number, now: number): void {
    // A concurrent run has excluded the statement; this result must not change the duration of the exclusion.
    if (!this.isFast) return;
    this.expectedMs += (Math.min(durationMs, maxSampleMs) - this.expectedMs) * weight;
    if (!this.isFast) this.#exclude(now + slowExclusionMs);
  }

  /**
   * Records a shared run that the server canceled.
   *
   * @param now milliseconds of `performance.now()`
   */
  recordCanceled(now: number): void {
    this.#exclude(now + canceledExclusionMs);
  }

  #exclude(until: number): void {
    this.expectedMs = Number.POSITIVE_INFINITY;
    this.#excludedUntil = until;
  }
}

/** Maximum number of statements per plan key, and maximum characters of their texts. */
const maxStatements = 1000;
const maxCharacters = 4_000_000;

export class QueryTimings {
  readonly #byPlanKey = new Map<string, LRUCache<string, QueryTiming>>();

  /** Returns the timing of a statement, and creates it on first use. */
  get(planKey: string, text: string): QueryTiming {
    let timings = this.#byPlanKey.get(planKey);
    if (!timings) this.#byPlanKey.set(planKey, (timings = createTimingCache()));
    let timing = timings.get(text);
    if (!timing) timings.set(text, (timing = new QueryTiming()));
    return timing;
  }
}

const createTimingCache = (): LRUCache<string, QueryTiming> =>
  new LRUCache({
    max: maxStatements,
    maxSize: maxCharacters,
    sizeCalculation: (_, text) => text.length + 1,
  });
