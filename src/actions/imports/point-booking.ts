// Writes the prices and exchange rates of an import, a whole batch with a few statements, and says what became of each.

import { defined } from '../../kit/assert.ts';
import { FieldFault } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { anyChange, type AnyChange, type Resource } from '../../kit/resource.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import type { StatedPrice, StatedRate } from '../../model/custody/statement.ts';
import type { RowTarget } from '../../model/custody/import-row.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import { priceUnitOf, type Instrument } from '../../model/instrument/instrument.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';
import { lockRates, putRates, recordRateImport } from '../instruments/fx-rate.ts';
import { lockSeries, putPoints, recordPointImport, type SeriesResource } from '../instruments/series-point.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';
import { momentOf } from './entry-input.ts';
import { decidePoints, pointResult, type PresentPoint, type StatedPoint } from './point-decisions.ts';
import { refused, refusedFor } from './row-result.ts';

/** Rates are reference data; what a statement says about a price comes from the custodian. */
const rateSource = 'reference';
const priceSource = 'custodian';

export interface PriceRow {
  readonly item: StatedPrice;
  readonly instrument: Id;
}

/** All values of a batch fit: a day has one value of each source. */
const listedMax = 1_000_000;

interface PointWrite<T> {
  readonly type: RowTarget;
  readonly results: Map<T, RowResult>;
  readonly list: () => Promise<ReadonlyMap<string, PresentPoint>>;
  readonly put: (accepted: readonly T[]) => Promise<void>;
}

export class PointBooking {
  readonly #work: Work;
  readonly #mode: 'check' | 'book';
  readonly #importId: Id;
  #areRatesLocked = false;
  readonly #rateCounts = { accepted: 0, written: 0 };
  readonly #seriesCounts = new Map<
    string,
    { resource: SeriesResource; target: Instrument; counts: { accepted: number; written: number } }
  >();

  constructor(work: Work, { mode, importId }: { readonly mode: 'check' | 'book'; readonly importId: Id }) {
    this.#work = work;
    this.#mode = mode;
    this.#importId = importId;
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
      const readable = rows.filter(({ item }) => !this.#refuseValue(resource, { item, target }, results));
      const items = readable.map(({ item }) => item);
      await this.#bookPoints(
        items.map((item) => ({ item, key: item.date, value: item.value, statedAt: momentOf(item.statedAt) })),
        {
          type: resource.type,
          results,
          list: () => this.#listPresent(resource, { instrument: target.id }, items, priceSource),
          put: (accepted) =>
            this.#putPoints(
              resource,
              target,
              accepted.map(({ date, value }) => ({ date, value, source: priceSource })),
            ),
        },
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const { item } of rows) results.set(item, refused(error));
    }
  }

  async #bookPoints<T>(points: readonly StatedPoint<T>[], { type, results, list, put }: PointWrite<T>): Promise<void> {
    const before = await list();
    const outcomes = decidePoints(points, before, await this.#statedTimes(before));
    const isBooked = this.#mode === 'book';
    if (isBooked) await put(points.flatMap(({ item }) => (outcomes.get(item) === 'superseded' ? [] : [item])));
    const after = isBooked ? await list() : before;
    for (const point of points) {
      const outcome = defined(outcomes.get(point.item), 'each value is decided');
      results.set(point.item, pointResult(point, outcome, { type, before, after }));
    }
  }

  /** When the latest statement was made that says what is known now. */
  async #statedTimes(present: ReadonlyMap<string, PresentPoint>): Promise<ReadonlyMap<Id, number>> {
    const valueOf = new Map([...present.values()].map(({ id, value }) => [id, value]));
    const times = new Map<Id, number>();
    const stated = await this.#work.store.importRows.listStatedPoints([...valueOf.keys()], this.#importId);
    for (const { id, value, statedAt } of stated) {
      const moment = momentOf(statedAt);
      if (moment === null || value !== valueOf.get(id)) continue;
      times.set(id, Math.max(moment, times.get(id) ?? moment));
    }
    return times;
  }

  #refuseValue(
    resource: SeriesResource,
    { item, target }: { readonly item: StatedPrice; readonly target: Instrument },
    results: Map<StatedPrice, RowResult>,
  ): boolean {
    const fault = valueFault(resource, item) ?? unitFault(item, target);
    if (fault !== undefined) results.set(item, refusedFor({ code: 'invalid-attribute', detail: fault }));
    return fault !== undefined;
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
    const points = readable.map((item) => ({
      item,
      key: pointKey(anyChange(item)),
      value: item.rate,
      statedAt: momentOf(item.statedAt),
    }));
    await this.#bookPoints(points, {
      type: 'fx-rate',
      results,
      list: () => this.#listPresent(fxRate, {}, readable, rateSource),
      put: async (accepted) => {
        this.#rateCounts.accepted += accepted.length;
        if (accepted.length > 0) this.#rateCounts.written += await putRates(this.#work, accepted.map(readRate));
      },
    });
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

function valueFault(resource: SeriesResource, item: StatedPrice): string | undefined {
  try {
    resource.attributes.value.kind.read(item.value);
    return undefined;
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    return `The value ${error.message}.`;
  }
}

/** A price in pence of an instrument that is quoted in pounds would be a hundred times too high. */
function unitFault({ instrument: { currency } }: StatedPrice, target: Instrument): string | undefined {
  const quoted = quotedCurrency(currency);
  if (quoted === undefined || !quoted.isInHundredths || priceUnitOf(target) === 'hundredths') return undefined;
  return `The price is in hundredths of ${quoted.currency}, and the prices of ${target.name} are not. Set its price unit to hundredths, or send the price in ${quoted.currency}.`;
}
