// Converts historical holdings to the uploads of the engine: units, cash and fees.

import { defined } from '../../kit/assert.ts';
import { toDayNumber } from '../../kit/calendar-date.ts';
import { toFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import type { Upload } from '../../engine/history/facts.ts';
import type { HistoricalHolding } from '../../model/ledger/historical-holding.ts';

export function toEngineUpload(holding: HistoricalHolding): Upload {
  const { kind, account, depository, instrument, units, accruedInterest } = holding;
  const day = toDayNumber(holding.date);
  const value = toFixed(holding.marketValue);
  if (kind === 'account') return { kind: 'cash', day, account: accountOf(account), balance: value };
  if (kind === 'fee') return { kind: 'fees', day, account: accountOf(account), owed: value };
  return {
    kind: 'units',
    day,
    depository: defined(depository, 'a holding of an instrument names a depository'),
    instrument: defined(instrument, 'a holding of an instrument names it'),
    quantity: toFixed(defined(units, 'a holding of an instrument has units')),
    marketValue: value,
    accrued: toFixed(defined(accruedInterest, 'a holding of an instrument has accrued interest')),
    exchange: statedExchange(holding),
  };
}

function accountOf(account: Id | null): Id {
  return defined(account, 'a holding of cash or fees names an account');
}

function statedExchange({ currencyExchangeRate: rate, reportingCurrencyCode: currency }: HistoricalHolding) {
  return rate === null || currency === null ? null : { rate: toFixed(rate), currency };
}
