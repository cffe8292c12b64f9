// Declares the fields that every type of instrument has, and the kinds of terms that several types share.

import { calendarDate, decimalWithin, FieldFault, type FieldKind, oneOf, oneOfNumbers, text } from '../../kit/field.ts';
import { textSet } from '../../kit/structured-field.ts';
import { exampleIdOfType, type Attribute, type ToOne } from '../../kit/resource.ts';
import { countryCode } from '../country.ts';
import { currencyCode } from '../currency.ts';
import { dayCountConventions, findDayCountConvention, type DayCountConvention } from './day-count-convention.ts';
import { isin, sedol } from './security-code.ts';
import { createdAt, externalIdentifierField, nameField } from '../shared-fields.ts';

/** What a price is for: one unit, 100 of nominal, or one unit in hundredths of the currency (pence). */
export const priceUnits = ['1', 'per 100', 'hundredths'] as const;
export type InstrumentPriceUnit = (typeof priceUnits)[number];

interface TermDocs {
  readonly description: string;
  readonly example?: unknown;
}

/** A term that may be left out. */
export function optional<T>(kind: FieldKind<T>, docs: TermDocs) {
  return { kind, writable: 'always', nullable: true, ...docs } as const;
}

/** A term that every instrument of the type must have. */
export function required<T>(kind: FieldKind<T>, docs: TermDocs) {
  return { kind, writable: 'always', required: true, ...docs } as const;
}

export const positiveTerm = decimalWithin({ above: '0' }, 'must be greater than 0');
export const nonNegativeTerm = decimalWithin({ min: '0' }, 'must not be negative');

/** Refuses percentages that are sent as such, like 4.25 for 4.25 %. */
export const fractionTerm = decimalWithin(
  { min: '0', max: '1' },
  'must be a decimal fraction from 0 to 1: 4.25 % is 0.0425',
);
export const signedFractionTerm = decimalWithin(
  { min: '-1', max: '1' },
  'must be a decimal fraction from -1 to 1: 4.25 % is 0.0425',
);

export const timesPerYear = oneOfNumbers([1, 2, 4, 12]);

export const dayCountConvention: FieldKind<DayCountConvention> = {
  read(value) {
    const found = typeof value === 'string' ? findDayCountConvention(value) : undefined;
    if (found === undefined) throw new FieldFault(`must be one of ${dayCountConventions.join(', ')}`);
    return found;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', examples: dayCountConventions }),
};

export const currencyField = {
  kind: currencyCode,
  writable: 'always',
  snakeCaseName: 'currency',
  filter: true,
  description: 'ISO 4217 code of the currency it is quoted in.',
} as const satisfies Attribute;

/** The type as a field, for wires that send it in the body. */
export function typeField<const W extends string>(type: W) {
  return {
    kind: oneOf([type]),
    description: 'The type of the instrument, which decides what other fields it has. It cannot change.',
    writable: 'at-creation',
    required: true,
    filter: true,
    example: type,
  } as const satisfies Attribute<W>;
}

/** The fields of every type. The example of `name` is the type's own. */
export function sharedAttributes<const W extends string>(type: W, example: string) {
  return {
    type: typeField(type),
    name: { ...nameField('Its name.'), required: true, example },
    externalIdentifier: {
      ...externalIdentifierField(
        'An ISIN, a CUSIP, or the identifier of a custodian. An ISIN or a CUSIP is unique among the instruments of a type in one catalogue; anything else need not be.',
      ),
      example: 'I-10117',
    },
    ccyCode: { ...currencyField, nullable: true, example: 'CHF' },
    priceUnit: {
      kind: oneOf(priceUnits),
      description:
        'What a price is for: one unit (`1`), a hundred of nominal (`per 100`), or one unit in hundredths of the currency, such as pence (`hundredths`). Bonds are always quoted per 100; the default of all other types is `1`.',
      writable: 'always',
    },
    issuerCountry: optional(countryCode, {
      description: 'ISO 3166-1 code of the country of its issuer.',
      example: 'CH',
    }),
    tags: {
      kind: textSet({ lengthMax: 64, itemsMax: 50 }),
      description: 'Your own tags, for limits and for search. The tags you send replace the whole set.',
      writable: 'always',
      example: ['core'],
    },
    createdAt,
  } as const;
}

export const isinField = {
  ...optional(isin, { description: 'Its ISIN, check digit included, which is unique in one catalogue.' }),
  filter: true,
} as const;

export const sedolField = {
  ...optional(sedol, { description: 'Its SEDOL, check digit included.' }),
  filter: true,
} as const;

export const referenceRate = optional(text({ lengthMax: 64 }), {
  description:
    'The rate that its interest follows, such as `SARON` or `EURIBOR 3M`; its interest-rate points are that rate. Without one the rate is fixed.',
});
export const spread = optional(signedFractionTerm, {
  description: 'What is added to the reference rate, as a decimal fraction.',
});

export const maturity = required(calendarDate, { description: 'When it is repaid.', example: '2034-06-15' });

const sharedRelations = {
  instrumentClass: {
    to: 'instrument-class',
    description:
      'Its class, which decides its allowed transactions, its place in allocations, and which limits count it.',
    writable: 'always',
    filter: true,
    example: exampleIdOfType('instrument-class'),
  },
  reportingEntity: {
    to: 'reporting-entity',
    description:
      'The reporting entity that it is private to; null for the catalogue that all clients share. It cannot change.',
    writable: 'at-creation',
    filter: true,
    example: exampleIdOfType('reporting-entity'),
  },
  client: {
    to: 'client',
    description: 'The client of that reporting entity; null for the catalogue that all clients share.',
    writable: 'never',
  },
} as const satisfies Record<string, ToOne>;

/** The parts of the declaration that all types share. */
export const sharedDeclaration = {
  table: 'instrument',
  owner: { relation: 'client', from: 'reportingEntity', shared: true },
  relations: sharedRelations,
} as const;
