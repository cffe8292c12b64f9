// Figures in sentences that a person can defend: what it is, of what, on which day, and the number as people write it.

import { describe, expect, test } from 'vitest';
import { historyOfText } from '../../../../../tests/setup/ledger-text/ledger-text.ts';
import type { Explanation, FigureSource } from '../../../../engine/explanation/figure.ts';
import { checkpointRow } from '../../../../engine/history/checkpoint.ts';
import { dayFromCivil } from '../../../../kit/day.ts';
import { oneFixed } from '../../../../kit/fixed.ts';
import { figureSentence, type SentenceContext } from './figure-sentence.ts';

const history = historyOfText(`A purchase and a sale in another currency
client USD FIFO
account A EUR
account D USD
instrument X listed EUR
instrument U listed USD
rate EUR/USD 2024-01-03 1.0723
2024-01-03 buy A X 100 @ 10 fees 5
2024-01-04 deposit A X 7
2024-01-05 buy D U 3 @ 20
2024-05-06 sell A X 40 @ 12 fees 2
`);
const [bought, received, dollars, sold] = [0, 1, 2, 3].map((row) => history.rows.transaction(row));

const [third, sixth] = [
  dayFromCivil({ year: 2024, month: 1, day: 3 }),
  dayFromCivil({ year: 2024, month: 5, day: 6 }),
] as const;
const context: SentenceContext = {
  history,
  of: undefined,
  row: undefined,
  subject: undefined,
  nameInstrument: (id) => id,
};

function say(figure: Explanation, more: Partial<SentenceContext> = {}): string {
  return figureSentence(figure, { ...context, ...more });
}

describe('a number is written as people write what it is', () => {
  test.each<[string, Explanation, string]>([
    ['money', { name: 'market-value', value: '1234567.894999', unit: 'EUR' }, 'Market value: 1,234,567.89 EUR'],
    ['a loss', { name: 'unrealised-pnl', value: '-0.125', unit: 'EUR' }, 'Unrealised gain: −0.12 EUR'],
    ['nearly nothing', { name: 'gain', value: '-0.004', unit: 'EUR' }, 'Gain: 0.00 EUR'],
    ['a price', { name: 'price', value: '0.1234567', unit: 'EUR' }, 'Price: 0.123457 EUR'],
    ['a round price', { name: 'unit-cost', value: '12', unit: 'EUR' }, 'Cost of one unit: 12.00 EUR'],
    ['units', { name: 'units-sold', value: '1000.5000', unit: 'units' }, 'Units sold: 1,000.5 units'],
    ['days', { name: 'days', value: '31', unit: 'days' }, 'Days: 31 days'],
    ['a fraction', { name: 'volatility', value: '0.1234567' }, 'Volatility: 12.35 %'],
    ['a fall', { name: 'daily-twr', value: '-1.5' }, 'Time-weighted return of the day: −150.00 %'],
    ['a small fraction', { name: 'irr', value: '0.1' }, 'Internal rate of return (IRR): 10.00 %'],
    [
      'a value in a unit that is no currency',
      { name: 'tvpi', value: '2', unit: 'USD/EUR' },
      'Total value to paid-in (TVPI): 2.00',
    ],
    ['a factor', { name: 'tvpi', value: '1.25' }, 'Total value to paid-in (TVPI): 1.25'],
    [
      'no value',
      { name: 'annualised-twr', value: null, notes: ['too_short'] },
      'Time-weighted return per year: no value (too short)',
    ],
    ['a day', { name: 'maturity', value: '19725', unit: 'day', day: third }, 'Maturity: 3 Jan 2024'],
    [
      'what is known on a day',
      { name: 'nav', value: '5', unit: 'EUR', day: sixth },
      'Residual value on 6 May 2024: 5.00 EUR',
    ],
    [
      'notes',
      { name: 'price', value: '5', unit: 'EUR', notes: ['stale', 'zero-base'] },
      'Price: 5.00 EUR (stale, zero base)',
    ],
    ['a price of a trade', { name: 'traded-price', value: '9.5', unit: 'EUR' }, 'Price of the trade: 9.50 EUR'],
    ['a price without a unit', { name: 'traded-price', value: '9.5' }, 'Price of the trade: 9.50'],
    ['a rate', { name: 'exchange-rate', value: '1.0723', unit: 'USD/EUR' }, 'Exchange rate: 1 EUR = 1.0723 USD'],
    [
      'a rate of a day',
      { name: 'exchange-rate', value: '1.1', unit: 'USD/EUR', day: third },
      'Exchange rate on 3 Jan 2024: 1 EUR = 1.10 USD',
    ],
  ])('%s', (_what, figure, sentence) => {
    expect(say(figure)).toBe(sentence);
  });
});

test('a figure names what it is of, or the instrument that was sold', () => {
  const value = { value: '5', unit: 'EUR' };
  expect(say({ name: 'cost-basis', ...value }, { subject: 'X in A' })).toBe('Cost of X in A: 5.00 EUR');
  expect(say({ name: 'reference-gain', ...value }, { row: sold })).toBe(
    'Gain in the reference currency on X: 5.00 EUR',
  );
  expect(say({ name: 'reference-proceeds', ...value }, { row: sold })).toBe(
    'Proceeds in the reference currency: 5.00 EUR',
  );
});

test('the amount of a transaction is told as the transaction', () => {
  expect(say({ name: 'row-amount', value: '478', unit: 'EUR' }, { row: sold })).toBe(
    'Sold 40 X on 6 May 2024 at 12.00 EUR, fee 2.00',
  );
  expect(say({ name: 'row-amount', value: '478', unit: 'EUR' })).toBe('Amount of the transaction: 478.00 EUR');
});

describe('the cost of a lot', () => {
  const lot = { name: 'lot-cost', value: '603', unit: 'EUR', units: { left: 60n * oneFixed, opened: 100n * oneFixed } };
  const whole = { ...lot, units: { left: 100n * oneFixed, opened: 100n * oneFixed } };
  const row = (number: number): FigureSource => ({ kind: 'row', row: number });

  test('says how many units are left of how many, and on which terms they came', () => {
    expect(say({ ...lot, source: row(1) }, { row: bought })).toBe(
      '60 of 100 units bought on 3 Jan 2024 at 10.00 EUR, fee 5.00',
    );
    expect(say({ ...whole, unit: 'USD', source: row(1) }, { row: bought })).toBe(
      '100 units bought on 3 Jan 2024 at 10.00 EUR, fee 5.00, at 1.0723 USD',
    );
    expect(say({ ...whole, unit: 'USD', source: row(3) }, { row: dollars })).toBe(
      '100 units bought on 5 Jan 2024 at 20.00 USD',
    );
  });

  test('of units sold short says so', () => {
    const short = { ...lot, units: { left: -40n * oneFixed, opened: -40n * oneFixed } };
    expect(say(short, { row: sold })).toBe('−40 units sold short on 6 May 2024 at 12.00 EUR, fee 2.00');
  });

  test('of which nothing or nearly nothing is left was bought all the same', () => {
    for (const left of [0n, 1n]) {
      expect(say({ ...lot, units: { left, opened: 100n * oneFixed } }, { row: bought })).toBe(
        '0 of 100 units bought on 3 Jan 2024 at 10.00 EUR, fee 5.00',
      );
    }
  });

  test('of units that came without a price names the transaction, and the day they were acquired if it is another', () => {
    expect(say(whole, { row: received })).toBe('100 units by: Received 7 X in kind on 4 Jan 2024');
    expect(say({ ...whole, day: received!.day }, { row: received })).toBe(
      '100 units by: Received 7 X in kind on 4 Jan 2024',
    );
    expect(say({ ...whole, day: third }, { row: received })).toBe(
      '100 units by: Received 7 X in kind on 4 Jan 2024, acquired on 3 Jan 2024',
    );
  });

  test('of units that an upload stated names its day', () => {
    const stated = '60 of 100 units that an upload stated on 6 May 2024';
    expect(say({ ...lot, source: { kind: 'upload', day: sixth } })).toBe(stated);
    expect(say({ ...lot, day: third, source: { kind: 'upload', day: sixth } })).toBe(stated);
    expect(say({ ...lot, day: sixth, source: row(checkpointRow(sixth)) })).toBe(stated);
  });

  test('without a transaction that may be seen says when', () => {
    expect(say({ ...lot, source: row(1) })).toBe('60 of 100 units');
    expect(say({ ...lot, day: third, source: row(1) })).toBe('60 of 100 units acquired on 3 Jan 2024');
  });
});

describe('the cost that left a lot', () => {
  const taken = {
    name: 'cost-taken',
    value: '402',
    unit: 'EUR',
    units: { left: 40n * oneFixed, opened: 100n * oneFixed },
  };

  test('names the sale, the upload or the place that it went to', () => {
    expect(say(taken, { row: sold })).toBe(
      '40 of 100 units left with 402.00 EUR of the cost, by: Sold 40 X on 6 May 2024 at 12.00 EUR, fee 2.00',
    );
    expect(say({ ...taken, day: third })).toBe(
      '40 of 100 units left with 402.00 EUR of the cost, by the upload of 3 Jan 2024',
    );
    const source = { kind: 'position', account: 'A', depository: null, instrument: 'X' } as const;
    expect(say({ ...taken, source }, { subject: 'X in A' })).toBe(
      '40 of 100 units left from X in A with 402.00 EUR of the cost',
    );
    expect(say({ ...taken, source })).toBe('40 of 100 units left with 402.00 EUR of the cost');
    expect(say({ name: taken.name, value: taken.value, units: taken.units, source })).toBe(
      '40 of 100 units left with 402.00 of the cost',
    );
  });
});

test.each([
  ['ks-pme', 'Public market equivalent (Kaplan and Schoar)'],
  ['ln-pme-irr', 'Return of the same payments in the index (Long and Nickels)'],
  ['ln-pme-value', 'Value of the same payments in the index (Long and Nickels)'],
  ['direct-alpha', 'Excess return over the index (direct alpha)'],
])('the figure %s of private markets is called by words that say what it is', (name, words) => {
  expect(say({ name, value: '0.5' })).toMatch(new RegExp(`^${RegExp.escape(words)}`));
});
