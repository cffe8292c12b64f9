// A small ledger with one share and one fund in dollars and euros as reference currency, for explanations that were worked out by
// hand.

import { ExchangeRates } from '../../../src/engine/currencies/exchange-rates.ts';
import type { Explanation } from '../../../src/engine/explanation/explanation.ts';
import type { Upload } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import { holdings } from '../../../src/engine/history/holdings.ts';
import { Ledger } from '../../../src/engine/ledger/ledger.ts';
import type { CostMethod } from '../../../src/engine/lots/lot.ts';
import type { TransactionDetails } from '../../../src/engine/ledger/transaction.ts';
import { defaultStaleness } from '../../../src/engine/valuation/valuation.ts';
import { checkedFigureNames, explanationLines } from './explanation-check.ts';
import { eventWith, type UnnumberedTransaction } from './generated-facts.ts';
import { usualSettings } from './usual-settings.ts';
import { day, fixed, instrument, points } from './valued-holding.ts';

export const coversEveryPlace = () => true;

const instruments = new Map([
  [
    'share',
    {
      ...instrument({ type: 'listed' }, { currency: 'USD', prices: { '2025-01-06': '10', '2025-03-03': '12' } }),
      id: 'share',
    },
  ],
  [
    'fund',
    {
      ...instrument(
        { type: 'private-fund', commitment: fixed('1000') },
        { currency: 'USD', netAssetValues: { '2025-02-28': '300' } },
      ),
      id: 'fund',
    },
  ],
]);

const rates = new ExchangeRates([
  { base: 'EUR', quote: 'USD', points: points({ '2025-01-01': '1.25', '2025-03-01': '1.2' }) },
]);

export function eventOn(
  date: string,
  parts: Partial<UnnumberedTransaction> & Pick<UnnumberedTransaction, 'kind'>,
): UnnumberedTransaction {
  return eventWith({ account: 'euro', ...parts, day: day(date) } as Parameters<typeof eventWith>[0]);
}

export function shareTrade(
  date: string,
  [units, price, paid]: readonly [string, string, string],
  details: TransactionDetails | null = null,
) {
  const [quantity, amount] = [fixed(units), fixed(paid)];
  const value = (fixed(price) * (quantity < 0n ? -quantity : quantity)) / 10n ** 18n;
  return eventOn(date, { kind: 'trade', instrument: 'share', quantity, price: fixed(price), value, amount, details });
}

interface HistoryOptions {
  readonly method?: CostMethod;
  readonly uploads?: readonly Upload[];
}

export function historyOfEvents(
  events: readonly UnnumberedTransaction[],
  { method = 'FIFO', uploads = [] }: HistoryOptions = {},
): History {
  return new History({
    ledger: Ledger.from(events.map((one, index) => ({ ...one, row: index + 1 }))),
    uploads,
    accounts: new Map([
      ['euro', { currency: 'EUR', depositories: ['north'] }],
      ['dollar', { currency: 'USD', depositories: ['south'] }],
    ]),
    instruments,
    rates,
    settings: {
      ...usualSettings,
      method,
      longAfter: { unit: 'days', count: 40 },
      staleness: { ...defaultStaleness, listed: { daysMax: 100 } },
    },
  });
}

export function checkedLines(explanation: Explanation): string[] {
  checkedFigureNames(explanation);
  return explanationLines(explanation);
}

export const initialPurchases = [
  eventOn('2025-01-06', { kind: 'flow', amount: fixed('1000') }),
  shareTrade('2025-01-06', ['30', '10', '-243']),
  shareTrade('2025-02-03', ['20', '11', '-176']),
];

export function shareHoldingOn(history: History, date: string) {
  return holdings(history, { day: day(date), covers: coversEveryPlace }).find(
    (holding) => holding.instrument === 'share',
  )!;
}
