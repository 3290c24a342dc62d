/** One line per client, served in turn: whoever asks for much waits behind their own jobs only. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Items of one client. */
  held(client: string): number {
    return this.#lines.get(client)?.length ?? 0;
  }

  add(client: string, item: Item): void {
    this.#lines.set(client, [...(this.#lines.get(client) ?? []), item]);
    this.#size += 1;
  }

  /** The item is its client's next one again. */
  putBack(client: string, item: Item): void {
    this.#lines.set(client, [item, ...(this.#lines.get(client) ?? [])]);
    this.#size += 1;
  }

  /** The next item of the client whose turn it is; the client goes to the end. */
  take(): Item | undefined {
    const [turn] = this.#lines;
    if (!turn) return undefined;
    const [client, [item, ...rest]] = turn;
    this.#lines.delete(client);
    if (rest.length > 0) this.#lines.set(client, rest);
    this.#size -= 1;
    return item;
  }

  /** @returns whether the item was waiting */
  remove(client: string, item: Item): boolean {
    const line = this.#lines.get(client) ?? [];
    const rest = line.filter((other) => other !== item);
    if (rest.length === line.length) return false;
    if (rest.length > 0) this.#lines.set(client, rest);
    else this.#lines.delete(client);
    this.#size -= 1;
    return true;
  }

  /** Everything that waited. */
  clear(): Item[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#size = 0;
    return items;
  }
}
