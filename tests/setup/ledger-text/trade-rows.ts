// Reads transactions that exchange units for cash: buys, sells, redemptions, calls and distributions of funds, settlements of
// forwards.

import type { CounterCash } from '../../../src/engine/ledger/transaction.ts';
import { divideRounded, oneFixed, type Fixed } from '../../../src/kit/fixed.ts';
import { presentDetails, nonEmpty, type RowParts, type RowTextReader, type RowText } from './row-text.ts';

export const tradeReaders: readonly (readonly [string, RowTextReader])[] = [
  ['buy', (row) => readTrade(row, 1n)],
  ['sell', (row) => readTrade(row, -1n)],
  ['redeem', (row) => ({ ...readTrade(row, -1n), kind: 'redemption' })],
  ['call', (row) => readFundFlow(row, -1n)],
  ['distribution', (row) => readFundFlow(row, 1n)],
  ['settle', readSettlement],
];

/**
 * `buy A X 100 @ 10 fees 1`, or `for 1000` instead of a price: fees and taxes raise the cost of a buy and lower the proceeds of a
 * sell.
 */
function readTrade(row: RowText, side: 1n | -1n): RowParts {
  const place = row.place();
  const instrument = row.instrument(place);
  const units = row.words.amount();
  const price = row.words.skip('@') ? row.words.amount() : null;
  const stated = price === null ? readFor(row) : 0n;
  const clauses = row.clauses('fees', 'taxes', 'accrued', 'index', 'rate', 'amount', 'in', 'from');
  const { fees, taxes, accrued, index = oneFixed, named } = clauses;
  const isPerHundred =
    instrument.priceUnit !== '1' || instrument.terms?.type === 'bond' || instrument.terms?.type === 'zero-coupon';
  const scale = oneFixed * oneFixed * (isPerHundred ? 100n : 1n);
  const gross = price === null ? stated : divideRounded(units * price * index, scale);
  const value = gross + side * (fees + taxes);
  return {
    kind: 'trade',
    ...place,
    instrument: instrument.id,
    quantity: side * units,
    price,
    value,
    ...row.cash(-side * (value + (accrued ?? 0n)), { ...place, currency: instrument.currency }),
    details: presentDetails({ accrued, named: nonEmpty(named) }),
  };
}

function readFor(row: RowText): Fixed {
  row.words.expect('for');
  return row.words.amount();
}

/** `call A P 100 unfunded 80`, `distribution A P 50 recallable 20`, each with `units 5` if the fund has units. */
function readFundFlow(row: RowText, side: 1n | -1n): RowParts {
  const place = row.place();
  const { id, currency } = row.instrument(place);
  const value = row.words.amount();
  const { units = 0n, unfunded, recallable } = row.clauses('units', 'unfunded', 'recallable', 'rate', 'amount', 'in');
  return {
    kind: side < 0n ? 'capital-call' : 'distribution',
    ...place,
    instrument: id,
    quantity: -side * units,
    value,
    ...row.cash(side * value, { ...place, currency }),
    details: presentDetails({ effectOnUnfunded: unfunded, recallable }),
  };
}

/** `settle A F 12` in cash, `settle A F 12 units 3` a part of it; `settle A F pays 1000 EUR for 1100 USD worth 12` with both currencies in the account. */
function readSettlement(row: RowText): RowParts {
  const place = row.place();
  const { id, currency } = row.instrument(place);
  if (!row.words.skip('pays')) {
    const value = row.words.amount();
    const { units = 0n } = row.clauses('units', 'rate', 'amount', 'in');
    const cash = row.cash(value, { ...place, currency });
    return { kind: 'forward-settlement', ...place, instrument: id, quantity: -units, value, ...cash };
  }
  const paid = { amount: -row.words.amount(), currency: row.words.next('a currency') };
  const counterCash = readReceived(row, place.account!);
  const { worth = 0n } = row.clauses('worth');
  return { kind: 'forward-settlement', ...place, instrument: id, value: worth, ...paid, details: { counterCash } };
}

/** `for 1100 USD`, and `into B` if another account receives it. */
export function readReceived(row: RowText, account: string): CounterCash {
  const amount = readFor(row);
  const currency = row.words.next('a currency');
  return { account: row.words.skip('into') ? row.words.next('an account') : account, currency, amount };
}
