// Caches instruments, their series and the rates while their versions in the database are unchanged. Shared by all reports of a
// process.

import { defined } from '../../../kit/assert.ts';
import type { Id } from '../../../kit/id.ts';
import { ExchangeRates } from '../../../engine/currencies/exchange-rates.ts';
import { Series } from '../../../engine/amounts/series.ts';
import { instrument as instrumentResource, type Instrument } from '../../../model/instrument/instrument.ts';
import type { LedgerCache, CacheEntry } from '../../../store/ledger/ledger-cache.ts';
import type { DatedColumns } from '../../../store/series/series-columns.ts';
import type { Store } from '../../../store/store.ts';
import { listInstruments, endOfTime } from './read-client.ts';
import type { SeriesByKind } from './engine-instrument.ts';
import { seriesDigest } from './digest.ts';

/** An instrument, its series, and the versions of both. */
export interface VersionedInstrument {
  readonly instrument: Instrument;
  readonly series: SeriesByKind;
  readonly versions: string;
}

export interface VersionedRates {
  readonly rates: ExchangeRates;
  readonly version: number;
  /** The same rates have the same digest. */
  readonly digest: string;
}

interface ValueEntry<T> extends CacheEntry {
  readonly value: T;
}

/** Estimated size of an instrument's record, and of a series object without its points. */
const instrumentBytes = 3_000;
const seriesBytes = 200;

export class MarketDataCache {
  readonly #store: Store;
  readonly #memory: LedgerCache;

  constructor(store: Store, memory: LedgerCache) {
    this.#store = store;
    this.#memory = memory;
  }

  /** Lists the existing instruments among these ids. */
  async listInstruments(ids: readonly Id[]): Promise<ReadonlyMap<string, VersionedInstrument>> {
    const [terms, points] = await Promise.all([
      this.#store.recordVersions(instrumentResource).listVersionNumbers(ids),
      this.#store.seriesVersions.list(ids),
    ]);
    const [instruments, series] = await Promise.all([this.#instruments(ids, terms), this.#series(ids, points)]);
    const found = new Map<string, VersionedInstrument>();
    for (const id of ids) {
      const instrument = instruments.get(id);
      if (instrument === undefined) continue;
      const versions = `${terms.get(id)}.${points.get(id) ?? 0}`;
      found.set(id, { instrument, series: series.get(id) ?? {}, versions });
    }
    return found;
  }

  /** The cache keys of these instruments and the rates. */
  cacheKeys(ids: readonly Id[]): string[] {
    const names = ids.flatMap((id) => [`instrument ${id}`, `series ${id}`]);
    return ['rates', ...names].map((name) => this.#cacheKey(name));
  }

  async rates(): Promise<VersionedRates> {
    const version = await this.#store.seriesVersions.getRatesVersion();
    const key = this.#cacheKey('rates');
    const cached = this.#find<VersionedRates>(key, version);
    if (cached !== undefined) return cached;
    const columns = await this.#store.seriesColumns.listRates();
    const { bytes, ...rates } = toExchangeRates(columns);
    const value = { ...rates, version };
    this.#put(key, { version, value, bytes });
    return value;
  }

  async #instruments(ids: readonly Id[], versions: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, Instrument>> {
    return this.#listCached({
      ids,
      kind: 'instrument',
      versions,
      load: async (missing) =>
        new Map((await listInstruments(this.#store, missing, endOfTime)).map((one) => [one.id, one])),
      sizeBytes: () => instrumentBytes,
    });
  }

  async #series(ids: readonly Id[], versions: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, SeriesByKind>> {
    return this.#listCached({
      ids,
      kind: 'series',
      versions,
      load: async (missing) => toSeriesByInstrument(await this.#store.seriesColumns.listSeries(missing)),
      sizeBytes: (series) => Object.values(series).reduce((sum, { bytes }) => sum + bytes, seriesBytes),
    });
  }

  async #listCached<T>(request: {
    readonly ids: readonly Id[];
    readonly kind: string;
    readonly versions: ReadonlyMap<Id, number>;
    load(missing: readonly Id[]): Promise<ReadonlyMap<Id, T>>;
    sizeBytes(value: T): number;
  }): Promise<ReadonlyMap<Id, T>> {
    const { ids, kind, versions, load, sizeBytes } = request;
    const found = new Map<Id, T>();
    const missing: Id[] = [];
    for (const id of ids) {
      const version = versions.get(id);
      if (version === undefined) continue;
      const cached = this.#find<T>(this.#cacheKey(`${kind} ${id}`), version);
      if (cached === undefined) missing.push(id);
      else found.set(id, cached);
    }
    if (missing.length === 0) return found;
    for (const [id, value] of await load(missing)) {
      found.set(id, value);
      this.#put(this.#cacheKey(`${kind} ${id}`), {
        version: defined(versions.get(id), 'only records with a version are loaded'),
        value,
        bytes: sizeBytes(value),
      });
    }
    return found;
  }

  #cacheKey(name: string): string {
    const { workspaceId, environment } = this.#store.scope;
    return `${workspaceId} ${environment} ${name}`;
  }

  #find<T>(key: string, version: number): T | undefined {
    const entry = this.#memory.find<ValueEntry<T>>(key);
    return entry?.version === version ? entry.value : undefined;
  }

  #put<T>(key: string, entry: ValueEntry<T>): void {
    this.#memory.put(key, entry);
  }
}

interface RateColumns extends DatedColumns {
  readonly base: string;
  readonly quote: string;
}

export function toExchangeRates(
  columns: readonly RateColumns[],
): Omit<VersionedRates, 'version'> & { readonly bytes: number } {
  const pairs = columns.map(({ base, quote, ...points }) => ({ base, quote, points: Series.fromColumns(points) }));
  return {
    rates: new ExchangeRates(pairs),
    digest: pairs.map(({ base, quote, points }) => `${base}${quote} ${seriesDigest(points)}`).join(' '),
    bytes: pairs.reduce((sum, { points }) => sum + points.bytes, seriesBytes),
  };
}

export function toSeriesByInstrument(
  columns: Awaited<ReturnType<Store['seriesColumns']['listSeries']>>,
): ReadonlyMap<Id, SeriesByKind> {
  const found = new Map<Id, SeriesByKind>();
  for (const { instrumentId, kind, ...points } of columns) {
    found.set(instrumentId, { ...found.get(instrumentId), [kind]: Series.fromColumns(points) });
  }
  return found;
}
