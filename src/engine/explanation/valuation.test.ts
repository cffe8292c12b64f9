// Checks explained values of every instrument type against figures worked out by hand and against their own formulas.

import { describe, expect, test } from 'vitest';

import { checkedFigureNames, explanationLines } from '../../../tests/setup/engine/explanation-check.ts';
import {
  day,
  fixed,
  instrument,
  points,
  split,
  upload as statedUpload,
  valuationOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import { halfEven } from './figure.ts';
import { explainAccrued, explainValuation, type ValueSources } from './valuation.ts';

function held(
  terms: InstrumentTerms,
  text: InstrumentText,
  position: HoldingStateText,
  more: ValuationCase['more'] = {},
): ValuationCase {
  return { instrument: instrument(terms, text), holdingState: position, more };
}

function renderFigure(one: ValuationCase, date: string, sources: ValueSources = {}): string[] {
  const figure = explainValuation(valuationOn(one, date), sources);
  checkedFigureNames(figure);
  checkedFigureNames(explainAccrued(valuationOn(one, date), sources));
  return explanationLines(figure);
}

const bondTerms = {
  type: 'bond',
  schedule: { maturity: day('2027-03-01'), datedDate: day('2020-03-01') },
  convention: '30/360-BOND',
  rate: fixed('0.036'),
} as const;

const nominal: HoldingStateText = { quantity: '10000', quantities: { '2025-01-10': '10000' } };

describe('a quoted holding', () => {
  test('is worth units × price, adjusted for later splits and the price unit', () => {
    const listed = held(
      { type: 'listed' },
      { priceUnit: 'hundredths', prices: { '2025-01-10': '1250' } },
      { quantity: '600' },
      { changes: [split('2025-01-12', 3n, 1n)] },
    );
    expect(renderFigure(listed, '2025-01-30')).toEqual([
      'value 2500 = 2500 [stale]',
      '  quoted-value 2500 = 600 × 1250 × 1 ÷ 3 ÷ 100',
      '    units 600',
      '    price 1250 [stale]',
      '    units-before 1',
      '    units-after 3',
    ]);
  });

  test('without a price is worth its last trade price', () => {
    const unpriced = held({ type: 'other' }, {}, { quantity: '-3', lastTrade: ['2025-01-02', '7'] });
    expect(renderFigure(unpriced, '2025-01-03')).toEqual([
      'value -21 = (-21) [estimated]',
      '  quoted-value -21 = (-3) × 7',
      '    units -3',
      '    last-trade 7',
    ]);
  });

  test('without a price or trade is worth its cost', () => {
    const unknown = held({ type: 'fund' }, {}, { quantity: '3', cost: '42' });
    expect(renderFigure(unknown, '2025-01-03')).toEqual(['value 42 = 42 [estimated]', '  cost 42']);
  });

  test('of zero units is worth nothing', () => {
    expect(renderFigure(held({ type: 'fund' }, {}, { quantity: '0' }), '2025-01-03')).toEqual(['value 0 = 0']);
  });
});

describe('a bond', () => {
  test('is worth its clean price plus the interest of each part of the period', () => {
    const bond = held(bondTerms, { prices: { '2025-01-10': '98.5' } }, nominal);
    expect(renderFigure(bond, '2025-01-16')).toEqual([
      'value 10165 = 9850 + 315',
      '  quoted-value 9850 = 10000 × 98.5 ÷ 100',
      '    units 10000',
      '    price 98.5',
      '  accrued-interest 315 = 10000 × 0.036 × 315 ÷ 360',
      '    nominal 10000',
      '    interest-rate 0.036',
      '    days 315',
      '    days-in-year 360',
    ]);
  });

  test('that is linked to an index has its nominal raised in both price and interest', () => {
    const terms = { ...bondTerms, index: { baseFactor: fixed('80') } };
    const text = { prices: { '2025-01-10': '98.5' }, indexFactors: { '2025-01-01': '100' } };
    expect(renderFigure(held(terms, text, nominal), '2025-01-16').filter((line) => /^ {2}\w/.test(line))).toEqual([
      '  quoted-value 12312.5 = 10000 × 98.5 ÷ 100 × 100 ÷ 80',
      '  accrued-interest 393.75 = (10000 × 0.036 × 315 ÷ 360) × 100 ÷ 80',
    ]);
  });

  test('with a floating rate accrues at each rate point plus the spread', () => {
    const rate = { points: points({ '2024-01-01': '0.02', '2024-09-01': '0.03' }), spread: fixed('0.01') };
    const bond = held({ ...bondTerms, rate }, { prices: { '2025-01-10': '98.5' } }, nominal);
    expect(renderFigure(bond, '2025-01-16', { rate })).toEqual([
      'value 10150 = 9850 + 300',
      '  quoted-value 9850 = 10000 × 98.5 ÷ 100',
      '    units 10000',
      '    price 98.5',
      '  accrued-interest 300 = 10000 × 0.03 × 180 ÷ 360 + 10000 × 0.04 × 135 ÷ 360',
      '    nominal 10000',
      '    interest-rate 0.03 = 0.02 + 0.01',
      '      reference-rate 0.02',
      '      spread 0.01',
      '    days 180',
      '    days-in-year 360',
      '    nominal 10000',
      '    interest-rate 0.04 = 0.03 + 0.01',
      '      reference-rate 0.03',
      '      spread 0.01',
      '    days 135',
      '    days-in-year 360',
    ]);
  });

  test('past its maturity is worth par plus the coupons that were not booked', () => {
    const bond = held(bondTerms, { prices: { '2025-01-10': '98.5' } }, nominal);
    expect(renderFigure(bond, '2027-03-02').slice(0, 3)).toEqual([
      'value 11080 = 10000 + 0 + 360 + 360 + 360 [coupon-not-booked] [matured]',
      '  par 10000 = 10000',
      '    nominal 10000',
    ]);
  });

  test('has negative accrued interest for the days to the coupon inside the ex-dividend window', () => {
    const schedule = { ...bondTerms.schedule, exDividendDays: 10 };
    const bond = held({ ...bondTerms, schedule }, { prices: { '2025-02-20': '98.5' } }, nominal);
    expect(renderFigure(bond, '2025-02-22').filter((line) => /accrued|coupon/.test(line))).toEqual([
      '  accrued-interest -9 = 10000 × 0.036 × (-9) ÷ 360 [ex-dividend]',
      '  due-coupon 360 = 10000 × 0.036 × 365 ÷ 365 [due]',
    ]);
  });
});

test('a zero-coupon bond grows lot by lot from its cost to par', () => {
  const terms = { type: 'zero-coupon', maturity: day('2027-01-01'), convention: 'ACT/ACT-ISDA' } as const;
  const lots = [{ quantity: '1000', cost: '850.000000000000000001', acquired: '2023-01-01' }];
  expect(renderFigure(held(terms, {}, { quantity: '1000', lots }), '2024-01-11')).toEqual([
    'value 888.52459016393442623 = 888.52459016393442623',
    '  accreted-value 888.52459016393442623 = 850.000000000000000001 + 38.524590163934426229',
    '    cost 850.000000000000000001',
    '    accretion 38.524590163934426229 = (1000 − 850.000000000000000001) × (365 ÷ 365 + 10 ÷ 366) ÷ (1095 ÷ 365 + 366 ÷ 366)',
    '      par 1000',
    '      cost 850.000000000000000001',
    '      days 365',
    '      days-in-year 365',
    '      days 10',
    '      days-in-year 366',
    '      days 1095',
    '      days-in-year 365',
    '      days 366',
    '      days-in-year 366',
  ]);
});

test.each([
  ['2027-01-01', 'value 1000 = 1000 [matured]', '  par 1000 = 1000'],
  ['2022-12-31', 'value 850 = 850', '  accreted-value 850 = 850 + 0'],
])('a zero-coupon bond outside its term is worth par or its cost: %s', (date, ...lines) => {
  const terms = { type: 'zero-coupon', maturity: day('2027-01-01'), convention: 'ACT/365' } as const;
  const lots = [{ quantity: '1000', cost: '850', acquired: '2023-01-01' }];
  expect(renderFigure(held(terms, {}, { quantity: '1000', lots }), date).slice(0, 2)).toEqual(lines);
});

test('a loan is worth its principal, the interest on the outstanding principal and the uploaded interest', () => {
  const terms = {
    type: 'loan',
    principal: fixed('10000'),
    rate: fixed('0.0365'),
    convention: 'ACT/365',
    start: day('2025-01-01'),
    maturity: null,
  } as const;
  const position = { quantity: '8000', quantities: { '2025-01-01': '10000', '2025-01-21': '8000' } };
  expect(renderFigure(held(terms, {}, position), '2025-01-31').filter((line) => line.includes('='))).toEqual([
    'value 8028 = 8000 + 28',
    '  principal 8000 = 8000',
    '  accrued-interest 28 = 10000 × 0.0365 × 20 ÷ 365 + 8000 × 0.0365 × 10 ÷ 365',
  ]);
  const upload = { day: '2025-01-21', quantity: '8000', marketValue: '7900', accrued: '15' };
  expect(
    renderFigure(held(terms, {}, { ...position, upload }), '2025-01-31').filter((line) => /^ {0,2}\w/.test(line)),
  ).toEqual([
    'value 7923 = 7900 + 8 + 15',
    '  implied-value 7900 = 8000 × 7900 ÷ 8000',
    '  accrued-interest 8 = 8000 × 0.0365 × 10 ÷ 365',
    '  carried-accrued-interest 15',
  ]);
});

test('a running fee is a debt: the accrued fee plus the amount an upload stated in another currency', () => {
  const terms = {
    type: 'fee',
    category: 'advisory',
    rate: fixed('0.0073'),
    basis: fixed('100000'),
    convention: 'ACT/365',
    start: day('2025-01-01'),
  } as const;
  const upload = { day: '2025-01-06', quantity: '1', marketValue: '-3', accrued: '-1', currency: 'USD' };
  expect(
    renderFigure(held(terms, {}, { quantity: '1', upload }), '2025-01-11').filter((line) => line.includes('=')),
  ).toEqual([
    'value -13.2 = (-10) + (-3.2)',
    '  accrued-interest -10 = (-100000) × 0.0073 × 5 ÷ 365',
    '  carried-accrued-interest -3.2 = (-4) ÷ 1.25',
  ]);
});

test('the par of a bond past its maturity is exact, and rounded if an index has raised it', () => {
  const parOf = (terms: InstrumentTerms) => {
    const bond = held(terms, { indexFactors: { '2025-01-01': '100' } }, nominal);
    return explainValuation(valuationOn(bond, '2027-06-01'), {}).of?.find(({ name }) => name === 'par');
  };
  const plain = parOf(bondTerms);
  expect([plain?.value, plain?.formula, plain?.rounding]).toEqual(['10000', '10000', undefined]);
  const linked = parOf({ ...bondTerms, index: { baseFactor: fixed('80') } });
  expect([linked?.value, linked?.formula, linked?.rounding]).toEqual(['12500', '10000 × 100 ÷ 80', halfEven]);
});

test('a private fund is worth its net asset value plus the flows since, each at the rate of its day', () => {
  const terms = { type: 'private-fund', commitment: fixed('500') } as const;
  const fundFlows = { '2025-03-01': '30', '2025-06-02': '-6' };
  const upload = { day: '2025-02-01', quantity: '1', marketValue: '100', currency: 'EUR' };
  const fund = held(terms, { currency: 'USD' }, { quantity: '1', fundFlows, upload });
  expect(renderFigure(fund, '2025-06-30').filter((line) => line.includes('='))).toEqual([
    'value 119 = 100 + 24 + (-5) [stale]',
    '  implied-value 100 = 1 × 100 ÷ 1',
    '  fund-flow 24 = 30 ÷ 1.25',
    '  fund-flow -5 = (-6) ÷ 1.2',
  ]);
});

test('a currency forward is worth its open legs at the rates of the day', () => {
  const legs = [
    { currency: 'USD', amount: fixed('-1200'), day: day('2025-06-30') },
    { currency: 'EUR', amount: fixed('1010'), day: day('2025-07-02') },
  ];
  expect(renderFigure(held({ type: 'forward', legs }, {}, { quantity: '2' }), '2025-05-31')).toEqual([
    'value 100 = (-1920) + 2020',
    '  forward-leg -1920 = (-1200) × 2 ÷ 1.25',
    '    leg-amount -1200',
    '    contracts 2',
    '    exchange-rate 1.25',
    '  forward-leg 2020 = 1010 × 2',
    '    leg-amount 1010',
    '    contracts 2',
  ]);
});

describe('an uploaded holding', () => {
  const upload = {
    day: '2025-03-10',
    quantity: '8',
    marketValue: '100',
    accrued: '4',
    currency: 'USD',
    rate: '0.9',
    reportingCurrency: 'CHF',
  };
  const one = held({ type: 'listed' }, { currency: 'USD' }, { quantity: '8', upload });

  test('is worth the stated value at the stated rate', () => {
    expect(renderFigure(one, '2025-03-10')).toEqual([
      'value 93.6 = 93.6',
      '  uploaded-value 93.6 = (100 + 4) × 0.9',
      '    uploaded-market-value 100',
      '    uploaded-accrued-interest 4',
      '    uploaded-rate 0.9',
    ]);
    expect(explanationLines(explainAccrued(valuationOn(one, '2025-03-10')))).toEqual([
      'accrued-interest 3.6 = 3.6',
      '  uploaded-accrued-interest 3.6 = 4 × 0.9',
      '    uploaded-accrued-interest 4',
      '    uploaded-rate 0.9',
    ]);
  });

  test('of several accounts is divided by their units', () => {
    const whole = statedUpload({ ...upload, quantity: '24', marketValue: '300', accrued: '12' });
    expect(renderFigure(one, '2025-03-10', { findUpload: () => whole }).slice(1, 7)).toEqual([
      '  uploaded-value 93.6 = (100 + 4) × 0.9',
      '    share-of-uploaded-market-value 100 = 300 × 8 ÷ 24',
      '      uploaded-market-value 300',
      '      units 8',
      '      uploaded-units 24',
      '    share-of-uploaded-accrued-interest 4 = 12 × 8 ÷ 24',
    ]);
  });
});
