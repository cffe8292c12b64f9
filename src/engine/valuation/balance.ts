// Values cash and debts: they are worth their own amount.

import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { Valuation } from './value-part.ts';

export function balanceValuation(currency: IsoCurrency, balance: Fixed): Valuation {
  return {
    currency,
    value: balance,
    accrued: 0n,
    source: 'balance',
    day: null,
    isStale: false,
    isEstimated: false,
    findings: [],
    parts: [{ kind: 'balance', amount: balance }],
  };
}
