// Reads transactions that only earn or cost money: dividends, coupons, interest, fees.

import { presentDetails, type RowParts, type RowTextReader, type RowText } from './row-text.ts';

export const incomeReaders: readonly (readonly [string, RowTextReader])[] = [
  ['dividend', (row) => readIncome(row, 'dividend')],
  ['coupon', (row) => readIncome(row, 'coupon')],
  ['interest', (row) => readIncome(row, 'interest')],
  ['fee', readFee],
];

/**
 * `dividend A X 25 withheld 5`: the amount received, and the tax withheld before that. `until 2024-06-30` names
 * the end of its period. `interest A 12` earned by the account itself.
 */
function readIncome(row: RowText, kind: 'dividend' | 'coupon' | 'interest'): RowParts {
  const place = row.place();
  const earner = row.isInstrumentNext ? row.instrument(place).id : null;
  const amount = row.words.amount();
  const { withheld, until } = row.clauses('withheld', 'until', 'in');
  const details = presentDetails({ withholding: withheld, periodEnd: until });
  return { kind, ...place, instrument: earner, amount, details };
}

/** `fee A 10 category advisory`, `fee A X 10` charged to an instrument. */
function readFee(row: RowText): RowParts {
  const place = row.place();
  const charged = row.isInstrumentNext ? row.instrument(place).id : null;
  const amount = -row.words.amount();
  const { category } = row.clauses('category', 'in');
  return { kind: 'fee', ...place, instrument: charged, amount, details: presentDetails({ category }) };
}
