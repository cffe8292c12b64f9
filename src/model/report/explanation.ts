// The working of a figure as the service tells it: the figure with all that it was made of, and where each number was found. Knows
// not which figures there are.

import type { Day } from '../../kit/day.ts';
import { date, type JsonSchema, type Kind, type WritingStyle } from '../../kit/field.ts';
import { snakeCase } from '../../kit/resource.ts';

/** Where a number was found, in the words of the service. */
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

export interface ReportedFigure {
  readonly name: string;
  readonly value: string | null;
  readonly unit?: string;
  readonly day?: Day;
  readonly formula?: string;
  readonly operation?: string;
  readonly rounding?: string;
  readonly source?: ReportedSource;
  readonly notes?: readonly string[];
  readonly of?: readonly ReportedFigure[];
  /** What it was made of is more than is told. */
  readonly isTruncated?: true;
}

const text = (description: string): JsonSchema => ({ type: 'string', description });
const id = (description: string): JsonSchema => ({ type: ['string', 'null'], description });

const sourceSchema: JsonSchema = {
  type: 'object',
  description: 'Where the number was found. What is said of it depends on its kind.',
  required: ['kind'],
  properties: {
    kind: {
      type: 'string',
      enum: ['transaction', 'transactions', 'upload', 'point', 'fx-rate', 'terms', 'instrument', 'holding'],
      description: '`transactions`: of a day, where they cannot be told apart.',
    },
    transaction_id: id('The transaction.'),
    historical_holding_id: id('The historical holding that was uploaded.'),
    series: text('Which series of the instrument.'),
    date: { type: 'string', format: 'date', description: 'Of which day it is.' },
    base: text('1 of this currency'),
    quote: text('is so much of this one.'),
    account_id: id('The account of a holding.'),
    depository_id: id('The depository of a holding.'),
    instrument_id: id('The instrument.'),
  },
  additionalProperties: false,
};

const figureSchema: JsonSchema = {
  type: 'object',
  required: ['name', 'value'],
  properties: {
    name: text('What it is.'),
    value: { type: ['string', 'null'], description: 'Plain digits. Null where there is none: the notes say why.' },
    unit: text('A currency, `units`, `days`, or `day` for the number of a day, counted from 1970-01-01.'),
    date: { type: 'string', format: 'date', description: 'Of which day it is.' },
    formula: text(
      'Decimals, + − × ÷ and parentheses, with the usual precedence: what it comes to, rounded as stated, is the value.',
    ),
    operation: {
      type: 'string',
      enum: ['square-root', 'exponential', 'power', 'root'],
      description:
        'Where a formula cannot say it, what the value is of its parts; a `root` is that at which its part comes to nothing.',
    },
    rounding: {
      type: 'string',
      enum: ['half-even at 18 places', 'double', 'solved'],
      description:
        'Absent where the formula is exact. `double`: as exact as a double is; `solved`: as near as a root comes.',
    },
    source: sourceSchema,
    notes: { type: 'array', items: { type: 'string' }, description: 'What to know of it, in stable words.' },
    of: {
      type: 'array',
      items: { type: 'object', description: 'A figure like the one that it is a part of.' },
      description: 'Every number of the formula that is a figure itself, each once, in the order of the formula.',
    },
    truncated: { type: 'boolean', description: 'True where it was made of more figures than are told.' },
  },
  additionalProperties: false,
};

/** Nothing that is empty: a tree has many figures. */
export const explanationShape: Kind<ReportedFigure> = { write: writeFigure, schema: () => figureSchema };

function writeFigure(figure: ReportedFigure, style: WritingStyle): object {
  const { name, value, unit, day, formula, operation, rounding, source, notes, of, isTruncated } = figure;
  return {
    name,
    value,
    ...(unit !== undefined && { unit }),
    ...(day !== undefined && { date: date.write(day, style) }),
    ...(formula !== undefined && { formula }),
    ...(operation !== undefined && { operation }),
    ...(rounding !== undefined && { rounding }),
    ...(source !== undefined && { source: writeSource(source, style) }),
    ...(notes !== undefined && { notes }),
    ...(of !== undefined && { of: of.map((part) => writeFigure(part, style)) }),
    ...(isTruncated && { truncated: true }),
  };
}

function writeSource(source: ReportedSource, style: WritingStyle): object {
  const entries = Object.entries(source).map(([name, value]) => [
    snakeCase(name),
    name === 'date' ? date.write(value as Day, style) : value,
  ]);
  return Object.fromEntries(entries);
}
