// One line of text for an item of a statement, so that tests can state all of a file at a glance.

import type { NamedInstrument, StatementItem } from '../../../src/model/custody/statement.ts';

/** `trade 2024-01-31: -985.5 CHF; 10 × CH0038863350 @ 98.45; fees 1; ref R-1`. */
export function itemLine(item: StatementItem): string {
  switch (item.item) {
    case 'entry': {
      const { status, kind, action, cancels, date, settlementDate, amount, currency, quantity, price } = item;
      const words = [status === 'pending' ? 'pending' : '', cancels === undefined ? '' : 'cancels', kind, action ?? ''];
      const isTyped = item.byWord?.isKnown !== false;
      const what = isTyped ? words.filter(Boolean).join(' ') : `"${item.typeWord ?? ''}"`;
      const parts = [
        amount === undefined ? undefined : [amount, currency].filter(Boolean).join(' '),
        quantity === undefined && item.instrument === undefined
          ? undefined
          : [quantity && `${quantity} ×`, instrumentWords(item.instrument), price && `@ ${price}`]
              .filter(Boolean)
              .join(' '),
        item.counterAmount && `for ${item.counterAmount} ${item.counterCurrency ?? ''}`,
        item.fees && `fees ${item.fees}`,
        item.taxes && `taxes ${item.taxes}`,
        item.accruedInterest && `accrued ${item.accruedInterest}`,
        item.ratio && `ratio ${item.ratio}`,
        item.reference && `ref ${item.reference}`,
      ];
      const days = settlementDate === undefined || settlementDate === date ? date : `${date}/${settlementDate}`;
      const account = item.account === undefined ? '' : ` in ${item.account.number}`;
      return `${what} ${days}${account}: ${parts.filter(Boolean).join('; ')}`;
    }
    case 'balance':
      return `${item.moment} ${item.date}: ${item.amount} ${item.currency}`;
    case 'position':
      return `position ${item.date}: ${item.quantity} × ${instrumentWords(item.instrument)}`;
    case 'instrument':
      return `instrument: ${instrumentWords(item.instrument)}`;
    case 'price':
      return `price ${item.date}: ${item.value} of ${instrumentWords(item.instrument)}`;
    case 'fx-rate':
      return `rate ${item.date}: ${item.base} ${item.rate} ${item.quote}`;
    case 'notice':
      return `notice: ${item.columns.map(({ name }) => name).join(', ')}`;
    case 'problem':
      return `${item.needs === undefined ? 'refused' : `needs ${item.needs}`}: ${item.detail}`;
  }
}

function instrumentWords(instrument: NamedInstrument | undefined): string {
  if (instrument === undefined) return '';
  const { isin, cusip, sedol, ticker, mic, custodianCode, name } = instrument;
  return isin ?? cusip ?? sedol ?? custodianCode ?? (ticker && [ticker, mic].filter(Boolean).join('.')) ?? name ?? '';
}
