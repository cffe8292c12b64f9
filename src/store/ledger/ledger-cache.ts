// Caches ledgers, and what is built from them, in memory up to a number of bytes. What belongs together is dropped together. Tracks loads in
// progress, so that no ledger is loaded twice at the same time.

import type { Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { NodeFigures } from '../../model/operations/node-figures.ts';
import { UseCounts } from './use-counts.ts';

export interface CacheEntry {
  /** The version that the entry was read at. */
  readonly version: number;
  readonly bytes: number;
}

interface Loading {
  readonly version: number;
  readonly done: Promise<CacheEntry>;
}

export interface PutOptions {
  /** Entries of a group are dropped together, because they hold each other's memory: the ledgers of a client, and what is built from them. */
  readonly group?: string;
  /** Entries of others whose memory this one holds: they stay as long as it does. Replaces what the group has named before. */
  readonly uses?: readonly string[];
}

/** An entry, or a group of entries. */
interface Unit {
  readonly name: string;
  readonly entries: Map<string, CacheEntry>;
  bytes: number;
  uses: readonly Unit[];
  /** How many units use it. */
  userCount: number;
}

/** What is new is cached in this part first, so that what is read several times in a row is loaded once. */
const newcomersShare = 1 / 8;
/** A unit has to be used this many times more than what it displaces, so that reading in turn what does not fit displaces nothing. */
const usesAhead = 2;

/**
 * Least recently used first would miss every time when more is read in turn than fits. So what leaves the part for newcomers displaces the
 * least recently used only where it was used more often lately, and is dropped otherwise: then a share stays cached as large as fits.
 */
export class LedgerCache {
  readonly bytesMax: number;
  bytes = 0;
  /** Both in the order of their last use. */
  readonly #newcomers = new Map<string, Unit>();
  readonly #established = new Map<string, Unit>();
  readonly #unitByKey = new Map<string, Unit>();
  readonly #useCounts = new UseCounts();
  readonly #loading = new Map<string, Loading>();
  readonly #figures: NodeFigures | undefined;
  #newcomerBytes = 0;

  constructor({ bytesMax, figures }: { readonly bytesMax: number; readonly figures?: NodeFigures }) {
    this.bytesMax = Math.floor(bytesMax);
    this.#figures = figures;
    figures?.set('ledger-bytes-max', this.bytesMax);
    this.#reportSize();
  }

  #reportSize(): void {
    this.#figures?.set('ledger-bytes', this.bytes);
    this.#figures?.set('ledger-entries', this.size);
  }

  get size(): number {
    return this.#unitByKey.size;
  }

  /** The caller names the type of entry: a key is used for one type only. */
  find<T extends CacheEntry>(key: string): T | undefined {
    const unit = this.#unitByKey.get(key);
    this.#figures?.add(unit === undefined ? 'ledger-misses' : 'ledger-hits');
    if (unit === undefined) return undefined;
    this.#useCounts.add(unit.name);
    const part = this.#newcomers.has(unit.name) ? this.#newcomers : this.#established;
    part.delete(unit.name);
    part.set(unit.name, unit);
    return unit.entries.get(key) as T | undefined;
  }

  /** Keeps the newer version. What would make a group larger than the whole cache is not stored. */
  put(key: string, value: CacheEntry, { group = key, uses }: PutOptions = {}): void {
    if (this.bytesMax === 0) return;
    const unit = this.#unitByKey.get(key) ?? this.#findUnit(group) ?? this.#addUnit(group);
    const before = unit.entries.get(key);
    if (before !== undefined && before.version > value.version) return;
    if (before !== undefined) this.#removeEntry(unit, key, before);
    if (unit.bytes + sizeOf(value) <= this.bytesMax) {
      unit.entries.set(key, value);
      this.#unitByKey.set(key, unit);
      this.#resize(unit, sizeOf(value));
      if (uses !== undefined) this.#setUses(unit, uses);
    }
    if (unit.entries.size === 0) this.#drop(unit);
    this.#shrink();
    this.#reportSize();
  }

  #removeEntry(unit: Unit, key: string, entry: CacheEntry): void {
    unit.entries.delete(key);
    this.#unitByKey.delete(key);
    this.#resize(unit, -sizeOf(entry));
  }

  #findUnit(name: string): Unit | undefined {
    return this.#newcomers.get(name) ?? this.#established.get(name);
  }

  #addUnit(name: string): Unit {
    const unit: Unit = { name, entries: new Map(), bytes: 0, uses: [], userCount: 0 };
    this.#newcomers.set(name, unit);
    this.#useCounts.add(name);
    return unit;
  }

  #resize(unit: Unit, change: number): void {
    unit.bytes += change;
    this.bytes += change;
    if (this.#newcomers.has(unit.name)) this.#newcomerBytes += change;
  }

  #setUses(unit: Unit, uses: readonly string[]): void {
    const used = new Set(uses.flatMap((key) => this.#unitByKey.get(key) ?? []));
    used.delete(unit);
    for (const one of used) one.userCount++;
    this.#endUses(unit);
    unit.uses = [...used];
  }

  #endUses(unit: Unit): void {
    for (const used of unit.uses) used.userCount--;
    unit.uses = [];
  }

  #shrink(): void {
    const newcomerBytesMax = this.bytesMax * newcomersShare;
    for (const unit of this.#newcomers.values()) {
      // The newest stays, whatever its size.
      if (this.#newcomerBytes <= newcomerBytesMax || this.#newcomers.size === 1) break;
      this.#newcomers.delete(unit.name);
      this.#newcomerBytes -= unit.bytes;
      this.#established.set(unit.name, unit);
      if (this.bytes > this.bytesMax && unit.userCount === 0 && !this.#canDisplace(unit)) this.#drop(unit);
    }
    while (this.bytes > this.bytesMax && this.#dropUnused());
  }

  /** Drops the least recently used first, as many as needed, and what none of them uses any more at the next call. */
  #dropUnused(): boolean {
    let isChanged = false;
    for (const unit of [...this.#established.values(), ...this.#newcomers.values()]) {
      if (this.bytes <= this.bytesMax) break;
      if (unit.userCount > 0) continue;
      this.#drop(unit);
      isChanged = true;
    }
    return isChanged;
  }

  /** Whether the least recently used units that would have to go were used less often. */
  #canDisplace(unit: Unit): boolean {
    let excess = this.bytes - this.bytesMax;
    for (const other of this.#established.values()) {
      if (excess <= 0) return true;
      if (other === unit || other.userCount > 0) continue;
      if (this.#useCounts.of(unit.name) < this.#useCounts.of(other.name) + usesAhead) return false;
      excess -= other.bytes;
    }
    return excess <= 0;
  }

  #drop(unit: Unit): void {
    for (const key of unit.entries.keys()) this.#unitByKey.delete(key);
    this.#resize(unit, -unit.bytes);
    this.#newcomers.delete(unit.name);
    this.#established.delete(unit.name);
    this.#endUses(unit);
  }

  /** Finds a load of the same version that is already in progress. */
  findLoading<T extends CacheEntry>(key: string, version: number): Promise<T> | undefined {
    const loading = this.#loading.get(key);
    return loading?.version === version ? (loading.done as Promise<T>) : undefined;
  }

  /** Stores the value once it is loaded; stores nothing when the load fails. */
  load<T extends CacheEntry>(key: string, version: number, done: Promise<T>, options: PutOptions = {}): void {
    const loading = { version, done };
    this.#loading.set(key, loading);
    const end = (): void => void (this.#loading.get(key) === loading && this.#loading.delete(key));
    done.then(
      (value) => {
        end();
        this.put(key, value, options);
      },
      end, // the callers that wait for it get the error
    );
  }
}

function sizeOf({ bytes }: CacheEntry): number {
  return Math.max(1, Math.ceil(bytes));
}

/** The group of everything that belongs to a client. */
export function clientGroup({ workspaceId, environment }: Tenant, client: Id): string {
  return `${workspaceId} ${environment} books ${client}`;
}
