// Joins the declarations of all instrument types into one resource, and answers what the type of an instrument decides.

import { oneOf } from '../../kit/field.ts';
import { declareResource, type Attribute, type DeleteBlocker, type RecordOf } from '../../kit/resource.ts';
import { defined } from '../../kit/assert.ts';
import type { DayCountConvention } from './day-count-convention.ts';
import { builtInTypes } from './built-in.ts';
import { bond, indexLinkedBond, zeroCouponBond } from './bond.ts';
import { fee } from './fee.ts';
import { cashSettledForward, physicallyDeliveredForward } from './fx-forward.ts';
import { loan } from './loan.ts';
import { mutualFund } from './mutual-fund.ts';
import { otherInstrument } from './other.ts';
import { privateMarketFund } from './private-market-fund.ts';
import { sharedDeclaration, typeField, type InstrumentPriceUnit } from './instrument-fields.ts';
import type { InstrumentDeclaration, InstrumentTraits } from './instrument-traits.ts';
import { stock } from './stock.ts';

/** Those that callers create, in the order of the specification. */
export const instrumentTypes = [
  stock,
  bond,
  indexLinkedBond,
  zeroCouponBond,
  mutualFund,
  loan,
  fee,
  otherInstrument,
  cashSettledForward,
  physicallyDeliveredForward,
  privateMarketFund,
] as const satisfies readonly InstrumentDeclaration[];

const allTypes = [...instrumentTypes, ...builtInTypes] as const;

export type InstrumentType = (typeof allTypes)[number]['type'];

/** The names of all types, those that the service provides included. */
export const instrumentTypeNames: readonly InstrumentType[] = allTypes.map(({ type }) => type);

/** The rows that prevent an instrument from being deleted: one entry for each table that refers to instruments. */
const deleteBlockers: readonly DeleteBlocker[] = [
  {
    one: 'transaction',
    several: 'transactions',
    table: 'transaction',
    column: 'instrument_id',
    currentBy: 'known_until',
  },
  {
    one: 'corporate action that leads to it',
    several: 'corporate actions that lead to it',
    table: 'transaction',
    column: 'target_instrument_id',
    currentBy: 'known_until',
  },
  {
    one: 'historical holding',
    several: 'historical holdings',
    table: 'historical_holding',
    column: 'instrument_id',
    currentBy: 'current_environment',
  },
];

type AnyTypeAttributes = (typeof instrumentTypes)[number]['attributes'];
type AnyAttributeName = AnyTypeAttributes extends infer A ? (A extends unknown ? keyof A : never) : never;
type AttributeValue<N> = AnyTypeAttributes extends infer A
  ? A extends unknown
    ? N extends keyof A
      ? A[N] extends Attribute<infer T>
        ? T
        : never
      : never
    : never
  : never;

/** The fields of all types together. A field that some type lacks is nullable; which ones are required, each type decides. */
type MergedAttributes = {
  readonly [N in Exclude<AnyAttributeName, 'type' | SharedAttributeName>]: Attribute<AttributeValue<N>> & {
    readonly nullable: true;
  };
} & { readonly [N in SharedAttributeName]: Attribute<AttributeValue<N>> };

type SharedAttributeName = 'name' | 'priceUnit' | 'tags' | 'createdAt';
const sharedAttributeNames: readonly string[] = [
  'name',
  'priceUnit',
  'tags',
  'createdAt',
] satisfies SharedAttributeName[];

function mergeAttributes(): MergedAttributes {
  const merged: Record<string, Attribute> = {};
  for (const { attributes } of instrumentTypes) {
    for (const [name, attribute] of Object.entries<Attribute>(attributes)) {
      const { required: _required, ...rest } = attribute;
      merged[name] ??= sharedAttributeNames.includes(name) ? rest : { ...rest, nullable: true };
    }
  }
  return merged as unknown as MergedAttributes;
}

export const instrument = declareResource({
  ...sharedDeclaration,
  type: 'instrument',
  plural: 'instruments',
  description: 'An instrument: anything that can be held. Its type decides which fields it has.',
  usage: {
    purpose:
      'Trades, prices and holdings refer to instruments, and the type decides how they are valued: a stock by its price, a fund by its net asset value, a loan by its terms.',
    list: 'Search before you create: by name, by a code such as an ISIN, or by type and class.',
    read: 'Look up the terms of an instrument, for example to see why it is valued as it is.',
    create:
      'Add something that can be held to the catalogue of the workspace, or privately for one reporting entity. Give it a class, so that allocations and limits know where it belongs.',
    change:
      'Correct the terms of an instrument, or move it to another class. Everything that holds it is valued with the new terms.',
    delete: 'Remove an instrument that was created by mistake: one that nothing refers to.',
  },
  // A row of another type exists only so that points can refer to it.
  only: { type: instrumentTypes.map(({ type }) => type) },
  history: { cause: 'instrument', ignoredFields: ['sedol'] },
  attributes: { ...mergeAttributes(), type: { ...typeField(otherInstrument.type), kind: oneOf(instrumentTypeNames) } },
  variants: { by: 'type', of: Object.fromEntries(allTypes.map((one) => [one.type, one])) },
  words: {
    table: 'instrument_word',
    column: 'instrument_id',
    textFields: ['name', 'ticker', 'isin', 'externalIdentifier'],
    setFields: ['tags'],
  },
  deletion: { code: 'instrument-in-use', blockedBy: deleteBlockers },
});

export type Instrument = RecordOf<typeof instrument>;

const traitsByType: ReadonlyMap<string, InstrumentTraits> = new Map(allTypes.map(({ type, traits }) => [type, traits]));

export function traitsOf(type: InstrumentType): InstrumentTraits {
  return defined(traitsByType.get(type), 'every instrument type declares its traits');
}

/** The types of those that performance is compared with. The API takes any instrument; pages offer these. */
export const benchmarkTypes: readonly InstrumentType[] = allTypes
  .filter(({ traits }) => traits.canBeBenchmark)
  .map(({ type }) => type);

/** Whether this names a type of bond. Null stands for a row that names no instrument. */
export function isBondType(type: string | null): boolean {
  return type !== null && traitsByType.get(type)?.isBond === true;
}

/** Whether its nominal grows with an index, by its index factors. */
export function isIndexLinked({ type }: Pick<Instrument, 'type'>): boolean {
  return traitsOf(type).termFamily === 'index-linked-bond';
}

/** What one price of the instrument is for: what its type fixes, else what the instrument says. */
export function priceUnitOf({ type, priceUnit }: Pick<Instrument, 'type' | 'priceUnit'>): InstrumentPriceUnit {
  const rule = traitsOf(type).priceUnit;
  return 'fixed' in rule ? rule.fixed : priceUnit;
}

/** How its days are counted, for an instrument of a type that accrues. */
export function dayCountOf({
  type,
  dayCountConvention,
}: Pick<Instrument, 'type' | 'dayCountConvention'>): DayCountConvention {
  const rule = traitsOf(type).dayCount;
  if (rule !== null && 'fixed' in rule) return rule.fixed;
  return defined(dayCountConvention, 'an instrument that accrues has a day count convention');
}
