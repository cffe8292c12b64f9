// Writes the prices and exchange rates of an import, a whole batch with a few statements, and says what became of each.

import { FieldFault } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { anyChange, type AnyChange, type Resource } from '../../kit/resource.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import type { StatedPrice, StatedRate } from '../../model/custody/statement.ts';
import type { RowTarget } from '../../model/custody/import-row.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import { lockRates, putRates, recordRateImport } from '../instruments/fx-rate.ts';
import { lockSeries, putPoints, recordPointImport, type SeriesResource } from '../instruments/series-point.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';
import { done, refused, refusedFor } from './row-result.ts';

/** Rates are reference data; what a statement says about a price comes from the custodian. */
const rateSource = 'reference';
const priceSource = 'custodian';

export interface PriceRow {
  readonly item: StatedPrice;
  readonly instrument: Id;
}

/** All values of a batch fit: a day has one value of each source. */
const listedMax = 1_000_000;

interface PresentPoint {
  readonly id: Id;
  readonly value: string;
}

export class PointBooking {
  readonly #work: Work;
  readonly #mode: 'check' | 'book';
  #areRatesLocked = false;
  readonly #rateCounts = { accepted: 0, written: 0 };
  readonly #seriesCounts = new Map<
    string,
    { resource: SeriesResource; target: Instrument; counts: { accepted: number; written: number } }
  >();

  constructor(work: Work, mode: 'check' | 'book') {
    this.#work = work;
    this.#mode = mode;
  }

  async bookPrices(rows: readonly PriceRow[]): Promise<ReadonlyMap<StatedPrice, RowResult>> {
    const results = new Map<StatedPrice, RowResult>();
    const groups = Map.groupBy(rows, ({ item, instrument }) => `${item.series} ${instrument}`);
    for (const group of groups.values()) await this.#bookSeries(group, results);
    return results;
  }

  async #bookSeries(rows: readonly PriceRow[], results: Map<StatedPrice, RowResult>): Promise<void> {
    const [first] = rows;
    const resource = seriesPoints.find(({ type }) => type === first?.item.series);
    if (first === undefined || resource === undefined) return;
    try {
      const target = await lockSeries(this.#work, resource, first.instrument);
      const readable = rows.filter(({ item }) => !this.#refuseValue(resource, item, results));
      const points = readable.map(({ item: { date, value } }) => ({ date, value, source: priceSource }));
      const list = () => this.#listPresent(resource, { instrument: target.id }, points, priceSource);
      const before = await list();
      if (this.#mode === 'book') await this.#putPoints(resource, target, points);
      const after = this.#mode === 'book' ? await list() : before;
      const type: RowTarget = resource.type;
      setResults(
        readable.map(({ item }) => ({ item, key: item.date, value: item.value })),
        { type, before, after, results },
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const { item } of rows) results.set(item, refused(error));
    }
  }

  #refuseValue(resource: SeriesResource, item: StatedPrice, results: Map<StatedPrice, RowResult>): boolean {
    try {
      resource.attributes.value.kind.read(item.value);
      return false;
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      const detail = `The value ${error.message}.`;
      results.set(item, refusedFor({ code: 'invalid-attribute', detail }));
      return true;
    }
  }

  async #putPoints(
    resource: SeriesResource,
    target: Instrument,
    points: readonly { date: StatedPrice['date']; value: StatedPrice['value']; source: string }[],
  ): Promise<void> {
    const key = `${resource.type} ${target.id}`;
    const series = this.#seriesCounts.get(key) ?? { resource, target, counts: { accepted: 0, written: 0 } };
    this.#seriesCounts.set(key, series);
    series.counts.accepted += points.length;
    if (points.length > 0) series.counts.written += await putPoints(this.#work, resource, target, points);
  }

  async #listPresent(
    resource: Resource,
    where: Record<string, unknown>,
    rows: readonly { readonly date: string }[],
    source: typeof priceSource | typeof rateSource,
  ): Promise<ReadonlyMap<string, PresentPoint>> {
    const days = rows.map(({ date }) => date).toSorted();
    const query = { where, source, start: days[0], end: days.at(-1), limit: listedMax };
    const found = rows.length === 0 ? [] : await this.#work.store.datedValues(resource).list(query);
    return new Map(found.map((one) => [pointKey(one), { id: one.id, value: String(one['value'] ?? one['rate']) }]));
  }

  async bookRates(items: readonly StatedRate[]): Promise<ReadonlyMap<StatedRate, RowResult>> {
    const results = new Map<StatedRate, RowResult>();
    const readable = items.filter((item) => !refuseRate(item, results));
    if (readable.length === 0) return results;
    try {
      await this.#lockRates();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const item of readable) results.set(item, refused(error));
      return results;
    }
    const list = () => this.#listPresent(fxRate, {}, readable, rateSource);
    const before = await list();
    if (this.#mode === 'book') {
      this.#rateCounts.accepted += readable.length;
      this.#rateCounts.written += await putRates(this.#work, readable.map(readRate));
    }
    const after = this.#mode === 'book' ? await list() : before;
    const rows = readable.map((item) => ({ item, key: pointKey(anyChange(item)), value: item.rate }));
    setResults(rows, { type: 'fx-rate', before, after, results });
    return results;
  }

  async #lockRates(): Promise<void> {
    if (this.#mode === 'check') return requireAllClients(this.#work);
    if (!this.#areRatesLocked) await lockRates(this.#work);
    this.#areRatesLocked = true;
  }

  finish(): void {
    recordRateImport(this.#work, this.#rateCounts);
    for (const { resource, target, counts } of this.#seriesCounts.values()) {
      recordPointImport(this.#work, resource, target, counts);
    }
  }
}

/** A price is known by its day, a rate by its currencies as well. */
function pointKey(one: AnyChange): string {
  return [one['base'], one['quote'], one['date']].filter((part) => part !== undefined).join(' ');
}

function readRate({ base, quote, date, rate }: StatedRate) {
  const { attributes } = fxRate;
  const read = { base: attributes.base.kind.read(base), quote: attributes.quote.kind.read(quote) };
  if (base === quote) throw new FieldFault('must be between two different currencies');
  return { ...read, date, rate: attributes.rate.kind.read(rate), source: rateSource } as const;
}

function refuseRate(item: StatedRate, results: Map<StatedRate, RowResult>): boolean {
  try {
    readRate(item);
    return false;
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    const detail = `The rate ${item.base}/${item.quote}: ${error.message}.`;
    results.set(item, refusedFor({ code: 'invalid-attribute', detail }));
    return true;
  }
}

interface Points<T> {
  readonly type: RowTarget;
  readonly before: ReadonlyMap<string, PresentPoint>;
  readonly after: ReadonlyMap<string, PresentPoint>;
  readonly results: Map<T, RowResult>;
}

/** Of two rows for one day, the last counts. */
function setResults<T>(
  rows: readonly { readonly item: T; readonly key: string; readonly value: string }[],
  { type, before, after, results }: Points<T>,
): void {
  const said = new Map([...before].map(([key, { value }]) => [key, value]));
  for (const { item, key, value } of rows) {
    const known = said.get(key);
    const outcome = known === undefined ? 'booked' : known === value ? 'unchanged' : 'amended';
    said.set(key, value);
    const result = done(outcome, { type, id: after.get(key)?.id ?? null });
    results.set(item, { ...result, before: JSON.stringify(before.get(key) ?? null) });
  }
}
