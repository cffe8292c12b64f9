// Renders an explanation for people: rows become transactions, points and terms name their instrument. Very large trees are cut,
// and say where.

import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import type { Id } from '../../../kit/id.ts';
import type { Explanation, Source } from '../../../engine/explanation/explanation.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ReportedFigure, ReportedSource } from '../../../model/report/explanation.ts';
import type { ReportBasis } from '../report-basis.ts';
import { UploadLookup } from '../data-quality/upload-lookup.ts';
import type { ExplanationDraft } from './explanation-draft.ts';

/** The most figures that are rendered. */
export const renderedFiguresMax = 10_000;

interface RenderedFigure {
  readonly figure: ReportedFigure;
  readonly isTruncated: boolean;
}

type MutableFigure = { -readonly [Name in keyof ReportedFigure]: ReportedFigure[Name] };

/** A figure to render, and what its numbers belong to. */
interface RenderNode {
  readonly from: Explanation;
  readonly to: MutableFigure;
  readonly depth: number;
  readonly of: PositionKey | undefined;
}

/** Level by level, so that the deepest is cut. Of a figure's inputs, all are rendered or none. */
export function renderFigure(draft: ExplanationDraft, basis: ReportBasis, depthMax: number): RenderedFigure {
  const all: RenderNode[] = [
    { from: draft.explanation, to: toMutableFigure(draft.explanation), depth: 0, of: draft.of },
  ];
  let isTruncated = false;
  for (const node of all) {
    const of = findPosition(node);
    const parts = node.from.of ?? [];
    if (parts.length === 0) continue;
    if (node.depth >= depthMax || all.length + parts.length > renderedFiguresMax) {
      node.to.isTruncated = isTruncated = true;
      continue;
    }
    const children = parts.map((from) => ({ from, to: toMutableFigure(from), depth: node.depth + 1, of }));
    node.to.of = children.map(({ to }) => to);
    for (const one of children) all.push(one);
  }
  const sources = new SourceRenderer(basis, draft, all);
  for (const one of all) {
    const source = findSource(one.from);
    if (source !== undefined) one.to.source = sources.render(source, findPosition(one));
  }
  return { figure: all[0]!.to, isTruncated };
}

function toMutableFigure(explanation: Explanation): MutableFigure {
  if (explanation.value === null) {
    const { name, value, notes } = explanation;
    return { name, value, notes };
  }
  const { source: _source, of: _of, ...figure } = explanation;
  return figure;
}

function findSource(explanation: Explanation): Source | undefined {
  return explanation.value === null ? undefined : explanation.source;
}

function findPosition({ from, of }: RenderNode): PositionKey | undefined {
  const source = findSource(from);
  return source?.kind === 'position' && hasPlace(source) ? source : of;
}

function hasPlace({ account, depository }: PositionKey): boolean {
  return account !== null || depository !== null;
}

class SourceRenderer {
  readonly #basis: ReportBasis;
  readonly #compared: ExplanationDraft['compared'];
  readonly #uploads: UploadLookup;
  readonly #ids: ReadonlyMap<number, Id>;

  constructor(basis: ReportBasis, { compared }: ExplanationDraft, all: readonly RenderNode[]) {
    this.#basis = basis;
    this.#compared = compared;
    this.#uploads = new UploadLookup(basis);
    this.#ids = basis.findTransactionIds(all.flatMap((one) => this.#transactionRows(one)));
  }

  #transactionRows(one: RenderNode): number[] {
    const source = findSource(one.from);
    if (source?.kind === 'row') return [source.row];
    const tradeRow = source?.kind === 'point' && this.#findTrade(source, findPosition(one));
    return tradeRow ? [tradeRow] : [];
  }

  render(source: Source, of: PositionKey | undefined): ReportedSource {
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
        return toReportedPosition(source);
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
    const { kind, instrument } = defined(
      this.#compared,
      'points of an instrument that is not held belong to the compared one',
    );
    return { kind: 'point', series: kind ?? series, date, instrumentId: instrument.id };
  }

  /** The last row of the day by which the instrument was traded at a price, in whichever account. */
  #findTrade({ series, day }: PointSource, of: PositionKey | undefined): number | undefined {
    const { history } = this.#basis;
    const position = of && history.table.find(of);
    if (series !== 'last-trade' || position === undefined) return undefined;
    const trade = history.values.trades.of(position).findLast((one) => one.day === day);
    return trade && history.rows.numbers[trade.row];
  }
}

type PointSource = { readonly series: string; readonly day: Day };

/** A key without a place means all of an instrument. */
function toReportedPosition({ account, depository, instrument }: PositionKey): ReportedSource {
  if (!hasPlace({ account, depository, instrument })) return { kind: 'instrument', instrumentId: instrument };
  return { kind: 'holding', accountId: account, depositoryId: depository, instrumentId: instrument };
}
