/**
 * Limits the rows that a user writes. Rows are reserved in blocks, so that most writes need no statement for it. A write of more
 * rows than the block has left is subtracted from the next blocks.
 */
import { LRUCache } from 'lru-cache';
import { RestError } from '../errors.ts';

/** Rows of a block. */
const blockRows = 500;

/**
 * Counts rows that a user writes, across all replicas.
 *
 * @returns seconds until the user can write again; 0 if these rows are within the limit
 */
export type ReserveWrites = (userId: string, rows: number) => Promise<number>;

/** Larger writes are not subtracted completely. */
const maxOwedRows = 50_000;

export class WriteLimit {
  readonly #reserve: ReserveWrites | null;
  /** Rows that are left of the reserved blocks, by user ID. */
  readonly #left = new LRUCache<string, number>({ max: 10_000 });

  /** @param reserve null: without a limit */
  constructor(reserve: ReserveWrites | null) {
    this.#reserve = reserve;
  }

  /**
   * Counts a write of at least one row. Call it before the write does any work.
   *
   * @param userId null for `service_role` and anonymous clients: without a limit
   * @throws RestError 429 with Retry-After
   */
  async require(userId: string | null): Promise<void> {
    if (this.#reserve === null || userId === null) return;
    const left = this.#left.get(userId) ?? 0;
    if (left <= 0) {
      const rows = blockRows - left;
      const waitSeconds = await this.#reserve(userId, rows);
      if (waitSeconds > 0) throw tooManyWritesError(waitSeconds);
      this.#add(userId, rows);
    }
    this.#add(userId, -1);
  }

  /** Counts the rows of a write that `require` allowed. */
  countRows(userId: string | null, rows: number): void {
    if (this.#reserve !== null && userId !== null && rows > 1) this.#add(userId, 1 - rows);
  }

  #add(userId: string, rows: number): void {
    this.#left.set(userId, Math.max((this.#left.get(userId) ?? 0) + rows, -maxOwedRows));
  }
}

const tooManyWritesError = (waitSeconds: number): RestError =>
  new RestError(429, '429', 'Too many rows were written in the last minutes', {
    hint: `Try again in ${waitSeconds} seconds.`,
    headers: { 'Retry-After': String(waitSeconds) },
  });
