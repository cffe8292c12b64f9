// What a process remembers of ledgers, up to so many bytes: what has not been used for the longest time is let go of first. Also
// who is loading what, so that nothing is loaded twice at once. Knows not what a ledger is.

import { LruMap } from '../../kit/lru-map.ts';

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
  readonly #entries = new LruMap<CacheEntry>({ sizeMax: Infinity });
  readonly #loading = new Map<string, Loading>();
  #bytes = 0;

  constructor({ bytesMax }: { readonly bytesMax: number }) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  find<T extends CacheEntry>(key: string): T | undefined {
    return this.#entries.find(key) as T | undefined;
  }

  /** That these are in use, as part of something else that was found. While there is room for as much again, no matter. */
  touch(keys: readonly string[]): void {
    if (this.#bytes * 2 > this.bytesMax) for (const key of keys) this.#entries.find(key);
  }

  /** What is newer stays; what has room for nothing else beside it is not kept. */
  put(key: string, value: CacheEntry): void {
    const before = this.#entries.find(key);
    if (before !== undefined && before.version > value.version) return;
    this.evict(key);
    if (value.bytes > this.bytesMax) return;
    this.#entries.put(key, value);
    this.#bytes += value.bytes;
    while (this.#bytes > this.bytesMax) this.evict(this.#entries.findOldest()![0]);
  }

  evict(key: string): void {
    this.#bytes -= this.#entries.find(key)?.bytes ?? 0;
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
