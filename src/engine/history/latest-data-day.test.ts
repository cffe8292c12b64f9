// Tests which data move the latest day of a report: its own rows and uploads, and the points and rates that its values need.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { fromDayNumber, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { latestDataDay } from './latest-data-day.ts';

/** Of accounts A and U, up to 10 June 2024. */
function latestOf(facts: string, currency = 'EUR'): string | undefined {
  const accounts = 'account A EUR, depositories D\naccount B EUR\naccount U USD';
  const history = historyOfText(`Facts\nclient EUR FIFO\n${accounts}\n${facts}`);
  const day = latestDataDay(history, {
    covers: ({ account }) => account === 'A' || account === 'U',
    until: toDayNumber('2024-06-10' as CalendarDate),
    currency,
  });
  return day === undefined ? undefined : fromDayNumber(day);
}

const share = `instrument X listed EUR
2024-01-03 deposit A 100
2024-01-03 buy A X 1 @ 100
`;
const bond = `instrument R bond EUR, floating EURIBOR spread 1%, count ACT/360, maturity 2024-05-01
interest EURIBOR 2024-01-01 3%
2024-01-02 deposit A 36000
2024-01-02 buy A R 36000 @ 100
`;
const fund = `instrument P private-fund EUR, commitment 1000
2024-01-10 deposit A 200
2024-01-15 call A P 200
`;
const forward = `instrument F forward EUR, receives 1000 USD on 2024-05-02, pays 800 EUR on 2024-05-02
rate USD/EUR 2024-01-02 0.80
2024-01-02 deposit A 1000
2024-01-02 buy A F 1 for 0
`;
const dollars = `2024-01-04 deposit U 10
rate EUR/USD 2024-01-02 1.1
`;

test.each<[fact: string, facts: string, day: string | undefined]>([
  ['nothing was ever booked', '', undefined],
  ['a booking', share, '2024-01-03'],
  ['a booking on the very last day', `${share}2024-06-10 deposit A 1`, '2024-06-10'],
  ['no booking after it', `${share}2024-06-11 deposit A 100`, '2024-01-03'],
  ['no booking of another account', `${share}2024-05-06 deposit B 100`, '2024-01-03'],
  ['a price of what is held', `${share}price X 2024-05-06 110\nprice X 2024-06-11 120`, '2024-05-06'],
  ['no price of what was sold', `${share}2024-02-01 sell A X 1 @ 100\nprice X 2024-05-06 110`, '2024-02-01'],
  [
    'no price of what others hold',
    `${share}instrument Y listed EUR\n2024-01-03 buy B Y 1 @ 1\nprice Y 2024-05-06 2`,
    '2024-01-03',
  ],
  ['no rate that nothing needs', `${share}rate EUR/USD 2024-05-06 1.1\nrate THB/PHP 2024-06-05 1.6`, '2024-01-03'],
  ['a rate of cash', `${dollars}rate EUR/USD 2024-05-06 1.2\nrate THB/PHP 2024-06-05 1.6`, '2024-05-06'],
  ['no rate of cash that has left', `${dollars}2024-02-01 withdraw U 10\nrate EUR/USD 2024-05-06 1.2`, '2024-02-01'],
  [
    'either rate of a crossed pair',
    '2024-01-04 deposit U 10\nrate GBP/USD 2024-03-04 1.3\nrate GBP/EUR 2024-02-05 1.2',
    '2024-03-04',
  ],
  ['an upload', 'instrument X listed EUR\nupload 2024-02-29 D X 120 worth 1320', '2024-02-29'],
  [
    'an upload that repeats another',
    'instrument X listed EUR\nupload 2024-02-29 D X 120 worth 1320\nupload 2024-03-29 D X 120 worth 1330',
    '2024-03-29',
  ],
  ['an interest rate of a floating bond', `${bond}interest EURIBOR 2024-04-01 4%`, '2024-04-01'],
  [
    'no rate and no price after its maturity',
    `${bond}interest EURIBOR 2024-05-02 4%\nprice R 2024-05-01 99`,
    '2024-01-02',
  ],
  ['a net asset value of a stake without units', `${fund}nav P 2024-03-31 300`, '2024-03-31'],
  ['no rate of a leg after it has settled', `${forward}rate USD/EUR 2024-05-02 0.85`, '2024-01-02'],
  ['a rate of an open leg of a forward', `${forward}rate USD/EUR 2024-05-01 0.85`, '2024-05-01'],
  ['a price of a split share, and the split', `${share}2024-03-01 split A X 2:1`, '2024-03-01'],
])('the latest day with data: %s', (_fact, facts, day) => {
  expect(latestOf(facts)).toBe(day);
});

test('a report in another currency needs the rates into it', () => {
  expect(latestOf(`${share}rate EUR/USD 2024-05-06 1.1`, 'USD')).toBe('2024-05-06');
});
