// Explains the cash of a row: of a trade its value and accrued interest at the row's rate, of income what was earned less what was
// withheld. Of anything else, cash is what was booked.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { multiply, type Fixed } from '../../kit/fixed.ts';
import type { History } from '../history/history.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import { amountFigure, formula, halfEven, type Facets, type Figure, type Formula } from './figure.ts';
import { explainRowMoney } from './lots/lot-trade.ts';

/** `exchangeRate`: 1 of the instrument's currency in that of the amount; null if the row states none. */
export function explainRowAmount(history: History, row: LedgerTransaction, exchangeRate: Fixed | null): Figure {
  const { currency: unit, day, amount } = row;
  const facets = { unit, day, source: { kind: 'row', row: row.row } } as const;
  return amountFigure('row-amount', amount, { ...facets, ...amountFacets(history, row, exchangeRate) });
}

function amountFacets(history: History, row: LedgerTransaction, exchangeRate: Fixed | null): Facets {
  const { kind, details } = row;
  switch (traitsOfKind(kind).amount) {
    case 'units':
      return tradeFacets(history, row, exchangeRate);
    case 'income':
      return details?.withholding ? incomeFacets(row, details.withholding) : {};
    case 'charge':
    case 'transfer':
    case 'exchange':
    case 'settlement':
    case 'payment':
      return {};
  }
}

function incomeFacets({ amount, currency: unit, day }: LedgerTransaction, withholding: Fixed): Facets {
  const gross = amountFigure('earned', amount + withholding, { unit, day });
  return formula`${gross} − ${amountFigure('withheld-tax', withholding, { unit, day })}`;
}

/** What the booking rounded is a term of its own. */
function tradeFacets(history: History, row: LedgerTransaction, exchangeRate: Fixed | null): Facets {
  const { account, depository, instrument, quantity, amount, currency, day, value } = row;
  const position = instrument === null ? undefined : history.table.find({ account, depository, instrument });
  if (position === undefined || quantity === 0n) return {};
  const { currency: traded } = history.instrument(position);
  if ((traded === currency) !== (exchangeRate === null)) return {};
  const accrued = row.details?.accrued ?? 0n;
  const [isPurchase, cash] = [quantity > 0n, value + accrued];
  const money = exchangeRate === null ? cash : multiply(cash, exchangeRate);
  const rest = amount - (isPurchase ? -money : money);
  const own = explainRowMoney(history, position, { row, field: 'cost' });
  const interest = amountFigure('accrued-interest', accrued, { unit: traded, day });
  const terms = cashTerms(own, accrued === 0n ? undefined : interest, isPurchase);
  const rated =
    exchangeRate === null
      ? terms
      : formula`(${terms}) × ${amountFigure('rate-of-the-trade', exchangeRate, { unit: `${currency}/${traded}`, day })}`;
  const rounded = amountFigure('rounded-by-the-booking', rest, { unit: currency, day });
  return { ...(rest === 0n ? rated : formula`${rated} + ${rounded}`), rounding: halfEven };
}

function cashTerms(own: Figure, interest: Figure | undefined, isPurchase: boolean): Formula {
  if (isPurchase) return interest === undefined ? formula`0 − ${own}` : formula`0 − ${own} − ${interest}`;
  return interest === undefined ? formula`${own}` : formula`${own} + ${interest}`;
}
