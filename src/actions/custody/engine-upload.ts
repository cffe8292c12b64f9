// Historical holdings as the engine takes them: uploads of units, of cash and of fees. Knows no store.

import { toDayNumber } from '../../kit/calendar-date.ts';
import { toFixed } from '../../kit/fixed.ts';
import type { Upload } from '../../engine/history/facts.ts';
import type { HistoricalHolding } from '../../model/ledger/historical-holding.ts';

export function toEngineUpload(holding: HistoricalHolding): Upload {
  const { kind, account, depository, instrument, units, accruedInterest } = holding;
  const day = toDayNumber(holding.date);
  const value = toFixed(holding.marketValue);
  if (kind === 'account') return { kind: 'cash', day, account: account!, balance: value };
  if (kind === 'fee') return { kind: 'fees', day, account: account!, owed: value };
  return {
    kind: 'units',
    day,
    depository: depository!,
    instrument: instrument!,
    quantity: toFixed(units!),
    marketValue: value,
    accrued: toFixed(accruedInterest!),
    exchange: statedExchange(holding),
  };
}

function statedExchange({ currencyExchangeRate: rate, reportingCurrencyCode: currency }: HistoricalHolding) {
  return rate === null || currency === null ? null : { rate: toFixed(rate), currency };
}
