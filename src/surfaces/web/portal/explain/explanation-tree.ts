// The tree of an explanation as a page reads it: the figure in focus, its value in the reader's format, and the address of each part.

import { priceNames, ratioNames } from '../../../../actions/reports/explain/sentences/figure-labels.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import type { Formats } from '../../language/formats.ts';

export interface FigureSource {
  readonly kind: string;
  readonly date?: string | null;
  readonly figure?: string;
  readonly series?: string;
  readonly base?: string;
  readonly quote?: string;
  readonly transaction_id?: string | null;
  readonly account_id?: string | null;
  readonly account_name?: string | null;
  readonly depository_id?: string | null;
  readonly depository_name?: string | null;
  readonly instrument_id?: string | null;
  readonly instrument_name?: string | null;
  readonly portfolio_names?: readonly string[];
  readonly origin?: any;
}

/** A figure of `GET /v1/explain`. */
export interface ExplainedFigure {
  readonly name: string;
  readonly sentence: string;
  readonly value: string | null;
  readonly unit?: string;
  readonly date?: string;
  readonly formula?: string;
  readonly operation?: string;
  readonly rounding?: string;
  readonly source?: FigureSource;
  readonly notes?: readonly string[];
  readonly of?: readonly ExplainedFigure[];
  readonly truncated?: boolean;
}

/** The figure that the page shows, with those that led to it. */
export interface FocusedFigure {
  readonly figure: ExplainedFigure;
  /** From the whole down to it, without it. */
  readonly above: readonly ExplainedFigure[];
  readonly path: readonly number[];
}

const pathPattern = /^\d{1,5}(?:\.\d{1,5}){0,39}$/;

/** `2.0.1`: the second part of the first part of the third part. */
export function readPath(at: string | null): readonly number[] {
  if (at === null || at === '') return [];
  if (!pathPattern.test(at)) throw noSuchPart();
  return at.split('.').map(Number);
}

export function focusOn(root: ExplainedFigure, path: readonly number[]): FocusedFigure {
  const above: ExplainedFigure[] = [];
  let figure = root;
  for (const index of path) {
    const part = figure.of?.[index];
    if (part === undefined) throw noSuchPart();
    above.push(figure);
    figure = part;
  }
  return { figure, above, path };
}

function noSuchPart(): Refusal {
  return new Refusal(
    'path-not-found',
    'This figure has no such part. The bookings may have changed since: go back and choose it again.',
  );
}

/** Returns have a sign; shares, weights and rates of interest do not. */
const unsignedRatios: ReadonlySet<string> = new Set([
  'share',
  'volatility',
  'max-drawdown',
  'interest-rate',
  'reference-rate',
  'spread',
  'deviation',
  'limit-value',
  'limit-unclassified-value',
  'unclassified-value',
  'min',
  'max',
]);

const unitDigits = 6;

export interface UnitWords {
  readonly units: string;
  readonly days: string;
  readonly none: string;
}

export function valueText(
  { name, value, unit, date }: ExplainedFigure,
  { formats, words }: { readonly formats: Formats; readonly words: UnitWords },
): string {
  if (value === null) return words.none;
  if (unit === 'day') return date === undefined ? value : formats.dateLong(date);
  if (unit === 'units') return `${formats.upTo(value, unitDigits)} ${words.units}`;
  if (unit === 'days') return `${formats.upTo(value, 0)} ${words.days}`;
  if (unit?.includes('/') === true) {
    const [quote, base] = unit.split('/');
    return `1 ${base} = ${formats.upTo(value, unitDigits)} ${quote}`;
  }
  if (unit !== undefined) {
    return priceNames.has(name) ? `${formats.upTo(value, unitDigits, 2)} ${unit}` : formats.moneyWithCode(value, unit);
  }
  if (!ratioNames.has(name)) return formats.upTo(value, unitDigits);
  return unsignedRatios.has(name) ? formats.share(value, 2) : formats.percent(value);
}
