// What is remembered of instruments, their series and the rates, each as long as its number in the database is the same. Shared by
// all reports of a process. Knows no client.

import type { Id } from '../../../kit/id.ts';
import { ExchangeRates } from '../../../engine/currencies/exchange-rates.ts';
import { Series } from '../../../engine/amounts/series.ts';
import { instrument as instrumentResource, type Instrument } from '../../../model/instrument/instrument.ts';
import type { LedgerMemory, Remembered } from '../../../store/ledger/ledger-cache.ts';
import type { DatedColumns } from '../../../store/series/series-columns.ts';
import type { Store } from '../../../store/store.ts';
import { listInstruments, now } from './read-client.ts';
import type { SeriesByKind } from './engine-instrument.ts';

/** An instrument, its series, and the numbers that both have come to. */
export interface KnownInstrument {
  readonly instrument: Instrument;
  readonly series: SeriesByKind;
  readonly numbers: string;
}

export interface KnownRates {
  readonly rates: ExchangeRates;
  /** The last day of any pair; -Infinity without one. */
  readonly lastDay: number;
  readonly number: number;
}

interface Kept<T> extends Remembered {
  readonly value: T;
}

/** An instrument's record; the series of one, besides what is in them. */
const instrumentBytes = 3_000;
const seriesBytes = 200;

export class MarketMemory {
  readonly #store: Store;
  readonly #memory: LedgerMemory;

  constructor(store: Store, memory: LedgerMemory) {
    this.#store = store;
    this.#memory = memory;
  }

  /** Those of these that there are, by id. */
  async listInstruments(ids: readonly Id[]): Promise<ReadonlyMap<string, KnownInstrument>> {
    const [terms, points] = await Promise.all([
      this.#store.thingVersions(instrumentResource).listNumbers(ids),
      this.#store.seriesNumbers.list(ids),
    ]);
    const [instruments, series] = await Promise.all([this.#instruments(ids, terms), this.#series(ids, points)]);
    const found = new Map<string, KnownInstrument>();
    for (const id of ids) {
      const instrument = instruments.get(id);
      if (instrument === undefined) continue;
      const numbers = `${terms.get(id)}.${points.get(id) ?? 0}`;
      found.set(id, { instrument, series: series.get(id) ?? {}, numbers });
    }
    return found;
  }

  /** What the memory has these instruments, and the rates, under. */
  keysOf(ids: readonly Id[]): string[] {
    const named = ids.flatMap((id) => [`instrument ${id}`, `series ${id}`]);
    return ['rates', ...named].map((name) => this.#keyOf(name));
  }

  async rates(): Promise<KnownRates> {
    const number = await this.#store.seriesNumbers.versionOfRates();
    const key = this.#keyOf('rates');
    const known = this.#find<KnownRates>(key, number);
    if (known !== undefined) return known;
    const columns = await this.#store.seriesColumns.listRates();
    const { bytes, ...rates } = ratesOf(columns);
    const value = { ...rates, number };
    this.#keep(key, { version: number, value, bytes });
    return value;
  }

  async #instruments(ids: readonly Id[], numbers: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, Instrument>> {
    return this.#listOf({
      ids,
      kind: 'instrument',
      numbers,
      load: async (missing) => new Map((await listInstruments(this.#store, missing, now)).map((one) => [one.id, one])),
      weigh: () => instrumentBytes,
    });
  }

  async #series(ids: readonly Id[], numbers: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, SeriesByKind>> {
    return this.#listOf({
      ids,
      kind: 'series',
      numbers,
      load: async (missing) => seriesOf(await this.#store.seriesColumns.listSeries(missing)),
      weigh: (series) => Object.values(series).reduce((sum, { bytes }) => sum + bytes, seriesBytes),
    });
  }

  async #listOf<T>(asked: {
    readonly ids: readonly Id[];
    readonly kind: string;
    readonly numbers: ReadonlyMap<Id, number>;
    load(missing: readonly Id[]): Promise<ReadonlyMap<Id, T>>;
    weigh(value: T): number;
  }): Promise<ReadonlyMap<Id, T>> {
    const { ids, kind, numbers, load, weigh } = asked;
    const found = new Map<Id, T>();
    const missing: Id[] = [];
    for (const id of ids) {
      const number = numbers.get(id);
      if (number === undefined) continue;
      const known = this.#find<T>(this.#keyOf(`${kind} ${id}`), number);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    if (missing.length === 0) return found;
    for (const [id, value] of await load(missing)) {
      found.set(id, value);
      this.#keep(this.#keyOf(`${kind} ${id}`), { version: numbers.get(id)!, value, bytes: weigh(value) });
    }
    return found;
  }

  #keyOf(name: string): string {
    const { workspaceId, environment } = this.#store.reach;
    return `${workspaceId} ${environment} ${name}`;
  }

  #find<T>(key: string, version: number): T | undefined {
    const kept = this.#memory.find<Kept<T>>(key);
    return kept?.version === version ? kept.value : undefined;
  }

  #keep<T>(key: string, kept: Kept<T>): void {
    this.#memory.put(key, kept);
  }
}

interface DatedRates extends DatedColumns {
  readonly base: string;
  readonly quote: string;
}

export function ratesOf(columns: readonly DatedRates[]): Omit<KnownRates, 'number'> & { readonly bytes: number } {
  const pairs = columns.map(({ base, quote, ...points }) => ({ base, quote, points: Series.of(points) }));
  return {
    rates: new ExchangeRates(pairs),
    lastDay: columns.reduce((last, { days }) => Math.max(last, days.at(-1) ?? -Infinity), -Infinity),
    bytes: pairs.reduce((sum, { points }) => sum + points.bytes, seriesBytes),
  };
}

export function seriesOf(
  columns: Awaited<ReturnType<Store['seriesColumns']['listSeries']>>,
): ReadonlyMap<Id, SeriesByKind> {
  const found = new Map<Id, SeriesByKind>();
  for (const { instrumentId, kind, ...points } of columns) {
    found.set(instrumentId, { ...found.get(instrumentId), [kind]: Series.of(points) });
  }
  return found;
}
