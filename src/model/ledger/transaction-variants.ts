// The thirteen types of transaction of JSON:API and v1: the fields of each, and the directions of its cash and units.

import type { Decimal } from '../../kit/decimal.ts';
import { oneOf, type FieldKind } from '../../kit/field.ts';
import { exampleIdOfType } from '../../kit/resource.ts';
import {
  declareVariantSet,
  type VariantDefinition,
  type FieldPresence,
  type TransactionField,
  type TransactionVariantSet,
} from './transaction-variant.ts';
import type { TransactionKind, TransactionType } from './transaction-kind.ts';
import { incomingCash, outgoingCash, fractionOfWhole, nonZeroDecimal, signedDecimal } from './transaction-value.ts';

interface TypeDefinition {
  readonly kind: TransactionKind;
  readonly description: string;
  /** Which way the units go. */
  readonly units?: 'in' | 'out';
  readonly required?: readonly TransactionField[];
  readonly optional?: readonly TransactionField[];
  /** v1 has these too. */
  readonly onV1?: readonly TransactionField[];
  /** v1 works these out where they are not sent. */
  readonly computedOnV1?: readonly TransactionField[];
  readonly kinds?: Partial<Record<TransactionField, FieldKind<any>>>;
}

const trade = ['price', 'fees', 'taxes', 'accruedInterest', 'exchangeRate', 'instrument'] as const;
const flow = {
  optional: ['amount', 'quantity', 'counterAmount', 'instrument', 'counterAccount'],
  onV1: ['counterDepository'],
} as const;
const exchange = ['counterAmount', 'counterCcyCode', 'rate', 'instrument', 'counterAccount'] as const;

const definitions: Readonly<Record<TransactionType, TypeDefinition>> = {
  buy: {
    kind: 'trade',
    description: 'Units bought for cash. Fees and taxes are part of their cost.',
    units: 'in',
    required: ['quantity', 'amount'],
    optional: trade,
    computedOnV1: ['amount'],
  },
  sell: {
    kind: 'trade',
    description: "Units sold for cash. What they had cost is found by the client's accounting method.",
    units: 'out',
    required: ['quantity', 'amount'],
    optional: [...trade, 'lots'],
    computedOnV1: ['amount'],
  },
  deposit: {
    kind: 'flow',
    description: 'Cash, or units in kind, that come in: a flow and no return.',
    units: 'in',
    ...flow,
    onV1: [...flow.onV1, 'acquired'],
    kinds: { amount: incomingCash, counterAmount: outgoingCash },
  },
  withdrawal: {
    kind: 'flow',
    description: 'Cash, or units in kind, that go out: a flow and no return.',
    units: 'out',
    ...flow,
    optional: [...flow.optional, 'lots'],
    kinds: { amount: outgoingCash, counterAmount: incomingCash },
  },
  dividend: {
    kind: 'dividend',
    description: 'What an instrument pays its holders. The date is the ex-date, the settlement date the pay date.',
    required: ['amount', 'instrument'],
    optional: ['taxes'],
    kinds: { amount: incomingCash },
  },
  coupon: {
    kind: 'coupon',
    description: 'The interest that a bond pays.',
    required: ['amount', 'instrument'],
    optional: ['taxes'],
    onV1: ['trade'],
    kinds: { amount: incomingCash },
  },
  interest: {
    kind: 'interest',
    description: 'Interest on the cash of an account, or of a loan: received, or paid where it is negative.',
    required: ['amount'],
    optional: ['taxes', 'instrument'],
    onV1: ['rate', 'periodStart', 'periodEnd'],
    kinds: { rate: signedDecimal },
  },
  fee: {
    kind: 'fee',
    description: 'A charge, by category; it may be charged to an instrument.',
    required: ['amount'],
    optional: ['category', 'instrument'],
    kinds: { amount: outgoingCash },
  },
  'fx-trade': {
    kind: 'fx',
    description:
      'Cash in one currency against cash in another. Related to an FX forward contract, it is what was delivered when that settled.',
    required: ['amount'],
    optional: exchange,
    kinds: { amount: nonZeroDecimal, counterAmount: nonZeroDecimal },
  },
  'corporate-action': {
    kind: 'corporate-action',
    description:
      'What an issuer does to the units that are held. On v1 it may be booked without an account, once for all holders.',
    required: ['action', 'instrument'],
    optional: ['amount', 'exchangeRate', 'ratio', 'costShare', 'cashInLieuQuantity', 'targetInstrument'],
    computedOnV1: ['account'],
    kinds: { amount: incomingCash, costShare: fractionOfWhole },
  },
  drawing: {
    kind: 'capital-call',
    description: 'Cash called by a private-market fund.',
    units: 'in',
    required: ['amount', 'instrument'],
    optional: ['quantity', 'exchangeRate', 'effectOnUnfunded'],
    kinds: { amount: outgoingCash },
  },
  maturity: {
    kind: 'redemption',
    description:
      'Units redeemed for cash, by a partial call or at maturity. Related to an FX forward contract, it is its settlement in cash.',
    units: 'out',
    required: ['amount', 'instrument'],
    optional: ['quantity', 'price', 'fees', 'taxes', 'accruedInterest', 'exchangeRate'],
    computedOnV1: ['amount'],
  },
  'private-equity-cashflow': {
    kind: 'distribution',
    description: 'Cash paid out by a private-market fund.',
    units: 'out',
    required: ['amount', 'instrument'],
    optional: ['quantity', 'exchangeRate', 'recallableAmount'],
    kinds: { amount: incomingCash },
  },
};

/** In the order in which they are shown. */
const fieldOrder: readonly TransactionField[] = [
  'date',
  'settlementDate',
  'executedAt',
  'action',
  'ratio',
  'costShare',
  'cashInLieuQuantity',
  'quantity',
  'price',
  'amount',
  'currency',
  'exchangeRate',
  'fees',
  'taxes',
  'accruedInterest',
  'counterAmount',
  'counterCcyCode',
  'rate',
  'periodStart',
  'periodEnd',
  'effectOnUnfunded',
  'recallableAmount',
  'category',
  'lots',
  'acquired',
  'comment',
  'source',
  'externalReference',
  'createdAt',
  'account',
  'depository',
  'instrument',
  'counterAccount',
  'counterDepository',
  'targetInstrument',
  'trade',
  'client',
];

/** The wires that use these words. */
export type TypedWire = 'json-api' | 'v1';

const alwaysRequired: readonly TransactionField[] = ['date', 'account'];
const alwaysOptional: readonly TransactionField[] = [
  'settlementDate',
  'executedAt',
  'currency',
  'comment',
  'externalReference',
  'depository',
];

/** Callers speak for themselves or for a custodian; what is calculated is the service's own. */
export const writableSource = oneOf(['manual', 'custodian']);

function fieldPresences(definition: TypeDefinition, wire: TypedWire): Map<TransactionField, FieldPresence> {
  const presences = new Map<TransactionField, FieldPresence>();
  for (const field of [...alwaysRequired, ...(definition.required ?? [])]) presences.set(field, 'required');
  for (const field of [...alwaysOptional, ...(definition.optional ?? [])]) presences.set(field, 'optional');
  if (wire === 'json-api') return presences;
  for (const field of [...(definition.onV1 ?? []), ...(definition.computedOnV1 ?? []), 'source'] as const) {
    presences.set(field, 'optional');
  }
  return presences.set('createdAt', 'answered').set('client', 'answered');
}

/** Of the word that the examples of the reference speak. */
const examples: Partial<Record<TransactionField, unknown>> = {
  date: '2026-03-12',
  settlementDate: '2026-03-16',
  quantity: '150',
  price: '98.4',
  amount: '-14790',
  fees: '30',
  account: exampleIdOfType('account'),
  depository: exampleIdOfType('depository'),
  instrument: exampleIdOfType('instrument'),
};
const exampleType = 'buy';

function variantDefinition(typeName: TransactionType, wire: TypedWire): VariantDefinition<TransactionType> {
  const definition = definitions[typeName];
  const { kind, description } = definition;
  const presences = fieldPresences(definition, wire);
  const kinds: Partial<Record<TransactionField, FieldKind<any>>> = { source: writableSource, ...definition.kinds };
  const fields = fieldOrder
    .filter((name) => presences.has(name))
    .map((name) => {
      const example = typeName === exampleType && examples[name] !== undefined ? { example: examples[name] } : {};
      return [
        name,
        { presence: presences.get(name)!, ...(kinds[name] ? { kind: kinds[name] } : {}), ...example },
      ] as const;
    });
  return { typeName, kind, description, fields };
}

function variantSetFor(wire: TypedWire): TransactionVariantSet<TransactionType> {
  const typeNames = Object.keys(definitions) as TransactionType[];
  return declareVariantSet(
    typeNames.map((typeName) => variantDefinition(typeName, wire)),
    { wire, example: exampleType },
  );
}

export const transactionVariantsByWire: Readonly<Record<TypedWire, TransactionVariantSet<TransactionType>>> = {
  'json-api': variantSetFor('json-api'),
  v1: variantSetFor('v1'),
};

/** Which way the units of a type go: its word says it, and the figure is positive. */
function unitDirection(typeName: TransactionType): 'in' | 'out' | undefined {
  return definitions[typeName].units;
}

/** The units of a type as the ledger has them: negative out of the position. */
export function ledgerQuantity(typeName: TransactionType, quantity: Decimal): Decimal {
  return (unitDirection(typeName) === 'out' ? `-${quantity}` : quantity) as Decimal;
}

/** The units of a row as its type has them. */
export function unsignedQuantity(quantity: Decimal | null): Decimal | null {
  return quantity === null ? null : (quantity.replace('-', '') as Decimal);
}
