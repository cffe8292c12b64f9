// What a process remembers of ledgers, up to so many bytes: what has not been used for the longest time is let go of first. Also
// who is loading what, so that nothing is loaded twice at once. Knows not what a ledger is.

import { LRUCache } from 'lru-cache';

export interface CacheEntry {
  /** How far it has come. */
  readonly version: number;
  readonly bytes: number;
}

interface Loading {
  readonly version: number;
  readonly done: Promise<CacheEntry>;
}

export class LedgerCache {
  readonly bytesMax: number;
  readonly #entries: LRUCache<string, CacheEntry>;
  readonly #loading = new Map<string, Loading>();

  constructor({ bytesMax }: { readonly bytesMax: number }) {
    this.bytesMax = Math.floor(bytesMax);
    // lru-cache takes positive whole sizes only: an empty ledger counts as one byte, and `put` handles a cache of none.
    const sizeCalculation = ({ bytes }: CacheEntry): number => Math.max(1, Math.ceil(bytes));
    this.#entries = new LRUCache({ maxSize: Math.max(1, this.bytesMax), sizeCalculation });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  find<T extends CacheEntry>(key: string): T | undefined {
    return this.#entries.get(key) as T | undefined;
  }

  /** That these are in use, as part of something else that was found. While there is room for as much again, no matter. */
  touch(keys: readonly string[]): void {
    if (this.bytes * 2 > this.bytesMax) for (const key of keys) this.#entries.get(key);
  }

  /** What is newer stays; what has room for nothing else beside it is not kept. */
  put(key: string, value: CacheEntry): void {
    if (this.bytesMax === 0) return;
    const before = this.#entries.get(key);
    if (before !== undefined && before.version > value.version) return;
    this.#entries.set(key, value);
  }

  evict(key: string): void {
    this.#entries.delete(key);
  }

  /** The same version that somebody is loading already. */
  findLoading<T extends CacheEntry>(key: string, version: number): Promise<T> | undefined {
    const loading = this.#loading.get(key);
    return loading?.version === version ? (loading.done as Promise<T>) : undefined;
  }

  /** Remembered once it is there; if it fails, nothing is. */
  load<T extends CacheEntry>(key: string, version: number, done: Promise<T>): void {
    const loading = { version, done };
    this.#loading.set(key, loading);
    const end = (): void => void (this.#loading.get(key) === loading && this.#loading.delete(key));
    done.then(
      (value) => {
        end();
        this.put(key, value);
      },
      end, // whoever waits for it hears of it
    );
  }
}
