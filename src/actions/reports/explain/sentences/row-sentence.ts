// Says in a sentence what a transaction did: "Bought 100 Orbit AG on 3 Jan 2024 at 10.00 EUR, fee 5.00".

import { defined } from '../../../../kit/assert.ts';
import { magnitude, fixedText, type Fixed } from '../../../../kit/fixed.ts';
import { pricedRow } from '../../../../engine/explanation/lots/row-value.ts';
import type { History } from '../../../../engine/history/history.ts';
import type { CorporateAction, LedgerTransaction } from '../../../../engine/ledger/transaction.ts';
import { readableDay, readableMoney, readablePrice, readableUnits } from './readable-number.ts';

interface RowContext {
  readonly history: History;
  nameInstrument(id: string): string;
}

export function rowSentence(row: LedgerTransaction, context: RowContext): string {
  const { day, amount, currency, instrument } = row;
  const of = instrument === null ? '' : ` of ${context.nameInstrument(instrument)}`;
  const money = readableMoney(fixedText(amount), currency);
  return `${rowSubject(row, of, context)} on ${readableDay(day)}${rowTerms(row, context) ?? `: ${money}`}`;
}

function rowSubject(row: LedgerTransaction, of: string, { nameInstrument }: RowContext): string {
  const { kind, quantity, instrument, details, amount } = row;
  const units = readableUnits(magnitude(quantity));
  const what = instrument === null ? 'units' : nameInstrument(instrument);
  switch (kind) {
    case 'trade':
      return `${quantity < 0n ? 'Sold' : 'Bought'} ${units} ${what}`;
    case 'redemption':
      return `Redeemed ${units} ${what}`;
    case 'flow':
      if (quantity !== 0n) return `${quantity < 0n ? 'Delivered' : 'Received'} ${units} ${what} in kind`;
      return details?.counterCash === undefined
        ? amount < 0n
          ? 'Withdrawal'
          : 'Deposit'
        : 'Move between own accounts';
    case 'corporate-action':
      return `${actionName(defined(details?.action, 'a corporate action has its details'))}${of}`;
    case 'fee':
      return `${amount > 0n ? 'Refund of a fee' : 'Fee'}${of}`;
    case 'dividend':
    case 'coupon':
      return `${kindNames[kind]}${amount < 0n ? ' taken back or owed' : ''}${of}`;
    case 'capital-call':
      return `${amount > 0n ? 'Returned capital call' : 'Capital call'}${of}`;
    case 'distribution':
      return `${amount < 0n ? 'Repaid distribution' : 'Distribution'}${of}`;
    case 'interest':
    case 'fx':
    case 'forward-settlement':
      return `${kindNames[kind]}${of}`;
  }
}

const kindNames = {
  dividend: 'Dividend',
  coupon: 'Coupon',
  interest: 'Interest',
  fx: 'Currency exchange',
  'forward-settlement': 'Settlement',
} as const;

const actionNames = {
  split: 'Split',
  'spin-off': 'Spin-off',
  merger: 'Merger',
  'return-of-capital': 'Return of capital',
} as const;

function actionName(action: CorporateAction): string {
  const isSymbolChange = action.action === 'merger' && action.isSymbolChange === true;
  return isSymbolChange ? 'Change of symbol' : actionNames[action.action];
}

/** Price and fee, or what a row without money moved. */
function rowTerms(row: LedgerTransaction, context: RowContext): string | undefined {
  const { details, amount, quantity } = row;
  const action = details?.action;
  if (action !== undefined && 'ratio' in action)
    return `, ${action.ratio.numerator} new units for ${action.ratio.denominator}`;
  const terms = tradeTerms(row, context);
  if (terms !== undefined) return terms;
  return amount === 0n && quantity !== 0n ? '' : undefined;
}

/** " at 10.00 EUR, fee 5.00"; undefined for a row without a price. */
export function tradeTerms(row: LedgerTransaction, { history }: Pick<RowContext, 'history'>): string | undefined {
  const { account, depository, instrument } = row;
  if (instrument === null) return undefined;
  const at = history.table.positionNumber({ account, depository, instrument });
  const priced = pricedRow(history, at, row);
  if (priced === undefined) return undefined;
  const { currency } = history.instrument(at);
  const units = { '1': currency, 'per 100': '%', hundredths: `hundredths of ${currency}` };
  return ` at ${readablePrice(priced.price)} ${units[priced.priceUnit]}${feeText(priced.fees)}`;
}

function feeText(fees: Fixed): string {
  return fees === 0n ? '' : `, fee ${readableMoney(fixedText(fees), '').trim()}`;
}
