// The explanation of a figure: the figure with everything it was computed from, and the source of each number.

import type { Day } from '../../kit/day.ts';
import { anyText, boolean, computedAs, date, nullable, oneOf, recursive, type Kind } from '../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../kit/structured-field.ts';

/** Where a number comes from. */
export type ReportedSource =
  | { readonly kind: 'transaction'; readonly transactionId: string | null }
  | { readonly kind: 'transactions'; readonly date: Day }
  | { readonly kind: 'upload'; readonly date: Day; readonly historicalHoldingId: string | null }
  | { readonly kind: 'point'; readonly series: string; readonly date: Day; readonly instrumentId: string | null }
  | { readonly kind: 'fx-rate'; readonly base: string; readonly quote: string; readonly date: Day }
  | { readonly kind: 'terms'; readonly instrumentId: string | null }
  | { readonly kind: 'instrument'; readonly instrumentId: string }
  | {
      readonly kind: 'holding';
      readonly accountId: string | null;
      readonly depositoryId: string | null;
      readonly instrumentId: string;
    };

const figureOperations = ['square-root', 'exponential', 'power', 'root'] as const;
const figureRoundings = ['half-even at 18 places', 'double', 'solved'] as const;

export interface ReportedFigure {
  readonly name: string;
  readonly value: string | null;
  readonly unit?: string;
  readonly day?: Day;
  readonly formula?: string;
  readonly operation?: (typeof figureOperations)[number];
  readonly rounding?: (typeof figureRoundings)[number];
  readonly source?: ReportedSource;
  readonly notes?: readonly string[];
  readonly of?: readonly ReportedFigure[];
  /** It was computed from more figures than are listed. */
  readonly isTruncated?: true;
}

const sourceKinds = [
  'transaction',
  'transactions',
  'upload',
  'point',
  'fx-rate',
  'terms',
  'instrument',
  'holding',
] as const satisfies readonly ReportedSource['kind'][];

const sourceShape = objectOf({
  kind: member(
    oneOf(sourceKinds),
    'What kind of source it is. `transactions`: all transactions of a day, where they cannot be told apart.',
  ),
  transactionId: omissible(nullable(anyText), 'The transaction.'),
  series: omissible(anyText, 'The series of the instrument.'),
  base: omissible(anyText, 'The base currency of the exchange rate: the rate is the price of 1 unit of it.'),
  quote: omissible(anyText, 'The quote currency of the exchange rate: the rate is an amount in it.'),
  date: omissible(date, 'The day of the source.'),
  historicalHoldingId: omissible(nullable(anyText), 'The uploaded historical holding.'),
  accountId: omissible(nullable(anyText), 'The account of a holding.'),
  depositoryId: omissible(nullable(anyText), 'The depository of a holding.'),
  instrumentId: omissible(nullable(anyText), 'The instrument.'),
});

const partShape = recursive<ReportedFigure>(() => explanationShape, {
  type: 'object',
  description: 'A figure with the same members as the one that it is part of.',
});

/** Absent members are left out, since a tree has many figures. */
const figureShape = objectOf({
  name: member(anyText, 'The name of the figure.'),
  value: member(nullable(anyText), 'Plain digits. Null if there is no value: the notes say why.'),
  unit: omissible(
    anyText,
    'A currency, `units`, `days`, or `day` for a date that is expressed as the number of days since 1970-01-01.',
  ),
  day: { ...omissible(date, 'The day of the figure.'), snakeCaseName: 'date' },
  formula: omissible(
    anyText,
    'Decimals, + − × ÷ and parentheses, with the usual precedence. Its result, rounded as stated, is the value.',
  ),
  operation: omissible(
    oneOf(figureOperations),
    'How the value follows from its parts where no formula can express it. `root`: the rate at which the part is zero.',
  ),
  rounding: omissible(
    oneOf(figureRoundings),
    'Absent if the formula is exact. `double`: computed in double precision; `solved`: found numerically.',
  ),
  source: omissible(sourceShape, 'Where the number comes from. Which members it has depends on its kind.'),
  notes: omissible(listOf(anyText), 'Remarks on the figure, in stable words.'),
  of: omissible(
    listOf(partShape),
    'Every number of the formula that is a figure itself, each once, in the order of the formula.',
  ),
  isTruncated: {
    ...omissible(boolean, 'True if the figure was computed from more figures than are listed.'),
    snakeCaseName: 'truncated',
  },
});

export const explanationShape: Kind<ReportedFigure> = computedAs(figureShape, (figure: ReportedFigure) => figure);
