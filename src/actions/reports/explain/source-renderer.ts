// Completes rendered figures with their source and sentence: rows become transactions, and what they are about gets its name.

import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import type { Id } from '../../../kit/id.ts';
import type { Explanation, Source } from '../../../engine/explanation/explanation.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { LedgerTransaction } from '../../../engine/ledger/transaction.ts';
import type { ReportedFigure, ReportedSource } from '../../../model/report/explanation.ts';
import { UploadLookup } from '../data-quality/upload-lookup.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { SegmentNames } from '../segments/segment-names.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import type { SourceVisibility } from './source-visibility.ts';
import type { RowLookup } from './row-lookup.ts';
import { figureSentence } from './sentences/figure-sentence.ts';

/** What is shown of an explanation, and to whom. */
export interface SourceContext {
  readonly basis: ReportBasis;
  readonly names: Pick<SegmentNames, 'nameSegment'>;
  readonly rows: RowLookup;
  readonly visibility: SourceVisibility;
}

export interface SourcedNode {
  readonly from: Explanation;
  readonly to: { -readonly [Name in keyof ReportedFigure]: ReportedFigure[Name] };
}

export class SourceRenderer {
  readonly #context: SourceContext;
  readonly #draft: ExplanationDraft;
  readonly #uploads: UploadLookup;

  constructor(
    context: SourceContext,
    draft: ExplanationDraft,
    all: readonly (SourcedNode & { of: PositionKey | undefined })[],
  ) {
    this.#context = context;
    this.#draft = draft;
    this.#uploads = new UploadLookup(context.basis);
    context.rows.prepare(all.flatMap((one) => this.#rowOf(one.from, one.of) ?? []));
  }

  complete({ from, to }: SourcedNode, of: PositionKey | undefined): void {
    const source = findSource(from);
    const row = this.#findRow(from, of);
    if (source !== undefined) to.source = this.#render(source, { of, row });
    const { basis } = this.#context;
    const subject = source?.kind === 'position' ? this.#subject(source) : undefined;
    const nameInstrument = (id: string): string => this.#nameInstrument(id) ?? 'units';
    to.sentence = figureSentence(from, { history: basis.history, of, row, subject, nameInstrument });
  }

  /** An amount alone: neither how it came about, nor what it is about. */
  completeHidden({ to }: Pick<SourcedNode, 'to'>): void {
    const { basis } = this.#context;
    const value = defined(to.value, 'what has no value has no source to hide');
    const amount = { name: to.name, value, ...(to.unit !== undefined && { unit: to.unit }) };
    for (const member of ['formula', 'operation', 'rounding', 'day'] as const) delete to[member];
    to.notes = ['not-visible'];
    const context = { history: basis.history, of: undefined, row: undefined, subject: undefined };
    to.sentence = figureSentence({ ...amount, notes: to.notes }, { ...context, nameInstrument: () => 'units' });
  }

  /** "Orbit AG in Depot, North Bank"; names are left out that nobody gave. */
  #subject({ account, depository, instrument }: PositionKey): string | undefined {
    const name = this.#nameInstrument(instrument);
    const places = [this.#nameOf('account', account), this.#nameOf('depository', depository)].filter(
      (one) => one !== null,
    );
    if (name === null) return undefined;
    return places.length === 0 ? name : `${name} in ${places.join(', ')}`;
  }

  #nameOf(axis: 'account' | 'depository' | 'portfolio', id: string | null): string | null {
    return id === null ? null : this.#context.names.nameSegment(axis, id).segmentName;
  }

  #nameInstrument(id: string): string | null {
    const { names, visibility } = this.#context;
    return visibility.seesInstrument(id) ? names.nameSegment('instrument', id).segmentName : null;
  }

  #rowOf(from: Explanation, of: PositionKey | undefined): number | undefined {
    const source = findSource(from);
    if (source?.kind === 'row') return source.row;
    return source?.kind === 'point' ? this.#findTrade(source, of)?.row : undefined;
  }

  /** The transaction behind a figure, unless the reader may not see it. */
  #findRow(from: Explanation, of: PositionKey | undefined): LedgerTransaction | undefined {
    const number = this.#rowOf(from, of);
    if (number === undefined) return undefined;
    return this.#context.visibility.seesRow(number) ? this.#context.rows.find(number) : undefined;
  }

  #render(
    source: Source,
    { of, row }: { of: PositionKey | undefined; row: LedgerTransaction | undefined },
  ): ReportedSource {
    switch (source.kind) {
      case 'row':
        return { kind: 'transaction', transactionId: this.#transactionId(source.row, row), date: row?.day ?? null };
      case 'rows':
        return { kind: 'transactions', date: source.day };
      case 'upload':
        return { kind: 'upload', date: source.day, historicalHoldingId: this.#uploads.find(of, source.day) };
      case 'point':
        return this.#point(source, { of, row });
      case 'rate':
        return { kind: 'fx-rate', base: source.base, quote: source.quote, date: source.day };
      case 'terms':
        return { kind: 'terms', ...this.#instrument(of?.instrument ?? null) };
      case 'figure':
        return { kind: 'figure', figure: source.figure, date: source.day };
      case 'position':
        return this.#position(source);
    }
  }

  #transactionId(number: number, row: LedgerTransaction | undefined): Id | null {
    return row === undefined ? null : (this.#context.rows.findId(number) ?? null);
  }

  #instrument(id: string | null): { instrumentId: string | null; instrumentName: string | null } {
    if (id === null || !this.#context.visibility.seesInstrument(id))
      return { instrumentId: null, instrumentName: null };
    return { instrumentId: id, instrumentName: this.#nameInstrument(id) };
  }

  #point(
    source: PointSource,
    { of, row }: { of: PositionKey | undefined; row: LedgerTransaction | undefined },
  ): ReportedSource {
    const { series, day: date } = source;
    if (series === 'last-trade') {
      return row === undefined
        ? { kind: 'transactions', date }
        : { kind: 'transaction', transactionId: this.#transactionId(row.row, row), date };
    }
    if (series !== 'benchmark' && series !== 'index') {
      return { kind: 'point', series, date, ...this.#instrument(of?.instrument ?? null) };
    }
    const { kind, instrument } = defined(
      this.#draft.compared,
      'points of an instrument that is not held belong to the compared one',
    );
    return {
      kind: 'point',
      series: kind ?? series,
      date,
      instrumentId: instrument.id,
      instrumentName: instrument.name,
    };
  }

  /** The last row of the day by which the instrument was traded at a price, in whichever account. */
  #findTrade({ series, day }: PointSource, of: PositionKey | undefined): { readonly row: number } | undefined {
    const { history } = this.#context.basis;
    const position = of && history.table.find(of);
    if (series !== 'last-trade' || position === undefined) return undefined;
    const trade = history.values.trades.of(position).findLast((one) => one.day === day);
    return trade && { row: history.rows.numbers[trade.row]! };
  }

  /** A key without a place means all of an instrument. */
  #position(key: PositionKey): ReportedSource {
    const { account, depository, instrument } = key;
    if (account === null && depository === null) return { kind: 'instrument', ...this.#instrument(instrument) };
    const portfolios = this.#context.basis.places.listPortfolios(key).map((id) => this.#nameOf('portfolio', id));
    return {
      kind: 'holding',
      accountId: account,
      accountName: this.#nameOf('account', account),
      depositoryId: depository,
      depositoryName: this.#nameOf('depository', depository),
      ...this.#instrument(instrument),
      portfolioNames: portfolios.filter((name) => name !== null),
    };
  }
}

type PointSource = { readonly series: string; readonly day: Day };

export function findSource(explanation: Explanation): Source | undefined {
  return explanation.value === null ? undefined : explanation.source;
}
