/** A queue with one line per client, served round-robin: a client with many jobs delays only its own. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the number of queued items of one client. */
  held(client: string): number {
    return this.#lines.get(client)?.length ?? 0;
  }

  add(client: string, item: Item): void {
    this.#lines.set(client, [...(this.#lines.get(client) ?? []), item]);
    this.#size += 1;
  }

  /** Puts an item back as the next one of its client. */
  putBack(client: string, item: Item): void {
    this.#lines.set(client, [item, ...(this.#lines.get(client) ?? [])]);
    this.#size += 1;
  }

  /** Removes and returns the next item, and moves its client to the end. */
  take(): Item | undefined {
    const [turn] = this.#lines;
    if (!turn) return undefined;
    const [client, [item, ...rest]] = turn;
    this.#lines.delete(client);
    if (rest.length > 0) this.#lines.set(client, rest);
    this.#size -= 1;
    return item;
  }

  /** @returns true if the item was queued */
  remove(client: string, item: Item): boolean {
    const line = this.#lines.get(client) ?? [];
    const rest = line.filter((other) => other !== item);
    if (rest.length === line.length) return false;
    if (rest.length > 0) this.#lines.set(client, rest);
    else this.#lines.delete(client);
    this.#size -= 1;
    return true;
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#size = 0;
    return items;
  }
}
