// A small ledger of one share and one fund in dollars, held by a family that counts in euros: for explanations that are worked out
// by hand.

import { ExchangeRates } from '../../../src/engine/currencies/exchange-rates.ts';
import type { Explanation } from '../../../src/engine/explanation/explanation.ts';
import type { Upload } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import { holdings } from '../../../src/engine/history/holdings.ts';
import { Ledger } from '../../../src/engine/ledger/ledger.ts';
import type { CostMethod } from '../../../src/engine/lots/lot.ts';
import type { TransactionDetails } from '../../../src/engine/ledger/transaction.ts';
import { usualStaleness } from '../../../src/engine/valuation/valuation.ts';
import { checkedNames, toldLines } from './explanation-check.ts';
import { event, type Event } from './generated-facts.ts';
import { day, fixed, instrument, points } from './valued-holding.ts';

export const covers = () => true;

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

export function on(date: string, parts: Partial<Event> & Pick<Event, 'kind'>): Event {
  return event({ account: 'euro', ...parts, day: day(date) } as Parameters<typeof event>[0]);
}

export function trade(
  date: string,
  [units, price, paid]: readonly [string, string, string],
  details: TransactionDetails | null = null,
) {
  const [quantity, amount] = [fixed(units), fixed(paid)];
  const value = (fixed(price) * (quantity < 0n ? -quantity : quantity)) / 10n ** 18n;
  return on(date, { kind: 'trade', instrument: 'share', quantity, price: fixed(price), value, amount, details });
}

interface Told {
  readonly method?: CostMethod;
  readonly uploads?: readonly Upload[];
}

export function historyOf(events: readonly Event[], { method = 'FIFO', uploads = [] }: Told = {}): History {
  return new History({
    ledger: Ledger.of(events.map((one, index) => ({ ...one, row: index + 1 }))),
    uploads,
    accounts: new Map([
      ['euro', { currency: 'EUR', depositories: ['north'] }],
      ['dollar', { currency: 'USD', depositories: ['south'] }],
    ]),
    instruments,
    rates,
    settings: {
      referenceCurrency: 'EUR',
      method,
      longAfter: { unit: 'days', count: 40 },
      staleness: { ...usualStaleness, listed: { daysMax: 100 } },
      advisoryCategories: new Set(['advisory']),
    },
  });
}

export function told(explanation: Explanation): string[] {
  checkedNames(explanation);
  return toldLines(explanation);
}

export const bought = [
  on('2025-01-06', { kind: 'flow', amount: fixed('1000') }),
  trade('2025-01-06', ['30', '10', '-243']),
  trade('2025-02-03', ['20', '11', '-176']),
];

export function shareOn(history: History, date: string) {
  return holdings(history, { day: day(date), covers }).find((holding) => holding.instrument === 'share')!;
}
