// Checks that amounts and values that are far from prices are found within the days that are asked for, whatever was asked before, and that
// what is near is recognised at once.

import { expect, test, vi } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { day, fixed } from '../../../tests/setup/engine/valued-holding.ts';
import type { History } from '../history/history.ts';
import { UnlikelyFigures } from './unlikely-figures.ts';

function find(history: History, instrument: string, [first, last]: readonly [string, string]) {
  const position = [...history.table.positions.keys()].find((one) => history.key(one).instrument === instrument)!;
  return UnlikelyFigures.of(history).find(position, { first: day(first), last: day(last) });
}

const january = ['2024-01-01', '2024-01-31'] as const;

test('what is found within some days is the same whether more or fewer days were looked at before', () => {
  const text = `Trades far from the price
client EUR FIFO
account A EUR, depositories D
instrument X listed EUR
price X 2024-01-01 30
2024-01-01 deposit A 10000
2024-01-03 buy A X 10 @ 10
2024-01-05 buy A X 10 @ 10 fees 401
2024-01-09 buy A X 70 @ 10
upload 2024-01-11 D X 100 worth 9000
`;
  const all = find(historyOfText(text), 'X', january);
  expect(all.map((one) => [one.kind, one.day])).toEqual([
    ['amount-far-from-price', day('2024-01-05')],
    ['unexplained-value-change', day('2024-01-11')],
    ['unexplained-value-change', day('2024-01-03')],
    ['unexplained-value-change', day('2024-01-09')],
  ]);
  const searched = historyOfText(text);
  find(searched, 'X', january);
  const days = Array.from({ length: 12 }, (_, index) => `2024-01-${String(index + 1).padStart(2, '0')}`);
  for (const first of days) {
    for (const last of days) {
      const within = all.filter((one) => one.day >= day(first) && one.day <= day(last));
      expect(find(historyOfText(text), 'X', [first, last])).toEqual(within);
      expect(find(searched, 'X', [first, last])).toEqual(within);
    }
  }
  const searchedLittle = historyOfText(text);
  find(searchedLittle, 'X', ['2024-01-04', '2024-01-10']);
  expect(find(searchedLittle, 'X', ['2024-01-03', '2024-01-10'])).toHaveLength(3);
  expect(find(searchedLittle, 'X', ['2024-01-05', '2024-01-11'])).toHaveLength(3);
});

const nearTrades = `Trades near the price, in several units and currencies
client EUR FIFO
account A EUR
account U USD
instrument B bond EUR, rate 5%, maturity 2030-01-02
instrument F fund EUR
instrument G fund EUR
instrument L loan EUR, principal 100000, rate 0%, start 2024-01-01
instrument N listed EUR
instrument S listed EUR
instrument V listed EUR, unit hundredths
instrument X listed EUR
price B 2024-01-01 90.25
price V 2024-01-01 1000.125
price X 2024-01-01 10.5
price S 2024-01-04 10
nav F 2024-01-01 101
price G 2024-01-01 101
rate EUR/USD 2024-01-01 2
2024-01-01 deposit A 100000
2024-01-02 buy A B 1000 @ 90.25 fees 1.5
2024-01-02 buy A F 10.5 @ 100
2024-01-02 buy A G 10.5 @ 100
2024-01-02 buy A L 1000 @ 1
2024-01-02 buy A N 10 @ 7.25
2024-01-02 buy A V 10.75 @ 1000.125
2024-01-03 split S 3:1
2024-01-05 buy A S 10.75 @ 10.5
2024-01-02 buy A X 10.75 @ 10.5
2024-01-03 sell A X 5.25 @ 9.875 fees 5
2024-01-04 buy A X 10.75 @ 10.5 rate 2 in USD
2024-01-05 sell A X 5 @ 10 rate 1.5 in USD
2024-01-08 buy U X 10.75 @ 10.5 rate 2.1
2024-01-09 buy U X 10 @ 10.5 rate 1.9
2024-01-10 sell U X 10 @ 10.5 rate 1.9 fees 10
`;

test('trades near their price are recognised by their columns, with one look at each currency and at the rate of each month', () => {
  const history = historyOfText(nearTrades);
  const read = vi.spyOn(history.rows, 'transaction');
  const valued = vi.spyOn(history.values, 'inOwnCurrency');
  const converted = vi.spyOn(history.facts.rates, 'find');
  for (const instrument of ['B', 'F', 'G', 'L', 'N', 'S', 'V', 'X'])
    expect(find(history, instrument, january)).toEqual([]);
  expect(valued).toHaveBeenCalledTimes(0);
  expect(read).toHaveBeenCalledTimes(2);
  expect(converted).toHaveBeenCalledTimes(1);
});

test('what was found is remembered', () => {
  const history = historyOfText(nearTrades.replace('buy A N 10 @ 7.25', 'buy A N 10 @ 7.25 fees 1000'));
  const found = find(history, 'N', january);
  expect(found).toHaveLength(2);
  const valued = vi.spyOn(history.values, 'inOwnCurrency');
  expect(find(history, 'N', january)).toEqual(found);
  expect(find(history, 'N', ['2024-01-02', '2024-01-02'])).toEqual(found);
  expect(valued).toHaveBeenCalledTimes(0);
});

test('an amount far from its value is found, however many digits amounts and values have', () => {
  const history = historyOfText(`An amount of ten times its value
client EUR FIFO
account U USD
instrument X listed EUR
instrument Y listed EUR
price X 2024-01-01 10.5
price Y 2024-01-01 10.5
rate EUR/USD 2024-01-01 2
2024-01-02 buy U X 1 @ 10.5 rate 20
2024-01-03 buy U Y 1 @ 10.5 rate 2
`);
  expect(find(history, 'X', january)).toMatchObject([{ kind: 'amount-far-from-price', amount: fixed('-210') }]);
  expect(find(history, 'Y', january)).toEqual([]);
});

test('trades in whole numbers, without any point, are recognised by their columns', () => {
  const history = historyOfText(`Whole numbers
client EUR FIFO
account A EUR
instrument B bond EUR, rate 0%, maturity 2030-01-02
instrument N listed EUR
2024-01-02 buy A N 10 @ 7
2024-01-02 buy A B 1000 @ 90
`);
  const valued = vi.spyOn(history.values, 'inOwnCurrency');
  expect([...find(history, 'N', january), ...find(history, 'B', january)]).toEqual([]);
  expect(valued).toHaveBeenCalledTimes(0);
});

test.each([
  ['the one before', 'rate 2 in CHF', '', ['2024-01-12']],
  ['the other', '', 'rate 2 in CHF', []],
  ['both', 'rate 2 in CHF', 'rate 2 in CHF', []],
])('a value without a rate on one of two days is not compared: %s', (_fact, before, after, found) => {
  const history = historyOfText(`Uploads in two currencies
client EUR FIFO
account A EUR, depositories D
instrument X listed USD
rate USD/EUR 2024-01-01 0.9
upload 2024-01-08 D X 10 worth 100 ${before}
upload 2024-01-12 D X 10 worth 1000 ${after}
`);
  expect(find(history, 'X', january).map((one) => one.day)).toEqual(found.map(day));
});
