// Checks whether stated amounts match the figures they follow from: quantity, price, fees, taxes and rates.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseDecimal } from '../../kit/decimal.ts';
import { fromFixed, oneFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import {
  halfUnitInLastPlace,
  reconcileExchange,
  reconcileIncome,
  reconcileTrade,
  isMismatch,
  AmountNotStatedError,
  type StatedTrade,
} from './amount-reconciliation.ts';

const cent = oneFixed / 100n;
const fixed = (text: string | number): Fixed => toFixed(parseDecimal(String(text)));

const plain: StatedTrade = {
  units: 'in',
  quantity: fixed(100),
  price: fixed(12.5),
  priceUnit: '1',
  fees: null,
  taxes: null,
  accrued: null,
  exchangeRate: null,
  amount: null,
  minorUnit: cent,
};

type TradeInput = Partial<
  Record<'quantity' | 'price' | 'fees' | 'taxes' | 'accrued' | 'exchangeRate' | 'amount', number>
>;

function trade(input: TradeInput & Pick<Partial<StatedTrade>, 'units' | 'priceUnit' | 'index'>): StatedTrade {
  const { units = 'in', priceUnit = '1', index, ...figures } = input;
  const stated = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, fixed(figure)]));
  return { ...plain, units, priceUnit, index, ...stated };
}

function formatted(fit: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fit).map(([name, value]) => [name, typeof value === 'bigint' ? fromFixed(value) : value]),
  );
}

const bond = { quantity: 100_000, price: 98, priceUnit: 'per 100' } as const;

describe('a trade', () => {
  test.each([
    ['a buy costs units × price', trade({}), '-1250', '1250', '0'],
    ['fees and taxes of a buy add to the cost', trade({ fees: 9, taxes: 1 }), '-1260', '1260', '0'],
    ['fees and taxes of a sale lower its proceeds', trade({ units: 'out', fees: 9, taxes: 1 }), '1240', '1240', '0'],
    [
      'a bond is quoted per 100 and its accrued interest is not part of the cost',
      trade({ ...bond, accrued: 1500, fees: 100 }),
      '-99600',
      '98100',
      '0',
    ],
    [
      'the sale of a bond also brings in its accrued interest',
      trade({ ...bond, units: 'out', accrued: 20 }),
      '98020',
      '98000',
      '0',
    ],
    [
      'the nominal of an index-linked bond is raised by its index',
      trade({ ...bond, index: { factor: fixed(1.1), baseFactor: fixed(1) } }),
      '-107800',
      '107800',
      '0',
    ],
    ['a price in pence is in hundredths', trade({ priceUnit: 'hundredths', price: 250 }), '-250', '250', '0'],
    ['cash in another currency is converted', trade({ exchangeRate: 0.89, price: 55 }), '-4895', '5500', '0'],
    [
      'fees above the value of a sale make the amount negative',
      trade({ units: 'out', price: 0.01, fees: 5 }),
      '-4',
      '-4',
      '0',
    ],
    [
      'a stated amount may be off by a cent and is used as the amount paid',
      trade({ amount: -1250.01, fees: 0 }),
      '-1250.01',
      '1250.01',
      '0',
    ],
    [
      'a price with two decimal places explains half a cent per unit',
      trade({ quantity: 1000, price: 12.34, amount: -12344.9, fees: 0 }),
      '-12344.9',
      '12344.9',
      '0',
    ],
    [
      'a rate with two decimal places explains half a hundredth of the total',
      trade({ price: 10, exchangeRate: 0.89, amount: -894, fees: 0 }),
      '-894',
      '1000',
      '0',
    ],
    ['an unexplained difference is part of the cost and is flagged', trade({ amount: -1262 }), '-1262', '1262', '-12'],
    [
      'an unexplained difference in a sale lowers its proceeds',
      trade({ units: 'out', amount: 1200 }),
      '1200',
      '1200',
      '-50',
    ],
    [
      'an unexplained difference in another currency is converted back',
      trade({ exchangeRate: 2, amount: -2520 }),
      '-2520',
      '1260',
      '-20',
    ],
  ])('%s', (_, stated, amount, value, unexplained) => {
    expect(formatted(reconcileTrade(stated))).toEqual({ amount, value, unexplained });
  });

  test.each([
    ['a positive amount for a buy', trade({ amount: 1250 }), 'sign', '1250', '-1250'],
    ['a negative amount for a sale', trade({ units: 'out', amount: -1250 }), 'sign', '-1250', '1250'],
    ['fees that do not add up', trade({ fees: 10, amount: -1250 }), 'contradiction', '-1250', '-1260'],
    ['an amount that is two cents off', trade({ fees: 0, amount: -1250.02 }), 'contradiction', '-1250.02', '-1250'],
    [
      'interest that does not add up',
      trade({ ...bond, accrued: 5, amount: -98000 }),
      'contradiction',
      '-98000',
      '-98005',
    ],
  ])('%s is refused with both figures', (_, stated, reason, given, expected) => {
    const fit = reconcileTrade(
      stated.price === fixed(12.5) ? { ...stated, price: fixed(1250), quantity: oneFixed } : stated,
    );
    expect(formatted(fit)).toEqual({ reason, stated: given, expected });
  });

  /** What is allowed between the stated and the computed amount, exactly. */
  test.each([
    ['of a whole price, a minor unit', trade({ price: 12, fees: 0 }), '0.01'],
    [
      'of a price with one place, half a unit of it for each unit, and half a cent',
      trade({ price: 12.5, fees: 0 }),
      '5.005',
    ],
    ['of a price per 100, a hundredth of that, and half a cent', trade({ ...bond, price: 98.5, fees: 0 }), '50.005'],
    [
      'of a rate with two places, half a unit of it of the worth, and half a cent',
      trade({ price: 10, exchangeRate: 0.89, fees: 0 }),
      '5.005',
    ],
    ['of both, both, that of the price converted, and half a cent', trade({ exchangeRate: 0.89, fees: 0 }), '10.705'],
    [
      'of a rate per 100, a hundredth of that, and half a cent',
      trade({ ...bond, price: 90, exchangeRate: 0.5, fees: 0 }),
      '4500.005',
    ],
  ])('%s is allowed, and no more', (_what, stated, tolerance) => {
    const computed = reconcileTrade(stated);
    const expected = 'amount' in computed ? computed.amount : 0n;
    const differs = (difference: Fixed): boolean =>
      isMismatch(reconcileTrade({ ...stated, amount: expected + difference }));
    const most = fixed(tolerance);
    expect([most, -most, most + 1n, -most - 1n].map(differs)).toEqual([false, false, true, true]);
  });

  test.each([
    ['nothing paid for a buy', trade({ price: 12, fees: 0, amount: 0 }), 'contradiction'],
    ['money for what is worth nothing', trade({ price: 0, fees: 0, amount: 5 }), 'contradiction'],
    ['the smallest unit received for a buy', { ...trade({ price: 12, fees: 0 }), amount: 1n }, 'sign'],
    ['the smallest unit paid for a sale', { ...trade({ units: 'out', price: 12, fees: 0 }), amount: -1n }, 'sign'],
    [
      'money paid for a sale of the smallest worth',
      { ...trade({ units: 'out', price: 1, fees: 0, amount: -5 }), quantity: 1n },
      'sign',
    ],
    [
      'money received for a buy of the smallest worth',
      { ...trade({ price: 1, fees: 0, amount: 5 }), quantity: 1n },
      'sign',
    ],
  ] as const)('%s is refused because of its %s', (_what, stated, reason) => {
    expect(reconcileTrade(stated)).toMatchObject({ reason });
  });

  test.each(['fees', 'taxes', 'accrued'] as const)(
    'a difference is no charge if %s are stated, even as zero',
    (charge) => {
      expect(reconcileTrade(trade({ price: 12, amount: -1201, [charge]: 0 }))).toMatchObject({
        reason: 'contradiction',
      });
    },
  );

  test('an unexplained difference of a sale in another currency is converted back', () => {
    const stated = trade({ units: 'out', price: 12, exchangeRate: 2, amount: 2380 });
    expect(formatted(reconcileTrade(stated))).toEqual({ amount: '2380', value: '1190', unexplained: '-20' });
  });

  test('without a price, cash in another currency is converted back', () => {
    const stated = { ...trade({ amount: -1300, accrued: 40, exchangeRate: 2 }), price: null };
    expect(formatted(reconcileTrade(stated))).toEqual({ amount: '-1300', value: '610', unexplained: '0' });
  });

  test('without a price the amount determines the cost of the units', () => {
    const fit = reconcileTrade({ ...trade({ amount: -1300, accrued: 40 }), price: null });
    expect(formatted(fit)).toEqual({ amount: '-1300', value: '1260', unexplained: '0' });
  });

  test('a trade without a price and an amount is refused', () => {
    expect(() => reconcileTrade({ ...plain, price: null })).toThrow(AmountNotStatedError);
  });

  test('a computed amount is accepted, and so is one that is off by a minor unit', () => {
    const figure = fc.integer({ min: 1, max: 10 ** 7 }).map((cents) => BigInt(cents) * cent);
    const sides = fc.constantFrom('in', 'out');
    fc.assert(
      fc.property(figure, figure, figure, sides, (quantity, price, fees, units) => {
        const stated = { ...plain, quantity, price, fees, units } as const;
        const computed = reconcileTrade(stated);
        const amount = 'amount' in computed ? computed.amount : 0n;
        expect(reconcileTrade({ ...stated, amount })).toEqual(computed);
        expect(isMismatch(reconcileTrade({ ...stated, amount: amount + cent }))).toBe(false);
      }),
    );
  });
});

test.each([
  ['0', 0n],
  ['7', 0n],
  ['-7', 0n],
  ['7.5', fixed('0.05')],
  ['-0.25', fixed('0.005')],
  ['0.00000000000000001', 5n],
  ['0.000000000000000001', 0n],
])('half a unit in the last place that %s shows is %s', (value, expected) => {
  expect(halfUnitInLastPlace(fixed(value))).toBe(expected);
});

describe('income', () => {
  const input = (gross: number | null, withholding: number | null, net: number | null) => ({
    gross: gross === null ? null : fixed(gross),
    withholding: withholding === null ? null : fixed(withholding),
    net: net === null ? null : fixed(net),
    minorUnit: cent,
  });

  test.each([
    ['net is gross less withholding', input(240, 36, null), '240', '36', '204'],
    ['withholding is gross less net', input(240, null, 204), '240', '36', '204'],
    ['gross is net plus withholding', input(null, 36, 204), '240', '36', '204'],
    ['a single figure is both gross and net', input(null, null, 204), '204', '0', '204'],
    ['a difference of a cent is rounding', input(240, 36, 204.01), '240', '36', '204.01'],
  ])('%s', (_, stated, gross, withholding, net) => {
    expect(formatted(reconcileIncome(stated))).toEqual({ gross, withholding, net });
  });

  test('a difference of more than a cent, by the smallest unit, is refused', () => {
    const { net, ...stated } = input(240, 36, 204);
    const differs = (difference: Fixed): boolean => isMismatch(reconcileIncome({ ...stated, net: net! + difference }));
    expect([cent, -cent, cent + 1n, -cent - 1n].map(differs)).toEqual([false, false, true, true]);
  });

  test('figures that contradict each other are refused', () => {
    expect(formatted(reconcileIncome(input(240, 36, 200)))).toEqual({
      reason: 'contradiction',
      stated: '200',
      expected: '204',
    });
  });

  test('income without a gross and a net amount is refused', () => {
    expect(() => reconcileIncome(input(null, 36, null))).toThrow(AmountNotStatedError);
  });
});

describe('a currency exchange', () => {
  const input = (amount: number, counterAmount: number | null, rate: number | null) => ({
    amount: fixed(amount),
    counterAmount: counterAmount === null ? null : fixed(counterAmount),
    rate: rate === null ? null : fixed(rate),
    counterMinorUnit: cent,
  });

  test.each([
    ['the rate gives the other side', input(-1000, null, 1.1), '-1000', '1100', '1.1'],
    ['both sides give the rate', input(-1000, 1100, null), '-1000', '1100', '1.1'],
    ['a rate may be quoted the other way round', input(1100, -1000, 1.1), '1100', '-1000', '0.909090909090909091'],
    [
      'a rate with four decimal places may be rounded',
      input(-18200, 20000, 1.0989),
      '-18200',
      '20000',
      '1.098901098901098901',
    ],
  ])('%s', (_, stated, amount, counterAmount, rate) => {
    expect(formatted(reconcileExchange(stated))).toEqual({ amount, counterAmount, rate });
  });

  test.each([
    ['money that moves the same way on both sides', input(-1000, -1100, null), 'sign', '-1100', '1100'],
    ['a rate that fits in neither direction', input(-1000, 1100, 1.2), 'contradiction', '1100', '1200'],
  ])('%s is refused', (_, stated, reason, given, expected) => {
    expect(formatted(reconcileExchange(stated))).toEqual({ reason, stated: given, expected });
  });

  test.each([
    ['a whole rate is exact but for a minor unit', -1000, 2000, 2, '0.01'],
    ['a rate below 1 with one place may be off by half a unit of it', -1000, 500, 0.5, '100'],
    ['so may one whose other side is larger', -200, 1000, 0.2, '200'],
  ])('%s', (_what, amount, counterAmount, rate, tolerance) => {
    const stated = input(amount, counterAmount, rate);
    const exact = stated.counterAmount!;
    const differs = (difference: Fixed): boolean =>
      isMismatch(reconcileExchange({ ...stated, counterAmount: exact + difference }));
    const most = fixed(tolerance);
    expect([-most, -most - 1n].map(differs)).toEqual([false, true]);
  });

  test('an exchange without a counter-amount and a rate is refused', () => {
    expect(() => reconcileExchange(input(-1, null, null))).toThrow(AmountNotStatedError);
  });
});
