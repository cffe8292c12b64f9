// The types of transactions on Plain, with their fields under Plain's names. Amounts are positive into the account and negative
// out of it; of quantities, only that of a transfer has a sign.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { defined } from '../../kit/assert.ts';
import { decimal, oneOf } from '../../kit/field.ts';
import { keysOf } from '../../kit/keys.ts';
import { exampleIdOfType } from '../../kit/resource.ts';
import { isBondType } from '../../model/instrument/instrument.ts';
import { declareVariantSet, type FieldOverride } from '../../model/ledger/transaction-variant.ts';
import { writableSource } from '../../model/ledger/transaction-variants.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import {
  incomingCash,
  fractionOfWhole,
  nonZeroDecimal,
  nonNegativeDecimal,
  signedDecimal,
} from '../../model/ledger/transaction-value.ts';

type Fields = Readonly<Record<string, FieldOverride>>;
type FieldOptions = Omit<FieldOverride, 'presence'>;

const required = (options: FieldOptions = {}): FieldOverride => ({ presence: 'required', ...options });
const optional = (options: FieldOptions = {}): FieldOverride => ({ presence: 'optional', ...options });

const leadingFields: Fields = {
  date: required({ snakeCaseName: 'trade_date' }),
  settlementDate: optional(),
  executedAt: optional(),
};

const trailingFields: Fields = {
  currency: optional(),
  comment: optional(),
  source: optional({ kind: writableSource }),
  externalReference: optional(),
  account: required(),
  depository: optional(),
};

const side = required({ kind: oneOf(['buy', 'sell']), description: 'Whether units are bought or sold.' });

const costs: Fields = {
  fees: optional(),
  taxes: optional(),
  exchangeRate: optional(),
  amount: optional({
    description:
      'The cash leg: positive into the account, negative out of it. Calculated from the other fields where it is not sent.',
  }),
};

const bondPrices: Fields = {
  price: optional({
    snakeCaseName: 'clean_price',
    description: 'The price of 100 of nominal without accrued interest.',
  }),
  quotedPrice: optional({
    kind: nonNegativeDecimal,
    snakeCaseName: 'price',
    description: 'The clean price under the name that it has in other trades. If both are sent, they must be the same.',
  }),
  dirtyPrice: optional({
    kind: nonNegativeDecimal,
    description:
      'The price of 100 of nominal with accrued interest. Beside the clean price it gives the accrued interest.',
  }),
  accruedInterest: optional(),
};

const gross = 'What was paid before anything was withheld.';
const net = 'What came into the account. Gross less withholding where it is not sent.';
const withholding = optional({
  kind: signedDecimal,
  snakeCaseName: 'withholding',
  description: 'The tax that was withheld, with the sign of the gross amount.',
});

/** Gross, withheld and net: two of them give the third. */
const incomeParts: Fields = {
  gross: optional({ kind: signedDecimal, description: gross }),
  taxes: withholding,
  amount: optional({ kind: nonZeroDecimal, snakeCaseName: 'net', description: net }),
};

const exchange: Fields = {
  amount: required({ kind: nonZeroDecimal }),
  counterAmount: optional({ kind: nonZeroDecimal }),
  counterCcyCode: optional(),
  rate: optional(),
  impliedCross: {
    presence: 'answered',
    kind: decimal,
    description: 'What 1 of the amount came to in the other currency.',
  },
  counterAccount: optional(),
};

const requiredInstrument: Fields = { instrument: required() };
const optionalInstrument: Fields = { instrument: optional() };

interface TypeDefinition {
  readonly kind: TransactionKind;
  readonly description: string;
  readonly fields: Fields;
}

const definitions = {
  AccountInterest: {
    kind: 'interest',
    description: 'Interest on the cash of an account, or of a loan: received, or paid where it is negative.',
    fields: {
      periodStart: optional(),
      periodEnd: optional(),
      rate: optional({ kind: signedDecimal }),
      gross: optional({ kind: signedDecimal, description: gross }),
      taxes: withholding,
      amount: optional({ kind: signedDecimal, snakeCaseName: 'net', description: net }),
      ...optionalInstrument,
    },
  },
  BondTrade: {
    kind: 'trade',
    description: 'A bond bought or sold, at a clean price and with the interest that has accrued.',
    fields: { side, quantity: required(), ...bondPrices, ...costs, lots: optional(), ...requiredInstrument },
  },
  BondCoupon: {
    kind: 'coupon',
    description:
      'The interest that a bond pays; it may name the period it pays, and the trade it comes from. A negative amount takes a coupon back, or is owed on a short position.',
    fields: {
      periodStart: optional(),
      periodEnd: optional(),
      ...incomeParts,
      ...requiredInstrument,
      trade: optional(),
    },
  },
  BondRedemption: {
    kind: 'redemption',
    description: 'Units redeemed for cash, by a partial call or at maturity.',
    fields: { quantity: required(), ...bondPrices, ...costs, ...requiredInstrument },
  },
  EquityTrade: {
    kind: 'trade',
    description: 'Anything but a bond bought or sold. Without an instrument, it counts as unidentified.',
    fields: { side, quantity: required(), price: optional(), ...costs, lots: optional(), ...optionalInstrument },
  },
  Dividend: {
    kind: 'dividend',
    description:
      'What an instrument pays its holders. The trade date is the ex-date, the settlement date the pay date. A negative amount takes a dividend back, or is owed on a short position.',
    fields: { ...incomeParts, ...requiredInstrument },
  },
  FxTrade: { kind: 'fx', description: 'Cash in one currency against cash in another.', fields: exchange },
  Transfer: {
    kind: 'flow',
    description: 'Cash, or units in kind, that come in or go out: not counted as return.',
    fields: {
      amount: optional({ kind: nonZeroDecimal }),
      quantity: optional({ kind: nonZeroDecimal, description: 'Units in kind: positive in, negative out.' }),
      counterAmount: optional({ kind: nonZeroDecimal }),
      lots: optional(),
      ...optionalInstrument,
      counterAccount: optional(),
    },
  },
  Fee: {
    kind: 'fee',
    description: 'A charge, by category; it may be charged to an instrument. A positive amount is a refund.',
    fields: { amount: required({ kind: nonZeroDecimal }), category: optional(), ...optionalInstrument },
  },
  CorporateAction: {
    kind: 'corporate-action',
    description: 'What an issuer does to the units that are held.',
    fields: {
      action: required(),
      ratio: optional(),
      costShare: optional({ kind: fractionOfWhole }),
      cashInLieuQuantity: optional(),
      amount: optional({ kind: incomingCash }),
      exchangeRate: optional(),
      ...requiredInstrument,
      targetInstrument: optional(),
    },
  },
  CapitalCall: {
    kind: 'capital-call',
    description: 'Cash called by a private-market fund. A positive amount is a call that the fund returned.',
    fields: {
      amount: required({ kind: nonZeroDecimal }),
      quantity: optional(),
      exchangeRate: optional(),
      effectOnUnfunded: optional(),
      ...requiredInstrument,
    },
  },
  Distribution: {
    kind: 'distribution',
    description: 'Cash paid out by a private-market fund. A negative amount is a distribution that was paid back.',
    fields: {
      amount: required({ kind: nonZeroDecimal }),
      quantity: optional(),
      exchangeRate: optional(),
      recallableAmount: optional(),
      ...requiredInstrument,
    },
  },
  ForwardSettlement: {
    kind: 'forward-settlement',
    description: 'What is paid when an FX forward contract settles in cash, or delivered when it is delivered.',
    fields: { ...exchange, ...requiredInstrument },
  },
} as const satisfies Readonly<Record<string, TypeDefinition>>;

export type PlainTransactionType = keyof typeof definitions;

/** Values for the type that the examples of the API reference show. */
const examples: Readonly<Record<string, unknown>> = {
  date: '2026-03-12',
  settlementDate: '2026-03-16',
  side: 'buy',
  quantity: '150',
  price: '98.4',
  fees: '30',
  account: exampleIdOfType('account'),
  depository: exampleIdOfType('depository'),
  instrument: exampleIdOfType('instrument'),
};
const exampleType = 'EquityTrade';

const typeNames = keysOf(definitions);

export const plainTransactionVariants = declareVariantSet<PlainTransactionType>(
  typeNames.map((typeName) => {
    const { kind, description, fields }: TypeDefinition = definitions[typeName];
    const allFields = Object.entries({ ...leadingFields, ...fields, ...trailingFields });
    const withExamples = allFields.map(([name, field]) =>
      typeName === exampleType && name in examples
        ? ([name, { ...field, example: examples[name] }] as const)
        : ([name, field] as const),
    );
    return { typeName, kind, description, fields: withExamples };
  }),
  { example: exampleType, resourceTypes: 'one-per-type' },
);

const typeByKind = new Map(typeNames.map((typeName) => [(definitions[typeName] as TypeDefinition).kind, typeName]));

/** The type of a row, by its kind and by the type of its instrument. */
export function plainTransactionTypeOf(kind: TransactionKind, instrumentType: string | null): PlainTransactionType {
  if (traitsOfKind(kind).units === 'traded') return isBondType(instrumentType) ? 'BondTrade' : 'EquityTrade';
  return defined(typeByKind.get(kind), 'every kind has a type');
}
