/** A set of UUIDs with 16 bytes per entry: a million of them in a `Set` would take 90 MB. */

interface IdSet {
  /** @returns false if the set contains the ID already */
  add(id: string): boolean;
}

/** Stores 64 bits of each UUID in a hash table with open addressing. The other bits are random or the same for all. */
export function createIdSet(initialSlots = 4096): IdSet {
  let slots = new BigUint64Array(initialSlots);
  let size = 0;
  /** Returns the slot that contains the key, or the free slot for it. */
  const findSlot = (key: bigint): number => {
    const mask = slots.length - 1;
    let slot = Number((key ^ (key >> 32n)) & 0xffff_ffffn) & mask;
    while (slots[slot] !== 0n && slots[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = (): void => {
    const keys = slots.filter((key) => key !== 0n);
    slots = new BigUint64Array(slots.length * 2);
    for (const key of keys) slots[findSlot(key)] = key;
  };
  return {
    add: (id) => {
      const hex = id.replaceAll('-', '');
      const key = BigInt(`0x${hex.slice(0, 16)}`) ^ BigInt(`0x${hex.slice(16)}`) || 0xffff_ffff_ffff_ffffn;
      const slot = findSlot(key);
      if (slots[slot] === key) return false;
      slots[slot] = key;
      size += 1;
      if (size * 2 > slots.length) grow();
      return true;
    },
  };
}
