// The kinds of value that only transactions have: decimals with a direction, ratios of corporate actions, lots.

import {
  calendarDate,
  decimal,
  decimalSchema,
  decimalWithin,
  FieldFault,
  type FieldKind,
  type JsonSchema,
} from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { isDecimal, type Decimal } from '../../kit/decimal.ts';
import { parseCalendarDate, type CalendarDate } from '../../kit/calendar-date.ts';
import { isId, type Id } from '../../kit/id.ts';
import type { Json } from '../../kit/json.ts';

function withBounds(kind: FieldKind<Decimal>, bounds: JsonSchema, pattern: string): FieldKind<Decimal> {
  return { ...kind, schema: (style) => decimalSchema(style, bounds, pattern) };
}

const digits = String.raw`(0|[1-9]\d{0,19})(\.\d{1,18})?`;
const nonZeroLookahead = String.raw`(?=.*[1-9])`;

/** Positive in, negative out, or 0. */
export const signedDecimal = withBounds(decimal, {}, `^-?${digits}$`);

/** Positive in or negative out, but not 0. */
export const nonZeroDecimal = withBounds(
  {
    ...decimal,
    read(value: Json) {
      const read = decimal.read(value);
      if (read === '0') throw new FieldFault('must not be 0');
      return read;
    },
  },
  { not: { const: 0 } },
  `^-?${nonZeroLookahead}${digits}$`,
);

export const positiveDecimal = withBounds(
  decimalWithin({ above: '0' }, 'must be greater than 0'),
  { exclusiveMinimum: 0 },
  `^${nonZeroLookahead}${digits}$`,
);

export const nonNegativeDecimal = withBounds(
  decimalWithin({ min: '0' }, 'must not be negative'),
  { minimum: 0 },
  `^${digits}$`,
);

/** A part of a whole: 0.25 is a quarter. */
export const fractionOfWhole = withBounds(
  decimalWithin({ min: '0', max: '1' }, 'must be a fraction from 0 to 1'),
  { minimum: 0, maximum: 1 },
  String.raw`^(0(\.\d{1,18})?|1(\.0{1,18})?)$`,
);

/** Cash that can go one way only. The refusal names the figure that was sent and the one with the right sign. */
function cashDecimal(direction: 'in' | 'out'): FieldKind<Decimal> {
  const hasRightSign = (value: Decimal): boolean => value !== '0' && value.startsWith('-') === (direction === 'out');
  const expected = (value: Decimal): string => (direction === 'out' ? `-${value}` : value.slice(1));
  const bounds = direction === 'in' ? { exclusiveMinimum: 0 } : { exclusiveMaximum: 0 };
  const kind: FieldKind<Decimal> = {
    ...decimal,
    read(value: Json) {
      const read = decimal.read(value);
      if (hasRightSign(read)) return read;
      if (read === '0') throw new FieldFault('must not be 0');
      const rule =
        direction === 'in' ? 'must be positive, since cash comes in' : 'must be negative, since cash goes out';
      throw new FieldFault(`${rule}: expected ${expected(read)}, got ${read}`);
    },
  };
  return withBounds(kind, bounds, `^${direction === 'out' ? '-' : ''}${nonZeroLookahead}${digits}$`);
}

export const incomingCash = cashDecimal('in');
export const outgoingCash = cashDecimal('out');

/** Units after to units before, such as `2:1`. A text, since a ratio such as 1:3 is no finite decimal. */
export const unitRatio: FieldKind<string> = {
  read(value) {
    const parts = typeof value === 'string' ? value.split(':') : [];
    const isRatio =
      parts.length === 2 && parts.every((part) => isDecimal(part) && part !== '0' && !part.startsWith('-'));
    if (!isRatio) throw new FieldFault('must be two numbers greater than 0 with a colon between them, such as 2:1');
    return value as string;
  },
  write: (value) => value,
  schema: () => {
    const number = String.raw`(?!0(:|$))(0|[1-9]\d{0,19})(\.\d{0,17}[1-9])?`;
    return { type: 'string', pattern: `^${number}:${number}$`, examples: ['2:1'] };
  },
};

/** What opened a lot: a transaction, or an upload of a day. */
type LotOpener =
  | { readonly kind: 'transaction'; readonly id: Id }
  | { readonly kind: 'upload'; readonly date: CalendarDate };

interface LotReference {
  readonly opener: LotOpener;
  /** Its position among the lots that were opened together. */
  readonly ordinal: number;
}

const uploadPrefix = 'upload:';

/** Reads `<transaction id>` or `upload:<date>`, followed by `.<ordinal>` for lots after the first that were opened together. */
export function parseLotId(text: string): LotReference {
  const [opener = '', ordinal = '0'] = text.split('.');
  const isUpload = opener.startsWith(uploadPrefix);
  return {
    opener: isUpload
      ? { kind: 'upload', date: opener.slice(uploadPrefix.length) as CalendarDate }
      : { kind: 'transaction', id: opener as Id },
    ordinal: Number(ordinal),
  };
}

/** The transaction that opened the lot, if one did. */
export function lotTransaction(lotId: string): Id | undefined {
  const { opener } = parseLotId(lotId);
  return opener.kind === 'transaction' ? opener.id : undefined;
}

function isLotOpener(text: string): boolean {
  return text.startsWith(uploadPrefix) ? isDate(text.slice(uploadPrefix.length)) : isId(text);
}

function isDate(text: string): boolean {
  try {
    parseCalendarDate(text);
    return true;
  } catch {
    return false;
  }
}

const lotIdKind: FieldKind<string> = {
  read(value) {
    const [opener = '', ordinal, ...rest] = typeof value === 'string' ? value.split('.') : [];
    const isOrdinal = ordinal === undefined || /^(0|[1-9]\d{0,5})$/.test(ordinal);
    if (isLotOpener(opener) && isOrdinal && rest.length === 0) return value as string;
    throw new FieldFault(
      'must be the id of a lot: the id of the transaction that opened it, or upload: and a date, followed by .1 for its second lot, .2 for its third',
    );
  },
  write: (value) => value,
  schema: () => ({
    type: 'string',
    pattern: String.raw`^([0-9a-f]{24}|upload:\d{4}-\d{2}-\d{2})(\.(0|[1-9]\d{0,5}))?$`,
  }),
};

/** How many lots one transaction may name. */
const lotsMax = 1_000;

/** The lots that a sale names. */
export const specifiedLots = listOf(
  objectOf({
    id: { kind: lotIdKind, description: 'The id of the lot.' },
    quantity: { kind: positiveDecimal, description: 'How many of its units.' },
  }),
  { itemsMax: lotsMax },
);

export type SpecifiedLots = readonly { readonly id: string; readonly quantity: Decimal }[];

/** When units that are transferred in were acquired, and at what cost. */
export const acquiredLots = listOf(
  objectOf({
    date: { kind: calendarDate, description: 'When the units were acquired.' },
    quantity: { kind: positiveDecimal, description: 'How many.' },
    cost: { kind: nonNegativeDecimal, description: "What they cost, in the instrument's currency." },
  }),
  { itemsMax: lotsMax },
);
