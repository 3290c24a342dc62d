/** A queue with one line per client, served round-robin: a client with many jobs delays only its own. */
export class FairQueue<Item> {
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the number of queued items of one client. */
  countFor(client: string): number {
    return this.#queues.get(client)?.length ?? 0;
  }

  add(client: string, item: Item): void {
    this.#queues.set(client, [...(this.#queues.get(client) ?? []), item]);
    this.#size += 1;
  }

  /** Puts an item back as the next one of its client. */
  putBack(client: string, item: Item): void {
    this.#queues.set(client, [item, ...(this.#queues.get(client) ?? [])]);
    this.#size += 1;
  }

  /** Removes and returns the next item, and moves its client to the end. */
  take(): Item | undefined {
    const [next] = this.#queues;
    if (!next) return undefined;
    const [client, [item, ...remaining]] = next;
    this.#queues.delete(client);
    if (remaining.length > 0) this.#queues.set(client, remaining);
    this.#size -= 1;
    return item;
  }

  /** @returns true if the item was queued */
  remove(client: string, item: Item): boolean {
    const items = this.#queues.get(client) ?? [];
    const remaining = items.filter((other) => other !== item);
    if (remaining.length === items.length) return false;
    if (remaining.length > 0) this.#queues.set(client, remaining);
    else this.#queues.delete(client);
    this.#size -= 1;
    return true;
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return items;
  }
}
