// Checks how historical holdings are converted to uploads of the engine.

import { expect, test } from 'vitest';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { oneFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import type { HistoricalHolding } from '../../model/ledger/historical-holding.ts';
import type { Upload } from '../../engine/history/facts.ts';
import { toEngineUpload } from './engine-upload.ts';

const nothing = {
  id: 'one' as Id,
  client: 'client' as Id,
  date: '1970-01-03' as CalendarDate,
  account: null,
  depository: null,
  instrument: null,
  units: null,
  accruedInterest: null,
  currencyExchangeRate: null,
  reportingCurrencyCode: null,
  knownFrom: 0,
};
const day = 2;
const decimal = (text: string): Decimal => text as Decimal;
const account = 'account' as Id;
const inDepository = { depository: 'depository' as Id, instrument: 'instrument' as Id };

const cases: [what: string, holding: HistoricalHolding, upload: Upload][] = [
  [
    'an account balance becomes cash, even if it is negative',
    { ...nothing, kind: 'account', account, marketValue: decimal('-0.5') },
    { kind: 'cash', day, account, balance: -oneFixed / 2n },
  ],
  [
    'a fee becomes an amount owed',
    { ...nothing, kind: 'fee', account, marketValue: decimal('3') },
    { kind: 'fees', day, account, owed: 3n * oneFixed },
  ],
  [
    'units keep every digit of their stated value, and their stated exchange rate',
    {
      ...nothing,
      ...inDepository,
      kind: 'instrument',
      units: decimal('-2'),
      marketValue: decimal('12345678901234567890.123456789012345678'),
      accruedInterest: decimal('0.000000000000000001'),
      currencyExchangeRate: decimal('1.25'),
      reportingCurrencyCode: 'CHF' as HistoricalHolding['reportingCurrencyCode'],
    },
    {
      ...inDepository,
      kind: 'units',
      day,
      quantity: -2n * oneFixed,
      marketValue: 12345678901234567890123456789012345678n,
      accrued: 1n,
      exchange: { rate: (5n * oneFixed) / 4n, currency: 'CHF' },
    },
  ],
  [
    'units without a stated rate get no rate of their own',
    {
      ...nothing,
      ...inDepository,
      kind: 'instrument',
      units: decimal('0'),
      marketValue: decimal('0'),
      accruedInterest: decimal('0'),
    },
    { ...inDepository, kind: 'units', day, quantity: 0n, marketValue: 0n, accrued: 0n, exchange: null },
  ],
];

test.each(cases)('%s', (_what, holding, upload) => {
  expect(toEngineUpload(holding)).toEqual(upload);
});
