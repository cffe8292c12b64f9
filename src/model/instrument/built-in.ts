// Declares the instruments that the service provides by itself, the same in every workspace: the cash of each currency, the fees
// owed in it, and the units of trades that named no instrument. Callers read them, and give cash its interest rates.

import { instant } from '../../kit/field.ts';
import type { Attribute } from '../../kit/resource.ts';
import { currencies, currentCurrencies } from '../iso-4217.ts';
import { findMoneyInstrument, moneyInstrumentId, unidentifiedInstrument, type MoneyKind } from './built-in-id.ts';
import { sharedAttributes, sharedDeclaration } from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit, type InstrumentTraits } from './instrument-traits.ts';

/** Their values come from balances and trades, not from terms. */
const builtInTraits = {
  termFamily: 'other',
  isBond: false,
  canBeBenchmark: false,
  series: [],
  priceUnit: pricedPerUnit,
  dayCount: null,
  checks: [],
} as const satisfies InstrumentTraits;

/** The fields of every type, none of which can be written. */
function readOnlyAttributes<const W extends string>(type: W, example: string) {
  const attributes = sharedAttributes(type, example);
  return {
    ...attributes,
    createdAt: { kind: instant, description: 'Always 1970-01-01: it has always been there.', writable: 'never' },
  } as const satisfies Record<string, Attribute<any>>;
}

const cashType = 'cash-instrument';
const feesOwedType = 'fees-owed-instrument';
export const unidentifiedType = 'unidentified-instrument';

const shared = { ...sharedDeclaration, isBuiltIn: true } as const;

const cash = declareInstrumentType({
  ...shared,
  type: cashType,
  plural: 'cash-instruments',
  description:
    'The cash of a currency. There is one for each currency, with the same id in every workspace. It cannot be created, changed or deleted, but can be given interest rates.',
  only: { type: [cashType] },
  traits: { ...builtInTraits, series: ['interest-rate'] },
  attributes: readOnlyAttributes(cashType, 'Cash CHF'),
});

const feesOwed = declareInstrumentType({
  ...shared,
  type: feesOwedType,
  plural: 'fees-owed-instruments',
  description:
    'Fees in a currency that are owed and not paid yet, as uploads state them. There is one for each currency, with the same id in every workspace. It cannot be created, changed or deleted.',
  only: { type: [feesOwedType] },
  traits: builtInTraits,
  attributes: readOnlyAttributes(feesOwedType, 'Fees owed CHF'),
});

const unidentified = declareInstrumentType({
  ...shared,
  type: unidentifiedType,
  plural: 'unidentified-instruments',
  description:
    'Stands for the instrument of trades that named none. It has the same id in every workspace, and cannot be created, changed or deleted.',
  only: { type: [unidentifiedType] },
  traits: builtInTraits,
  attributes: readOnlyAttributes(unidentifiedType, 'Unidentified'),
});

export const builtInTypes = [cash, feesOwed, unidentified] as const;

export type BuiltInType = (typeof builtInTypes)[number]['type'];

const moneyTypes: Readonly<Record<MoneyKind, { readonly type: BuiltInType; readonly label: string }>> = {
  cash: { type: cashType, label: 'Cash' },
  'fees-owed': { type: feesOwedType, label: 'Fees owed' },
};

export interface BuiltInInstrument {
  readonly id: string;
  readonly type: BuiltInType;
  readonly name: string;
  /** Null for unidentified units, which may be in any. */
  readonly currency: string | null;
}

/** Finds the instrument that the service provides under this id, whether or not its currency exists. */
export function findBuiltInInstrument(id: string): BuiltInInstrument | undefined {
  if (id === unidentifiedInstrument) return { id, type: unidentifiedType, name: 'Unidentified', currency: null };
  const money = findMoneyInstrument(id);
  if (money === undefined) return undefined;
  const { type, label } = moneyTypes[money.kind];
  return { id, type, name: `${label} ${money.currency}`, currency: money.currency };
}

function moneyIds(codes: ReadonlyMap<string, unknown>): string[] {
  return (['cash', 'fees-owed'] as const).flatMap((kind) =>
    [...codes.keys()].map((currency) => moneyInstrumentId({ kind, currency })),
  );
}

/** Those that are listed, in the order of their ids: of the currencies of today. */
export const builtInInstruments: readonly BuiltInInstrument[] = [...moneyIds(currentCurrencies), unidentifiedInstrument]
  .toSorted()
  .flatMap((id) => findBuiltInInstrument(id) ?? []);

const existingIds: ReadonlySet<string> = new Set([...moneyIds(currencies), unidentifiedInstrument]);

/** The same, only for currencies that exist. */
export function findExistingBuiltIn(id: string): BuiltInInstrument | undefined {
  return existingIds.has(id) ? findBuiltInInstrument(id) : undefined;
}
