// Reads transactions that move cash or units without a trade: deposits, withdrawals, transfers, currency exchanges.

import type { HoldingPlace } from '../../../src/engine/ledger/transaction.ts';
import { presentDetails, nonEmpty, type RowParts, type RowTextReader, type RowText } from './row-text.ts';
import { readReceived } from './trade-rows.ts';

export const moneyReaders: readonly (readonly [string, RowTextReader])[] = [
  ['deposit', (row) => readFlow(row, 1n)],
  ['withdraw', (row) => readFlow(row, -1n)],
  ['move', readMove],
  ['exchange', readExchange],
];

/** `deposit A 100`; `deposit A X 10`, with `acquired 2020-01-05 10 cost 80` if that is known; `withdraw A X 10 from early 10` */
function readFlow(row: RowText, side: 1n | -1n): RowParts {
  const place = row.place();
  if (!row.isInstrumentNext) {
    const amount = side * row.words.amount();
    row.clauses('in');
    return { kind: 'flow', ...place, amount };
  }
  const instrument = row.instrument(place).id;
  const quantity = side * row.words.amount();
  const { lots, named } = row.clauses('acquired', 'from');
  const details = presentDetails({ lots: nonEmpty(lots), named: nonEmpty(named) });
  return { kind: 'flow', ...place, instrument, quantity, details };
}

/** `move A 100 to B`, `move A 100 to B as 110` in the currency of B, `move A/D X 10 to B/E` */
function readMove(row: RowText): RowParts {
  const place = row.place();
  return row.isInstrumentNext ? readMovedUnits(row, place) : readMovedMoney(row, place);
}

function readMovedMoney(row: RowText, place: HoldingPlace): RowParts {
  const amount = row.words.amount();
  row.words.expect('to');
  const { account } = row.place();
  const arrived = row.words.skip('as') ? row.words.amount() : amount;
  row.clauses();
  const counterCash = { account: account!, currency: row.accountCurrency(account), amount: arrived };
  return { kind: 'flow', ...place, amount: -amount, details: { counterCash } };
}

function readMovedUnits(row: RowText, place: HoldingPlace): RowParts {
  const instrument = row.instrument(place).id;
  const quantity = -row.words.amount();
  row.words.expect('to');
  const counterPlace = row.place();
  const { named } = row.clauses('from');
  return {
    kind: 'flow',
    ...place,
    instrument,
    quantity,
    details: presentDetails({ counterPlace, named: nonEmpty(named) }),
  };
}

/** `exchange A 1000 EUR for 1100 USD`, and `into B` if another account receives them */
function readExchange(row: RowText): RowParts {
  const place = row.place();
  const paid = { amount: -row.words.amount(), currency: row.words.next('a currency') };
  const counterCash = readReceived(row, place.account!);
  row.clauses();
  return { kind: 'fx', ...place, ...paid, details: { counterCash } };
}
