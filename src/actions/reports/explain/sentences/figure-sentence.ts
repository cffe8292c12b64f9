// Says in a sentence what a figure is, for people who have to defend it: "60 of 100 units bought on 3 Jan 2024 at 10.00 EUR, fee
// 5.00, at 1.0723 USD".

import { defined } from '../../../../kit/assert.ts';
import { referenceMoney } from '../../../../engine/currencies/reference-money.ts';
import type { Explanation, Figure } from '../../../../engine/explanation/explanation.ts';
import { checkpointRow } from '../../../../engine/history/checkpoint.ts';
import type { History } from '../../../../engine/history/history.ts';
import type { PositionKey } from '../../../../engine/ledger/position-key.ts';
import type { LedgerTransaction } from '../../../../engine/ledger/transaction.ts';
import { figureLabels, priceNames, ratioNames } from './figure-labels.ts';
import { readableDay, readableMoney, readablePercent, readablePrice, readableUnits } from './readable-number.ts';
import { rowSentence, tradeTerms } from './row-sentence.ts';

export interface SentenceContext {
  readonly history: History;
  /** The position that the figure belongs to. */
  readonly of: PositionKey | undefined;
  /** The row that the figure names as its source, if the reader may see it. */
  readonly row: LedgerTransaction | undefined;
  /** What the figure is about, if it names it itself: "Orbit AG in Depot". */
  readonly subject: string | undefined;
  nameInstrument(id: string): string;
}

export function figureSentence(figure: Explanation, context: SentenceContext): string {
  const sentence = describe(figure, context);
  const notes = figure.notes ?? [];
  return notes.length === 0 ? sentence : `${sentence} (${notes.join(', ').replaceAll(/[-_]/g, ' ')})`;
}

function describe(figure: Explanation, context: SentenceContext): string {
  if (figure.value === null) return `${labelOf(figure.name)}: no value`;
  const { row } = context;
  if (figure.units !== undefined) return lotSentence(figure, context);
  if (row !== undefined && rowFigures.has(figure.name)) return rowSentence(row, context);
  if (figure.name === 'exchange-rate') return rateSentence(figure);
  if (figure.name === 'traded-price')
    return `Price of the trade: ${readablePrice(figure.value)} ${figure.unit ?? ''}`.trim();
  const subject = subjectOf(figure, context);
  const day = figure.day === undefined || figure.unit === 'day' ? '' : ` on ${readableDay(figure.day)}`;
  return `${labelOf(figure.name)}${subject}${day}: ${readableValue(figure)}`;
}

function subjectOf({ name }: Figure, { subject, row, nameInstrument }: SentenceContext): string {
  if (subject !== undefined) return ` of ${subject}`;
  const isOnSale = name === 'reference-gain' && row !== undefined && row.instrument !== null;
  return isOnSale ? ` on ${nameInstrument(row.instrument!)}` : '';
}

/** Figures that are the amount or the units of one transaction. */
const rowFigures: ReadonlySet<string> = new Set([
  'amount',
  'movement',
  'row-value',
  'row-amount',
  'traded-cost',
  'capital-call',
  'distribution',
  'fund-flow',
  'units-opened',
  'units-taken',
  'last-trade',
]);

function labelOf(name: string): string {
  const label = figureLabels[name] ?? name.replaceAll('-', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function rateSentence({ value, unit = '', day }: Figure): string {
  const [quote, base] = unit.split('/');
  const on = day === undefined ? '' : ` on ${readableDay(day)}`;
  return `Exchange rate${on}: 1 ${base} = ${readablePrice(value)} ${quote}`;
}

function readableValue({ name, value, unit, day }: Figure): string {
  if (unit === 'day' && day !== undefined) return readableDay(day);
  if (unit === 'units') return `${readableUnits(value)} units`;
  if (unit === 'days') return `${readableUnits(value)} days`;
  if (unit !== undefined && /^[A-Z]{3}$/.test(unit))
    return priceNames.has(name) ? `${readablePrice(value)} ${unit}` : readableMoney(value, unit);
  return ratioNames.has(name) ? readablePercent(value) : readablePrice(value);
}

/** How many units are left of, or were taken from, how many that were bought, and on which terms. */
function lotSentence(figure: Figure, context: SentenceContext): string {
  const { units, source, name, day } = figure;
  const { left, opened } = units!;
  if (name === 'cost-taken') return takenSentence(figure, context);
  const count =
    left === opened ? `${readableUnits(left)} units` : `${readableUnits(left)} of ${readableUnits(opened)} units`;
  const { row } = context;
  const isUpload =
    source?.kind === 'upload' || (day !== undefined && source?.kind === 'row' && source.row === checkpointRow(day));
  if (isUpload)
    return `${count} that an upload stated on ${readableDay(source?.kind === 'upload' ? source.day : day!)}`;
  if (row === undefined) return day === undefined ? count : `${count} acquired on ${readableDay(day)}`;
  const terms = tradeTerms(row, context);
  if (terms !== undefined) {
    const verb = left < 0n ? 'sold short' : 'bought';
    return `${count} ${verb} on ${readableDay(row.day)}${terms}${referenceRate(figure, context, row)}`;
  }
  const acquired = day === undefined || day === row.day ? '' : `, acquired on ${readableDay(day)}`;
  return `${count} by: ${rowSentence(row, context)}${acquired}`;
}

/** ", at 1.0723 USD": what one unit of the trade's currency cost in the reference currency. */
function referenceRate({ unit }: Figure, { history, of }: SentenceContext, row: LedgerTransaction): string {
  const own = history.table.positionNumber({
    ...row,
    instrument: defined(row.instrument, 'a trade has an instrument'),
  });
  const position = (of && history.table.find(of)) ?? own;
  const context = history.currencyContext(position);
  if (context.currency === context.referenceCurrency || unit !== context.referenceCurrency) return '';
  return `, at ${readablePrice(referenceMoney(row, context).rate)} ${context.referenceCurrency}`;
}

function takenSentence(figure: Figure, context: SentenceContext): string {
  const { left, opened } = figure.units!;
  const money = readableMoney(figure.value, figure.unit ?? '').trim();
  const departed = `${readableUnits(left)} of ${readableUnits(opened)} units left`;
  if (figure.source?.kind === 'position') {
    return `${departed}${context.subject === undefined ? '' : ` from ${context.subject}`} with ${money} of the cost`;
  }
  const { row } = context;
  const by =
    row === undefined
      ? figure.day === undefined
        ? ''
        : `by the upload of ${readableDay(figure.day)}`
      : `by: ${rowSentence(row, context)}`;
  return `${departed} with ${money} of the cost, ${by}`;
}
