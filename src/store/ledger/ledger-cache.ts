// Caches ledgers in memory up to a number of bytes and evicts the least recently used first. Tracks loads in progress, so that no
// ledger is loaded twice at the same time.

import { LRUCache } from 'lru-cache';

export interface CacheEntry {
  /** The version that the entry was read at. */
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
    // lru-cache accepts positive whole sizes only: an empty ledger counts as one byte, and `put` handles a cache of size 0.
    const sizeCalculation = ({ bytes }: CacheEntry): number => Math.max(1, Math.ceil(bytes));
    this.#entries = new LRUCache({ maxSize: Math.max(1, this.bytesMax), sizeCalculation });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The caller names the type of entry: a key is used for one type only. */
  find<T extends CacheEntry>(key: string): T | undefined {
    return this.#entries.get(key) as T | undefined;
  }

  /**
   * Marks entries as recently used when something built from them is used. Skipped while the cache is at most half full, since
   * nothing is evicted soon.
   */
  touch(keys: readonly string[]): void {
    if (this.bytes * 2 > this.bytesMax) for (const key of keys) this.#entries.get(key);
  }

  /** Keeps the newer version. An entry larger than the whole cache is not stored. */
  put(key: string, value: CacheEntry): void {
    if (this.bytesMax === 0) return;
    const before = this.#entries.get(key);
    if (before !== undefined && before.version > value.version) return;
    this.#entries.set(key, value);
  }

  evict(key: string): void {
    this.#entries.delete(key);
  }

  /** Finds a load of the same version that is already in progress. */
  findLoading<T extends CacheEntry>(key: string, version: number): Promise<T> | undefined {
    const loading = this.#loading.get(key);
    return loading?.version === version ? (loading.done as Promise<T>) : undefined;
  }

  /** Stores the value once it is loaded; stores nothing when the load fails. */
  load<T extends CacheEntry>(key: string, version: number, done: Promise<T>): void {
    const loading = { version, done };
    this.#loading.set(key, loading);
    const end = (): void => void (this.#loading.get(key) === loading && this.#loading.delete(key));
    done.then(
      (value) => {
        end();
        this.put(key, value);
      },
      end, // the callers that wait for it get the error
    );
  }
}
