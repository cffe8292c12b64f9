// The explanation of a figure: the figure with everything it was computed from, and the source of each number.

import type { Day } from '../../kit/day.ts';
import { snakeCase } from '../../kit/resource.ts';
import {
  anyText,
  boolean,
  computedAs,
  date,
  instant,
  nullable,
  oneOf,
  recursive,
  type Kind,
  type ValueOf,
} from '../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../kit/structured-field.ts';

/** Where and by whom a number was recorded. */
const originShape = objectOf({
  recordedAt: member(instant, 'Since when it is known as it is.'),
  recordedBy: member(
    nullable(anyText),
    'The application, key or person that booked it; null if the service did, or they are gone.',
  ),
  source: member(nullable(anyText), 'How it came in, or who published it: the `source` of the booking, price or rate.'),
  externalReference: member(nullable(anyText), 'The reference of the booking.'),
  comment: member(nullable(anyText), 'The comment of the booking.'),
  import: member(
    nullable(
      objectOf({
        name: member(nullable(anyText), 'The name of the file.'),
        origin: member(anyText, 'Where it came from, such as `file` or `feed`.'),
        bookedAt: member(instant, 'When it was booked.'),
      }),
    ),
    'The import that booked it; null if none did.',
  ),
});
export type ReportedOrigin = ValueOf<typeof originShape>;

/** Where a number comes from. */
export type ReportedSource = SourceOfKind & { readonly origin?: ReportedOrigin };

type SourceOfKind =
  | { readonly kind: 'transaction'; readonly transactionId: string | null; readonly date: Day | null }
  | { readonly kind: 'transactions'; readonly date: Day }
  | { readonly kind: 'upload'; readonly date: Day; readonly historicalHoldingId: string | null }
  | ({ readonly kind: 'point'; readonly series: string; readonly date: Day } & NamedInstrument)
  | { readonly kind: 'fx-rate'; readonly base: string; readonly quote: string; readonly date: Day }
  | ({ readonly kind: 'terms' } & NamedInstrument)
  | { readonly kind: 'figure'; readonly figure: string; readonly date: Day }
  | ({ readonly kind: 'instrument' } & NamedInstrument)
  | ({
      readonly kind: 'holding';
      readonly accountId: string | null;
      readonly accountName: string | null;
      readonly depositoryId: string | null;
      readonly depositoryName: string | null;
      readonly portfolioNames: readonly string[];
    } & NamedInstrument);

interface NamedInstrument {
  readonly instrumentId: string | null;
  readonly instrumentName: string | null;
}

const figureOperations = ['square-root', 'exponential', 'power', 'root'] as const;
const figureRoundings = ['half-even at 18 places', 'double', 'solved'] as const;

export interface ReportedFigure {
  readonly name: string;
  /** Absent while it is being rendered. */
  readonly sentence?: string;
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
  'figure',
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
  date: omissible(nullable(date), 'The day of the source.'),
  figure: omissible(
    anyText,
    'the figure of the same segments that is explained in full for that day: `market-value` or `daily-twr`.',
  ),
  historicalHoldingId: omissible(nullable(anyText), 'The uploaded historical holding.'),
  accountId: omissible(nullable(anyText), 'The account of a holding.'),
  accountName: omissible(nullable(anyText), 'Its present name.'),
  depositoryId: omissible(nullable(anyText), 'The depository of a holding.'),
  depositoryName: omissible(nullable(anyText), 'Its present name.'),
  instrumentId: omissible(nullable(anyText), 'The instrument; null if the reader may not see it.'),
  instrumentName: omissible(nullable(anyText), 'Its name; with `known_at`, as it was known then.'),
  portfolioNames: omissible(listOf(anyText), 'The portfolios of the reporting entity that the holding is in.'),
  origin: omissible(originShape, 'With `origin_at`: where and by whom it was recorded.'),
});

const partShape = recursive<ReportedFigure>(() => explanationShape, {
  type: 'object',
  description: 'A figure with the same members as the one that it is part of.',
});

/** Absent members are left out, since a tree has many figures. */
const figureShape = objectOf({
  name: member(anyText, 'The name of the figure.'),
  sentence: omissible(
    anyText,
    'What the figure is, in words: “60 of 100 units bought on 3 Jan 2024 at 10.00 EUR, fee 5.00, at 1.0723 USD”. Numbers in it are rounded; `value` has all digits.',
  ),
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

/** The explanations of a row's figures, by the names of its members; a figure that the row does not have has none. */
export function explanationsMember<Name extends string>(names: readonly Name[]) {
  const members = Object.fromEntries(
    names.map((name) => [name, omissible(explanationShape, `Explains \`${snakeCase(name)}\`.`)]),
  ) as { [N in Name]: ReturnType<typeof omissibleExplanation> };
  return omissible(
    objectOf(members),
    'With `explain=true`: the explanation of each figure of the row. All explanations of an answer together have at most 10,000 figures; what is left out is marked as `truncated`.',
  );
}

function omissibleExplanation() {
  return omissible(explanationShape, '');
}
