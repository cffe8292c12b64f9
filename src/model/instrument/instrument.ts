// The instrument: anything that can be held. It comes in eleven types, each declared in its own file with the fields it has;
// here they are one, for what is done to instruments of any type.

import { oneOf } from '../../kit/field.ts';
import { declareResource, type Attribute, type Keeper, type RecordOf, type Resource } from '../../kit/resource.ts';
import { bond, indexLinkedBond, zeroCouponBond } from './bond.ts';
import { fee } from './fee.ts';
import { cashForward, deliveryForward } from './fx-forward.ts';
import { loan } from './loan.ts';
import { mutualFund } from './mutual-fund.ts';
import { otherInstrument } from './other.ts';
import { privateMarketFund } from './private-market-fund.ts';
import { frameOfAll, typeWord } from './instrument-fields.ts';
import { stock } from './stock.ts';

/** In the order of the specification. */
export const instrumentTypes = [
  stock,
  bond,
  indexLinkedBond,
  zeroCouponBond,
  mutualFund,
  loan,
  fee,
  otherInstrument,
  cashForward,
  deliveryForward,
  privateMarketFund,
] as const satisfies readonly Resource[];

export type InstrumentType = (typeof instrumentTypes)[number]['type'];

const typeNames: readonly InstrumentType[] = instrumentTypes.map(({ type }) => type);

/** What keeps an instrument, of whatever type, from being deleted: a line for each table whose rows name one. */
const keptBy: readonly Keeper[] = [
  { one: 'transaction', several: 'transactions', table: 'transaction', column: 'instrument_id', isCurrent: true },
  {
    one: 'corporate action that leads to it',
    several: 'corporate actions that lead to it',
    table: 'transaction',
    column: 'target_instrument_id',
    isCurrent: true,
  },
  {
    one: 'historical holding',
    several: 'historical holdings',
    table: 'historical_holding',
    column: 'instrument_id',
    isCurrent: true,
  },
];

type AttributesOfAny = (typeof instrumentTypes)[number]['attributes'];
type NamesOfAny = AttributesOfAny extends infer A ? (A extends unknown ? keyof A : never) : never;
type KindOf<N> = AttributesOfAny extends infer A
  ? A extends unknown
    ? N extends keyof A
      ? A[N] extends Attribute<infer T>
        ? T
        : never
      : never
    : never
  : never;

/** Of no type in particular: what some type lacks is null there, and which are required is the type's to say. */
type AnyAttributes = {
  readonly [N in Exclude<NamesOfAny, 'type' | CommonName>]: Attribute<KindOf<N>> & { readonly nullable: true };
} & { readonly [N in CommonName]: Attribute<KindOf<N>> };

type CommonName = 'name' | 'priceUnit' | 'tags' | 'createdAt';
const commonNames: readonly string[] = ['name', 'priceUnit', 'tags', 'createdAt'] satisfies CommonName[];

function ofNoType(): AnyAttributes {
  const widest: Record<string, Attribute> = {};
  for (const { attributes } of instrumentTypes) {
    for (const [name, attribute] of Object.entries<Attribute>(attributes)) {
      const { required: _required, ...rest } = attribute;
      widest[name] ??= commonNames.includes(name) ? rest : { ...rest, nullable: true };
    }
  }
  return widest as unknown as AnyAttributes;
}

export const instrument = declareResource({
  ...frameOfAll,
  type: 'instrument',
  plural: 'instruments',
  description: 'An instrument: anything that can be held. Its type decides which fields it has.',
  past: { cause: 'instrument', without: [] },
  attributes: { ...ofNoType(), type: { ...typeWord('other-instrument'), kind: oneOf(typeNames) } },
  variants: { by: 'type', of: Object.fromEntries(instrumentTypes.map((one) => [one.type, one])) },
  words: {
    table: 'instrument_word',
    column: 'instrument_id',
    ofTexts: ['name', 'ticker', 'isin', 'externalIdentifier'],
    ofSets: ['tags'],
  },
  kept: { code: 'instrument-in-use', by: keptBy },
});

export type Instrument = RecordOf<typeof instrument>;
