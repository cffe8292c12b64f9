// Reads many series of points, and all exchange rates, as columns with one value for each day. As known now, or as known at a
// moment.

import { defined } from '../../kit/assert.ts';
import { idFromRow, type Id } from '../../kit/id.ts';
import type { Resource } from '../../kit/resource.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import type { Scope } from '../../model/access/scope.ts';
import { price, seriesKinds, type SeriesKind } from '../../model/instrument/series-point.ts';
import { nameAt, type InternedNames } from '../postgres/binary/column-builder.ts';
import { columnSql, type ColumnKinds, type ColumnStatement } from '../postgres/binary/binary-rows.ts';
import { readColumns, type Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond, knownAtBranches } from '../resources/known-at-sql.ts';
import { withoutVersionFilter, tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { packedPointsSql, type DatedColumns } from '../postgres/binary/packed-points.ts';
import type { Value } from '../postgres/statement.ts';

export type { DatedColumns } from '../postgres/binary/packed-points.ts';

interface InstrumentSeries extends DatedColumns {
  readonly instrumentId: Id;
  readonly kind: SeriesKind;
}

interface RateColumns extends DatedColumns {
  readonly base: string;
  readonly quote: string;
}

/** Reads what was known at this moment; what is known now when absent. */
interface HistoryOption {
  readonly knownAt?: number;
}

interface SeriesQuery {
  readonly resource: Resource;
  readonly series: readonly [one: string, other: string];
  readonly value: string;
  readonly condition: string;
}

/** Drops the kind filter: each statement adds its own condition. */
const { only: _only, ...points } = price;

/** Returns a whole series in one row, since a row for each point would cost more than the point itself. */
const seriesColumnKinds = { one: 'name', other: 'name', points: 'points' } as const satisfies ColumnKinds;

const statements = new Map<string, ColumnStatement<typeof seriesColumnKinds>>();

/** Reads in the order of the covering index, so that the points can be aggregated without sorting. */
function seriesStatement(
  { resource, series: [one, other], value, condition }: SeriesQuery,
  visibleClients: Scope['visibleClients']['kind'],
  state: 'now' | 'then',
): ColumnStatement<typeof seriesColumnKinds> {
  const rows = (
    known: string,
  ): string => `SELECT t.${one}, t.${other}, t.date, t.source, t.${value} FROM ${resource.table} t
    WHERE ${tenantFilterSql(withoutVersionFilter(resource), visibleClients)} ${known} ${condition}`;
  const known = state === 'now' ? ['AND t.known_until IS NULL'] : knownAtBranches('$4');
  const text = `SELECT ${one} AS one, ${other} AS other, ${packedPointsSql({ value })} AS points
    FROM (${known.map(rows).join(' UNION ALL ')} ORDER BY ${one}, ${other}, date) p
    GROUP BY ${one}, ${other} ORDER BY ${one}, ${other}`;
  let statement = statements.get(text);
  if (statement === undefined) statements.set(text, (statement = columnSql('series-columns', seriesColumnKinds, text)));
  return statement;
}

interface PackedSeries extends DatedColumns {
  readonly one: string;
  readonly other: string;
}

export class SeriesColumns {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor({ scope, run }: { scope: Scope; run: Run }) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Lists every series of these instruments, ordered by instrument and kind. */
  async listSeries(instrumentIds: readonly Id[], { knownAt }: HistoryOption = {}): Promise<InstrumentSeries[]> {
    const at = knownAt === undefined ? [] : [endOfMillisecond(knownAt)];
    const condition = `AND t.instrument_id = ANY ($${4 + at.length}::text[])`;
    const query = { resource: points, series: ['instrument_id', 'kind'], value: 'value', condition } as const;
    const found = await this.#read(query, [...at, instrumentIds], knownAt);
    return found.map(({ one, other, ...columns }) => ({
      instrumentId: idFromRow(one),
      kind: seriesKind(other),
      ...columns,
    }));
  }

  /** Lists every currency pair that has rates. */
  async listRates({ knownAt }: HistoryOption = {}): Promise<RateColumns[]> {
    const query = { resource: fxRate, series: ['base', 'quote'], value: 'rate', condition: '' } as const;
    const found = await this.#read(query, knownAt === undefined ? [] : [endOfMillisecond(knownAt)], knownAt);
    return found.map(({ one, other, ...columns }) => ({ base: one, quote: other, ...columns }));
  }

  async #read(
    query: SeriesQuery,
    values: readonly Value[],
    knownAt: number | undefined,
  ): Promise<readonly PackedSeries[]> {
    const statement = seriesStatement(query, this.#scope.visibleClients.kind, knownAt === undefined ? 'now' : 'then');
    const call = { statement, values: [...tenantFilterValues(this.#scope), ...values] };
    return (await readColumns(this.#run, call)).flatMap(({ one, other, points: all }) =>
      all.map((columns, row) => ({ one: getName(one, row), other: getName(other, row), ...columns })),
    );
  }
}

function getName(column: InternedNames, row: number): string {
  return defined(nameAt(column, row), 'the key of a series is never null');
}

function seriesKind(text: string): SeriesKind {
  return defined(
    seriesKinds.find((kind) => kind === text),
    'the kind of a stored series is declared',
  );
}
