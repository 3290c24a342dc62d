/**
 * How long the statements of one text take, as far as that is known. It only decides on which connection a
 * read runs, so a wrong guess costs time and nothing else. All times are milliseconds.
 */
import { LRUCache } from 'lru-cache';

/** A run on a connection of its own that took no longer makes the next one try the shared connection. */
const tryBelow = 5;
/** What such a run is expected to take there, until that is measured. */
const firstGuess = 0.2;
/** What takes longer gains little by sharing, and others would feel it. */
const quickBelow = 0.5;
/**
 * Weight of one run in the expectation, and the most that one run counts: the first runs of a text are planned
 * anew, and on a busy machine it is often somebody else who was late.
 */
const weight = 1 / 32;
const mostOfOne = 1;
/** How long a text stays away that was not quick on average, and one that the server had to stop. */
const awayWhenSlow = 5000;
const awayWhenStopped = 30_000;

export class QueryTiming {
  /** Of one run; infinite for what is not quick, or not known. */
  expected = Number.POSITIVE_INFINITY;
  #awayUntil = 0;

  get isFast(): boolean {
    return this.expected <= quickBelow;
  }

  recordDedicated(took: number, now: number): void {
    if (!this.isFast && now >= this.#awayUntil && took <= tryBelow) this.expected = firstGuess;
  }

  recordShared(took: number, now: number): void {
    // It went meanwhile; how long it stays away is settled.
    if (!this.isFast) return;
    this.expected += (Math.min(took, mostOfOne) - this.expected) * weight;
    if (!this.isFast) this.#leave(now + awayWhenSlow);
  }

  recordCanceled(now: number): void {
    this.#leave(now + awayWhenStopped);
  }

  #leave(until: number): void {
    this.expected = Number.POSITIVE_INFINITY;
    this.#awayUntil = until;
  }
}

/** Texts of which the pace is kept, for each plan key, and their characters. */
const mostTexts = 1000;
const mostCharacters = 4_000_000;

export class QueryTimings {
  readonly #ofKeys = new Map<string, LRUCache<string, QueryTiming>>();

  of(planKey: string, text: string): QueryTiming {
    let texts = this.#ofKeys.get(planKey);
    if (!texts) this.#ofKeys.set(planKey, (texts = emptyPaces()));
    let pace = texts.get(text);
    if (!pace) texts.set(text, (pace = new QueryTiming()));
    return pace;
  }
}

const emptyPaces = (): LRUCache<string, QueryTiming> =>
  new LRUCache({
    max: mostTexts,
    maxSize: mostCharacters,
    sizeCalculation: (_, text) => text.length + 1,
  });
