// All winning points of many series, and all rates, as columns: for whoever computes with them. As they are known now, or
// as they were known at a moment. A row of the answer is a whole series, since rows of points would cost more than points.

import type { Day } from '../kit/day.ts';
import type { Fixed } from '../kit/fixed.ts';
import type { Id } from '../kit/id.ts';
import type { Resource } from '../kit/resource.ts';
import { fxRate } from '../model/fx-rate.ts';
import type { Reach } from '../model/reach.ts';
import { price, type SeriesKind } from '../model/series-point.ts';
import type { Run } from './database.ts';
import { bySource, wallOf, wasKnownAt, within } from './resource-sql.ts';
import { rememberedText, type Statement, type Value } from './statement.ts';

/** Days in ascending order, each once, and the value of each. */
export interface DatedColumns {
  readonly days: Int32Array;
  readonly values: readonly Fixed[];
}

export interface InstrumentSeries extends DatedColumns {
  readonly instrumentId: Id;
  readonly kind: SeriesKind;
}

export interface RateColumns extends DatedColumns {
  readonly base: string;
  readonly quote: string;
}

interface Gathered {
  readonly days: string;
  readonly values: string;
}

/** A moment to look back from; without it, what is known now. */
export interface AsKnown {
  readonly knownAt?: number;
}

interface Gathering {
  readonly resource: Resource;
  readonly series: readonly [one: string, other: string];
  readonly value: string;
  readonly more: string;
}

/** Of all kinds and of every version: what is asked for besides decides. */
const { only: _only, versions: _ofPoints, ...points } = price;
const { versions: _ofRates, ...rates } = fxRate;

/** Once sorted for choosing, the points stay in order when they are gathered. */
function gathering<Row>(
  { resource, series, value, more }: Gathering,
  sight: Reach['sight']['kind'],
  state: 'now' | 'then',
): Statement<Row> {
  const [one, other] = series;
  const known = state === 'now' ? 't.known_until IS NULL' : wasKnownAt('$4');
  const text = `SELECT ${one}, ${other}, string_agg((date - date '1970-01-01')::text, ',') AS days, string_agg(${value}::text, ',') AS values
    FROM (SELECT DISTINCT ON (t.${one}, t.${other}, t.date) t.${one}, t.${other}, t.date, t.${value} FROM ${resource.table} t
      WHERE ${within(resource, sight)} AND ${known} ${more} ORDER BY t.${one}, t.${other}, t.date, ${bySource('t')}) p
    GROUP BY ${one}, ${other} ORDER BY ${one}, ${other}`;
  return rememberedText<Row>('series-columns', text);
}

/** Numbers of a column with 18 digits after the point: without it they are scaled as a Fixed is. */
function columnsOf({ days, values }: Gathered): DatedColumns {
  const texts = days.split(',');
  const column = new Int32Array(texts.length);
  for (let index = 0; index < texts.length; index++) column[index] = Number(texts[index]) satisfies Day;
  return { days: column, values: values.split(',').map((text) => BigInt(text.replace('.', ''))) };
}

export class SeriesColumns {
  readonly #reach: Reach;
  readonly #run: Run;

  constructor({ reach, run }: { reach: Reach; run: Run }) {
    this.#reach = reach;
    this.#run = run;
  }

  /** Every series of these instruments, in the order of their ids and kinds. */
  async listSeries(instrumentIds: readonly Id[], { knownAt }: AsKnown = {}): Promise<InstrumentSeries[]> {
    type Row = Gathered & { instrument_id: Id; kind: SeriesKind };
    const at = knownAt === undefined ? [] : [new Date(knownAt)];
    const more = `AND t.instrument_id = ANY ($${4 + at.length}::text[])`;
    const shape = { resource: points, series: ['instrument_id', 'kind'], value: 'value', more } as const;
    const rows = await this.#gather<Row>(shape, [...at, instrumentIds], knownAt);
    return rows.map((row) => ({ instrumentId: row.instrument_id, kind: row.kind, ...columnsOf(row) }));
  }

  /** Every pair of currencies that there are rates of. */
  async listRates({ knownAt }: AsKnown = {}): Promise<RateColumns[]> {
    type Row = Gathered & { base: string; quote: string };
    const shape = { resource: rates, series: ['base', 'quote'], value: 'rate', more: '' } as const;
    const rows = await this.#gather<Row>(shape, knownAt === undefined ? [] : [new Date(knownAt)], knownAt);
    return rows.map((row) => ({ base: row.base, quote: row.quote, ...columnsOf(row) }));
  }

  async #gather<Row>(shape: Gathering, values: readonly Value[], knownAt: number | undefined): Promise<Row[]> {
    const statement = gathering<Row>(shape, this.#reach.sight.kind, knownAt === undefined ? 'now' : 'then');
    return (await this.#run(statement, [...wallOf(this.#reach), ...values])).rows;
  }
}
