// Numbers the distinct texts of a column: each becomes a string once and is looked up by its bytes after that.

/** Hashes four bytes at a time, then the remaining ones singly. */
function hashBytes(bytes: Uint8Array, at: number, length: number): number {
  let hash = length;
  let index = at;
  const end = at + length;
  for (; index + 4 <= end; index += 4) {
    const word = bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; index < end; index++) hash = Math.imul(hash ^ bytes[index]!, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

export class NameInterner {
  /** By number. */
  readonly names: string[] = [];
  /** The bytes of all texts, and where each begins; the last entry is where the last text ends. */
  #pool = new Uint8Array(256);
  #starts = new Int32Array(16);
  /** A hash table of name number + 1; 0 for a free slot. At least half of the slots are free. */
  #slots = new Int32Array(32);
  #last = -1;

  /** Returns the number of a text; the same text always gets the same number. */
  number(bytes: Buffer, at: number, length: number): number {
    if (this.#last >= 0 && this.#isName(this.#last, bytes, at, length)) return this.#last;
    const mask = this.#slots.length - 1;
    let slot = hashBytes(bytes, at, length) & mask;
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (this.#isName(found - 1, bytes, at, length)) return (this.#last = found - 1);
      slot = (slot + 1) & mask;
    }
    return (this.#last = this.#add(slot, bytes, at, length));
  }

  #isName(number: number, bytes: Uint8Array, at: number, length: number): boolean {
    const start = this.#starts[number]!;
    if (this.#starts[number + 1]! - start !== length) return false;
    const pool = this.#pool;
    for (let index = length - 1; index >= 0; index--) if (pool[start + index] !== bytes[at + index]) return false;
    return true;
  }

  #add(slot: number, bytes: Buffer, at: number, length: number): number {
    const number = this.names.length;
    const start = this.#starts[number]!;
    if (start + length > this.#pool.length) {
      const pool = this.#pool;
      this.#pool = new Uint8Array(2 * (start + length));
      this.#pool.set(pool);
    }
    this.#pool.set(bytes.subarray(at, at + length), start);
    this.#starts[number + 1] = start + length;
    this.names.push(bytes.toString('utf8', at, at + length));
    this.#slots[slot] = number + 1;
    if (this.names.length + 2 > this.#starts.length) this.#grow();
    return number;
  }

  #grow(): void {
    const starts = this.#starts;
    this.#starts = new Int32Array(2 * starts.length);
    this.#starts.set(starts);
    this.#slots = new Int32Array(4 * starts.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.names.length; number++) {
      const [start, end] = [this.#starts[number]!, this.#starts[number + 1]!];
      let slot = hashBytes(this.#pool, start, end - start) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}
