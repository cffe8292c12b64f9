// The types of transaction of the Plain shape, with their fields in its own words. Amounts are positive into the account and
// negative out of it on this wire too; only a transfer's quantity has a direction as well.

import { decimal, oneOf } from '../../kit/field.ts';
import { exampleIdOf } from '../../kit/resource.ts';
import { vocabularyOf, type FieldSketch } from './transaction-variant.ts';
import { sentSource } from './transaction-variants.ts';
import type { TransactionKind } from './transaction-kind.ts';
import { cashIn, cashOut, fraction, movedDecimal, notNegativeDecimal, signedDecimal } from './transaction-value.ts';

type Fields = Readonly<Record<string, FieldSketch>>;
type More = Omit<FieldSketch, 'presence'>;

const required = (more: More = {}): FieldSketch => ({ presence: 'required', ...more });
const optional = (more: More = {}): FieldSketch => ({ presence: 'optional', ...more });

const beginning: Fields = {
  date: required({ flatName: 'trade_date' }),
  settlementDate: optional(),
  executedAt: optional(),
};

const ending: Fields = {
  currency: optional(),
  comment: optional(),
  source: optional({ kind: sentSource }),
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
      'The cash leg: positive into the account, negative out of it. Worked out from the rest where it is not sent.',
  }),
};

const bondPrices: Fields = {
  price: optional({ flatName: 'clean_price', description: 'The price of 100 of nominal without accrued interest.' }),
  dirtyPrice: optional({
    kind: notNegativeDecimal,
    description:
      'The price of 100 of nominal with accrued interest. Beside the clean price it gives the accrued interest.',
  }),
  accruedInterest: optional(),
};

const gross = 'What was paid before anything was withheld.';
const net = 'What came into the account. Gross less withholding where it is not sent.';
const withholding = optional({ flatName: 'withholding', description: 'What was withheld of it.' });

/** Gross, withheld and net: two of them give the third. */
const incomeParts: Fields = {
  gross: optional({ kind: notNegativeDecimal, description: gross }),
  taxes: withholding,
  amount: optional({ kind: cashIn, flatName: 'net', description: net }),
};

const exchange: Fields = {
  amount: required({ kind: movedDecimal }),
  counterAmount: optional({ kind: movedDecimal }),
  counterCcyCode: optional(),
  rate: optional(),
  impliedCross: {
    presence: 'answered',
    kind: decimal,
    description: 'What 1 of the amount came to in the other currency.',
  },
  counterAccount: optional(),
};

const instrumentNeeded: Fields = { instrument: required() };
const instrumentTaken: Fields = { instrument: optional() };

interface Sketch {
  readonly kind: TransactionKind;
  readonly description: string;
  readonly fields: Fields;
}

const sketches = {
  AccountInterest: {
    kind: 'interest',
    description: 'Interest on the cash of an account, or of a loan: received, or paid where it is negative.',
    fields: {
      periodStart: optional(),
      periodEnd: optional(),
      rate: optional({ kind: signedDecimal }),
      gross: optional({ kind: signedDecimal, description: gross }),
      taxes: withholding,
      amount: optional({ kind: signedDecimal, flatName: 'net', description: net }),
      ...instrumentTaken,
    },
  },
  BondTrade: {
    kind: 'trade',
    description: 'A bond bought or sold, at a clean price and with the interest that has accrued.',
    fields: { side, quantity: required(), ...bondPrices, ...costs, lots: optional(), ...instrumentNeeded },
  },
  BondCoupon: {
    kind: 'coupon',
    description: 'The interest that a bond pays; it may name the trade it comes from.',
    fields: { ...incomeParts, ...instrumentNeeded, trade: optional() },
  },
  BondRedemption: {
    kind: 'redemption',
    description: 'Units redeemed for cash, by a partial call or at maturity.',
    fields: { quantity: required(), ...bondPrices, ...costs, ...instrumentNeeded },
  },
  EquityTrade: {
    kind: 'trade',
    description: 'Anything but a bond bought or sold. Without an instrument it waits to be identified.',
    fields: { side, quantity: required(), price: optional(), ...costs, lots: optional(), ...instrumentTaken },
  },
  Dividend: {
    kind: 'dividend',
    description:
      'What an instrument pays its holders. The trade date is the ex-date, the settlement date the pay date.',
    fields: { ...incomeParts, ...instrumentNeeded },
  },
  FxTrade: { kind: 'fx', description: 'Cash in one currency against cash in another.', fields: exchange },
  Transfer: {
    kind: 'flow',
    description: 'Cash, or units in kind, that come in or go out: not counted as return.',
    fields: {
      amount: optional({ kind: movedDecimal }),
      quantity: optional({ kind: movedDecimal, description: 'Units in kind: positive in, negative out.' }),
      counterAmount: optional({ kind: movedDecimal }),
      lots: optional(),
      ...instrumentTaken,
      counterAccount: optional(),
    },
  },
  Fee: {
    kind: 'fee',
    description: 'A charge, by category; it may be charged to an instrument.',
    fields: { amount: required({ kind: cashOut }), category: optional(), ...instrumentTaken },
  },
  CorporateAction: {
    kind: 'corporate-action',
    description: 'What an issuer does to the units that are held.',
    fields: {
      action: required(),
      ratio: optional(),
      costShare: optional({ kind: fraction }),
      cashInLieuQuantity: optional(),
      amount: optional({ kind: cashIn }),
      exchangeRate: optional(),
      ...instrumentNeeded,
      targetInstrument: optional(),
    },
  },
  CapitalCall: {
    kind: 'capital-call',
    description: 'Cash called by a private-market fund.',
    fields: {
      amount: required({ kind: cashOut }),
      quantity: optional(),
      exchangeRate: optional(),
      effectOnUnfunded: optional(),
      ...instrumentNeeded,
    },
  },
  Distribution: {
    kind: 'distribution',
    description: 'Cash paid out by a private-market fund.',
    fields: {
      amount: required({ kind: cashIn }),
      quantity: optional(),
      exchangeRate: optional(),
      recallableAmount: optional(),
      ...instrumentNeeded,
    },
  },
  ForwardSettlement: {
    kind: 'forward-settlement',
    description: 'What is paid when an FX forward contract settles in cash, or delivered when it is delivered.',
    fields: { ...exchange, ...instrumentNeeded },
  },
} as const satisfies Readonly<Record<string, Sketch>>;

export type PlainTransactionType = keyof typeof sketches;

/** Of the word that the examples of the reference speak. */
const examples: Readonly<Record<string, unknown>> = {
  date: '2026-03-12',
  settlementDate: '2026-03-16',
  side: 'buy',
  quantity: '150',
  price: '98.4',
  fees: '30',
  account: exampleIdOf('account'),
  depository: exampleIdOf('depository'),
  instrument: exampleIdOf('instrument'),
};
const exampleWord = 'EquityTrade';

const words = Object.keys(sketches) as PlainTransactionType[];

export const plainVocabulary = vocabularyOf<PlainTransactionType>(
  words.map((word) => {
    const { kind, description, fields }: Sketch = sketches[word];
    const all = Object.entries({ ...beginning, ...fields, ...ending });
    const withExamples = all.map(([name, field]) =>
      word === exampleWord && name in examples
        ? ([name, { ...field, example: examples[name] }] as const)
        : ([name, field] as const),
    );
    return { word, kind, description, fields: withExamples };
  }),
  { wire: 'plain', example: exampleWord },
);

const bondTypes: readonly string[] = ['bond-instrument', 'index-linked-bond-instrument', 'zero-coupon-bond-instrument'];

export function isBondType(type: string | null): boolean {
  return type !== null && bondTypes.includes(type);
}

const typeByKind = new Map(words.map((word) => [(sketches[word] as Sketch).kind, word]));

/** The type of a row, by its kind and by what kind of instrument it is about. */
export function plainTypeOf(kind: TransactionKind, instrumentType: string | null): PlainTransactionType {
  if (kind === 'trade') return isBondType(instrumentType) ? 'BondTrade' : 'EquityTrade';
  return typeByKind.get(kind)!;
}
