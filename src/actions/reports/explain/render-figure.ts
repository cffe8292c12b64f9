// What explains a figure, told in the words of the service: rows become transactions, points and terms say of which instrument they
// are. Very large trees are cut, and say where. Knows no formula and no wire.

import type { Day } from '../../../kit/day.ts';
import type { Id } from '../../../kit/id.ts';
import type { Explanation, Source } from '../../../engine/explanation/explanation.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ReportedFigure, ReportedSource } from '../../../model/report/explanation.ts';
import type { ReportScope } from '../report-basis.ts';
import { UploadIds } from '../data-quality/upload-lookup.ts';
import type { Working } from './explanation-draft.ts';

/** So many figures are told at most. */
export const figuresMax = 10_000;

export interface ToldFigure {
  readonly figure: ReportedFigure;
  readonly isTruncated: boolean;
}

type Telling = { -readonly [Name in keyof ReportedFigure]: ReportedFigure[Name] };

/** A figure that is being told, and whose numbers stand in it. */
interface Told {
  readonly from: Explanation;
  readonly to: Telling;
  readonly depth: number;
  readonly of: PositionKey | undefined;
}

/** Level by level, so that what is cut lies deepest. Of what a figure was made of all is told or nothing. */
export function tellFigure(working: Working, scope: ReportScope, depthMax: number): ToldFigure {
  const all: Told[] = [{ from: working.explanation, to: tellingOf(working.explanation), depth: 0, of: working.of }];
  let isTruncated = false;
  for (const told of all) {
    const of = positionOf(told);
    const parts = told.from.of ?? [];
    if (parts.length === 0) continue;
    if (told.depth >= depthMax || all.length + parts.length > figuresMax) {
      told.to.isTruncated = isTruncated = true;
      continue;
    }
    const below = parts.map((from) => ({ from, to: tellingOf(from), depth: told.depth + 1, of }));
    told.to.of = below.map(({ to }) => to);
    for (const one of below) all.push(one);
  }
  const sources = new SourceWords(scope, working, all);
  for (const one of all) {
    const source = sourceOf(one.from);
    if (source !== undefined) one.to.source = sources.tell(source, positionOf(one));
  }
  return { figure: all[0]!.to, isTruncated };
}

function tellingOf(explanation: Explanation): Telling {
  if (explanation.value === null) {
    const { name, value, notes } = explanation;
    return { name, value, notes };
  }
  const { source: _source, of: _of, ...figure } = explanation;
  return figure;
}

function sourceOf(explanation: Explanation): Source | undefined {
  return explanation.value === null ? undefined : explanation.source;
}

function positionOf({ from, of }: Told): PositionKey | undefined {
  const source = sourceOf(from);
  return source?.kind === 'position' && isPlaced(source) ? source : of;
}

function isPlaced({ account, depository }: PositionKey): boolean {
  return account !== null || depository !== null;
}

class SourceWords {
  readonly #scope: ReportScope;
  readonly #compared: Working['compared'];
  readonly #uploads: UploadIds;
  readonly #ids: ReadonlyMap<number, Id>;

  constructor(scope: ReportScope, { compared }: Working, all: readonly Told[]) {
    this.#scope = scope;
    this.#compared = compared;
    this.#uploads = new UploadIds(scope);
    this.#ids = scope.idsOf(all.flatMap((one) => this.#rowsOf(one)));
  }

  #rowsOf(one: Told): number[] {
    const source = sourceOf(one.from);
    if (source?.kind === 'row') return [source.row];
    const traded = source?.kind === 'point' && this.#findTrade(source, positionOf(one));
    return traded ? [traded] : [];
  }

  tell(source: Source, of: PositionKey | undefined): ReportedSource {
    switch (source.kind) {
      case 'row':
        return { kind: 'transaction', transactionId: this.#ids.get(source.row) ?? null };
      case 'rows':
        return { kind: 'transactions', date: source.day };
      case 'upload':
        return { kind: 'upload', date: source.day, historicalHoldingId: this.#uploads.find(of, source.day) };
      case 'point':
        return this.#point(source, of);
      case 'rate':
        return { kind: 'fx-rate', base: source.base, quote: source.quote, date: source.day };
      case 'terms':
        return { kind: 'terms', instrumentId: of?.instrument ?? null };
      case 'position':
        return positionSource(source);
    }
  }

  #point(source: PointSource, of: PositionKey | undefined): ReportedSource {
    const { series, day: date } = source;
    if (series === 'last-trade') {
      const row = this.#findTrade(source, of);
      return row === undefined
        ? { kind: 'transactions', date }
        : { kind: 'transaction', transactionId: this.#ids.get(row) ?? null };
    }
    if (series !== 'benchmark' && series !== 'index') {
      return { kind: 'point', series, date, instrumentId: of?.instrument ?? null };
    }
    const { kind, instrument } = this.#compared!;
    return { kind: 'point', series: kind ?? series, date, instrumentId: instrument.id };
  }

  /** The last row of the day by which the position was traded at a price. */
  #findTrade({ series, day }: PointSource, of: PositionKey | undefined): number | undefined {
    const { history } = this.#scope;
    const position = of && history.table.find(of);
    if (series !== 'last-trade' || position === undefined) return undefined;
    const { rows, byPosition } = history;
    const row = byPosition
      .of(position)
      .findLast((one) => rows.days[one] === day && rows.kind(one) === 'trade' && rows.findPrice(one) !== null);
    return row === undefined ? undefined : rows.numbers[row];
  }
}

type PointSource = { readonly series: string; readonly day: Day };

/** What lies in no place is all that there is of an instrument. */
function positionSource({ account, depository, instrument }: PositionKey): ReportedSource {
  if (!isPlaced({ account, depository, instrument })) return { kind: 'instrument', instrumentId: instrument };
  return { kind: 'holding', accountId: account, depositoryId: depository, instrumentId: instrument };
}
