// The thirteen types of transactions: the fields of each, and the directions of its cash and units.

import type { Decimal } from '../../kit/decimal.ts';
import { oneOf, type FieldKind } from '../../kit/field.ts';
import { exampleIdOfType } from '../../kit/resource.ts';
import {
  declareVariantSet,
  type VariantDefinition,
  type FieldPresence,
  type TransactionField,
  type TransactionVariantSet,
  type VariantSetOptions,
} from './transaction-variant.ts';
import { traitsOfKind } from './kind-traits.ts';
import { transactionTypes, type TransactionKind, type TransactionType } from './transaction-kind.ts';
import { incomingCash, outgoingCash, fractionOfWhole, nonZeroDecimal, signedDecimal } from './transaction-value.ts';

interface TypeDefinition {
  readonly kind: TransactionKind;
  readonly description: string;
  /** Which way the units go. */
  readonly units?: 'in' | 'out';
  readonly required?: readonly TransactionField[];
  readonly optional?: readonly TransactionField[];
  readonly kinds?: Partial<Record<TransactionField, FieldKind<any>>>;
}

const trade = ['price', 'fees', 'taxes', 'accruedInterest', 'exchangeRate', 'instrument'] as const;
const flow = {
  optional: ['amount', 'quantity', 'counterAmount', 'instrument', 'counterAccount'],
} as const;
const exchange = ['counterAmount', 'counterCcyCode', 'rate', 'instrument', 'counterAccount'] as const;

const definitions: Readonly<Record<TransactionType, TypeDefinition>> = {
  buy: {
    kind: 'trade',
    description: 'Units bought for cash. Fees and taxes are part of their cost.',
    units: 'in',
    required: ['quantity', 'amount'],
    optional: trade,
  },
  sell: {
    kind: 'trade',
    description: "Units sold for cash. What they had cost is found by the client's accounting method.",
    units: 'out',
    required: ['quantity', 'amount'],
    optional: [...trade, 'lots'],
  },
  deposit: {
    kind: 'flow',
    description: 'Cash, or units in kind, that come in: a flow and no return.',
    units: 'in',
    ...flow,
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
    description:
      'What an instrument pays its holders. The date is the ex-date, the settlement date the pay date. A negative amount takes a dividend back, or is owed on a short position.',
    required: ['amount', 'instrument'],
    optional: ['taxes'],
    kinds: { amount: nonZeroDecimal, taxes: signedDecimal },
  },
  coupon: {
    kind: 'coupon',
    description:
      'The interest that a bond pays. A negative amount takes a coupon back, or is owed on a short position.',
    required: ['amount', 'instrument'],
    optional: ['taxes'],
    kinds: { amount: nonZeroDecimal, taxes: signedDecimal },
  },
  interest: {
    kind: 'interest',
    description: 'Interest on the cash of an account, or of a loan: received, or paid where it is negative.',
    required: ['amount'],
    optional: ['taxes', 'instrument'],
    kinds: { rate: signedDecimal, taxes: signedDecimal },
  },
  fee: {
    kind: 'fee',
    description: 'A charge, by category; it may be charged to an instrument. A positive amount is a refund.',
    required: ['amount'],
    optional: ['category', 'instrument'],
    kinds: { amount: nonZeroDecimal },
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
    description: 'What an issuer does to the units that are held.',
    required: ['action', 'instrument'],
    optional: ['amount', 'exchangeRate', 'ratio', 'costShare', 'cashInLieuQuantity', 'targetInstrument'],
    kinds: { amount: incomingCash, costShare: fractionOfWhole },
  },
  drawing: {
    kind: 'capital-call',
    description: 'Cash called by a private-market fund. A positive amount is a call that the fund returned.',
    units: 'in',
    required: ['amount', 'instrument'],
    optional: ['quantity', 'exchangeRate', 'effectOnUnfunded'],
    kinds: { amount: nonZeroDecimal },
  },
  maturity: {
    kind: 'redemption',
    description:
      'Units redeemed for cash, by a partial call or at maturity. Related to an FX forward contract, it is its settlement in cash.',
    units: 'out',
    required: ['amount', 'instrument'],
    optional: ['quantity', 'price', 'fees', 'taxes', 'accruedInterest', 'exchangeRate'],
  },
  'private-equity-cashflow': {
    kind: 'distribution',
    description: 'Cash paid out by a private-market fund. A negative amount is a distribution that was paid back.',
    units: 'out',
    required: ['amount', 'instrument'],
    optional: ['quantity', 'exchangeRate', 'recallableAmount'],
    kinds: { amount: nonZeroDecimal },
  },
};

/** In the order in which they are rendered. */
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
  'reversesTransaction',
  'client',
];

/** What a caller may send and is answered beyond the fields that every set of the types has. */
interface TransactionAdditions {
  /** Optional in every type. */
  readonly optional?: readonly TransactionField[];
  /** Only answered, in every type. */
  readonly answered?: readonly TransactionField[];
  readonly byType?: Partial<Record<TransactionType, TypeAdditions>>;
}

interface TypeAdditions {
  readonly optional: readonly TransactionField[];
  readonly description?: string;
}

const alwaysRequired: readonly TransactionField[] = ['date', 'account'];
const alwaysOptional: readonly TransactionField[] = [
  'settlementDate',
  'executedAt',
  'currency',
  'comment',
  'externalReference',
  'depository',
];

/** The sources a caller may name; `calculated` is reserved for the service. */
export const writableSource = oneOf(['manual', 'custodian']);

function fieldPresences(
  { required = [], optional = [] }: TypeDefinition,
  additions: TransactionAdditions,
  byType: TypeAdditions | undefined,
): Map<TransactionField, FieldPresence> {
  const presences = new Map<TransactionField, FieldPresence>();
  for (const field of [...alwaysRequired, ...required]) presences.set(field, 'required');
  for (const field of [...alwaysOptional, ...optional]) presences.set(field, 'optional');
  for (const field of [...(byType?.optional ?? []), ...(additions.optional ?? [])]) presences.set(field, 'optional');
  for (const field of additions.answered ?? []) presences.set(field, 'answered');
  return presences;
}

/** Values for the type that the examples of the API reference show. */
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

function variantDefinition(
  typeName: TransactionType,
  additions: TransactionAdditions,
): VariantDefinition<TransactionType> {
  const definition = definitions[typeName];
  const byType = additions.byType?.[typeName];
  const presences = fieldPresences(definition, additions, byType);
  const kinds: Partial<Record<TransactionField, FieldKind<any>>> = { source: writableSource, ...definition.kinds };
  const fields = fieldOrder.flatMap((name) => {
    const presence = presences.get(name);
    if (presence === undefined) return [];
    const example = typeName === exampleType && examples[name] !== undefined ? { example: examples[name] } : {};
    return [[name, { presence, ...(kinds[name] ? { kind: kinds[name] } : {}), ...example }] as const];
  });
  return { typeName, kind: definition.kind, description: byType?.description ?? definition.description, fields };
}

/** The thirteen types with their fields, and with what a caller is offered beyond them. */
export function declareTransactionVariants({
  resourceTypes,
  ...additions
}: TransactionAdditions &
  Pick<VariantSetOptions<TransactionType>, 'resourceTypes'>): TransactionVariantSet<TransactionType> {
  return declareVariantSet(
    transactionTypes.map((typeName) => variantDefinition(typeName, additions)),
    { example: exampleType, resourceTypes },
  );
}

/** Which way the units of a type go: the type says it, and the quantity sent is positive. */
function unitDirection(typeName: TransactionType): 'in' | 'out' | undefined {
  return definitions[typeName].units;
}

interface SentUnits {
  readonly quantity: Decimal;
  readonly amount?: Decimal | null | undefined;
}

/** The quantity as the ledger stores it: negative out of the position. Units of a returned call go out, those of a repaid distribution come in. */
export function ledgerQuantity(typeName: TransactionType, { quantity, amount }: SentUnits): Decimal {
  const isReversed = amount != null && isFundReversal(definitions[typeName].kind, amount);
  const isOut = (unitDirection(typeName) === 'out') !== isReversed;
  return (isOut ? `-${quantity}` : quantity) as Decimal;
}

/** Whether a fund returned a call, or was paid back a distribution. */
export function isFundReversal(kind: TransactionKind, amount: Decimal): boolean {
  const isOut = amount.startsWith('-');
  const { fund } = traitsOfKind(kind);
  return (fund === 'call' && !isOut) || (fund === 'distribution' && isOut);
}

/** The quantity of a row as a caller sends and reads it, without the sign that its type implies. */
export function unsignedQuantity(quantity: Decimal | null): Decimal | null {
  return quantity === null ? null : (quantity.replace('-', '') as Decimal);
}
