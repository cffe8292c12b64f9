// Reads corporate actions in a ledger text: for all holders, for one account, or for one place.

import type { CorporateAction } from '../../../src/engine/ledger/transaction.ts';
import type { RowParts, RowTextReader, RowText } from './row-text.ts';

export const actionReaders: readonly (readonly [string, RowTextReader])[] = [
  ['split', readSplit],
  ['reverse-split', readSplit],
  ['stock-dividend', readSplit],
  ['spin-off', readSpinOff],
  ['merger', readMerger],
  ['symbol-change', readSymbolChange],
  ['return-of-capital', readReturnOfCapital],
];

function readOpening(row: RowText): RowParts & { readonly instrument: string } {
  const place = row.isPlaceNext ? row.place() : { account: null, depository: null };
  return { kind: 'corporate-action', ...place, instrument: row.instrument(place).id };
}

function withAction(parts: RowParts, action: CorporateAction): RowParts {
  return { ...parts, details: { action } };
}

/** `split X 2:1`: two new units for one old, for all holders; `split A X 2:1` for one account. */
function readSplit(row: RowText): RowParts {
  const parts = readOpening(row);
  return withAction(parts, { action: 'split', ratio: row.words.ratio() });
}

/** `spin-off X into Y 1:4 share 20%`: one unit of Y for four of X, with a fifth of the cost. */
function readSpinOff(row: RowText): RowParts {
  const parts = readOpening(row);
  row.words.expect('into');
  const target = row.instrument().id;
  const ratio = row.words.ratio();
  row.words.expect('share');
  return withAction(parts, { action: 'spin-off', ratio, target, share: row.words.fraction() });
}

/** `merger A X into Y 1:4 for 30 in-lieu 0.5`: half a unit of Y was paid out as 30 in cash. */
function readMerger(row: RowText): RowParts {
  const parts = readOpening(row);
  row.words.expect('into');
  const { id: target, currency } = row.instrument();
  const ratio = row.words.ratio();
  const value = row.words.skip('for') ? row.words.amount() : 0n;
  const { inLieu } = row.clauses('in-lieu', 'rate', 'amount', 'in');
  const money = value === 0n ? {} : { value, ...row.cash(value, { account: parts.account ?? null, currency }) };
  const action = { action: 'merger', ratio, target } as const;
  return withAction({ ...parts, ...money }, inLieu === undefined ? action : { ...action, cashInLieu: inLieu });
}

/** `symbol-change X into Y` */
function readSymbolChange(row: RowText): RowParts {
  const parts = readOpening(row);
  row.words.expect('into');
  return withAction(parts, {
    action: 'merger',
    ratio: { numerator: 1n, denominator: 1n },
    target: row.instrument().id,
    isSymbolChange: true,
  });
}

/** `return-of-capital A X 100` */
function readReturnOfCapital(row: RowText): RowParts {
  const parts = readOpening(row);
  const currency = row.currencyOf(parts.instrument);
  const value = row.words.amount();
  row.clauses('rate', 'amount', 'in');
  const cash = row.cash(value, { account: parts.account ?? null, currency });
  return withAction({ ...parts, value, ...cash }, { action: 'return-of-capital' });
}
