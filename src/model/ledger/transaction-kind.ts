// The kinds of transactions that the service distinguishes, and the thirteen types that callers name them by.

export const transactionKinds = [
  'trade',
  'redemption',
  'dividend',
  'coupon',
  'interest',
  'fee',
  'flow',
  'fx',
  'corporate-action',
  'capital-call',
  'distribution',
  'forward-settlement',
] as const;

export type TransactionKind = (typeof transactionKinds)[number];

/** In the order of the specification. */
export const transactionTypes = [
  'buy',
  'sell',
  'deposit',
  'withdrawal',
  'dividend',
  'coupon',
  'interest',
  'fee',
  'fx-trade',
  'corporate-action',
  'drawing',
  'maturity',
  'private-equity-cashflow',
] as const;

export type TransactionType = (typeof transactionTypes)[number];

/** What decides the type of a transaction, beside its kind. */
interface TransactionTypeFactors {
  readonly kind: TransactionKind;
  readonly quantity: string | null;
  readonly amount: string | null;
  readonly counterAmount: string | null;
}

function isOutgoing({ quantity, amount }: TransactionTypeFactors): boolean {
  return (quantity ?? amount ?? '').startsWith('-');
}

export function transactionTypeOf(factors: TransactionTypeFactors): TransactionType {
  switch (factors.kind) {
    case 'trade':
      return isOutgoing(factors) ? 'sell' : 'buy';
    case 'flow':
      return isOutgoing(factors) ? 'withdrawal' : 'deposit';
    case 'redemption':
      return 'maturity';
    case 'fx':
      return 'fx-trade';
    case 'capital-call':
      return 'drawing';
    case 'distribution':
      return 'private-equity-cashflow';
    case 'forward-settlement':
      return factors.counterAmount === null ? 'maturity' : 'fx-trade';
    case 'dividend':
    case 'coupon':
    case 'interest':
    case 'fee':
    case 'corporate-action':
      return factors.kind;
  }
}

export const corporateActions = [
  'split',
  'reverse-split',
  'stock-dividend',
  'spin-off',
  'merger',
  'return-of-capital',
  'symbol-change',
] as const;

export type CorporateActionType = (typeof corporateActions)[number];

/** Where a transaction comes from: a custodian's feed, an entry by hand, or the service itself. */
export const transactionSources = ['custodian', 'manual', 'calculated'] as const;
