// Checks explained conversions against figures worked out by hand and against the currency pairs they use.

import { expect, test } from 'vitest';

import { checkedFigureNames, explanationLines } from '../../../tests/setup/engine/explanation-check.ts';
import { valuationContext, day, instrument, points, valuationOn } from '../../../tests/setup/engine/valued-holding.ts';
import { ExchangeRates } from '../currencies/exchange-rates.ts';
import { referenceValue } from '../valuation/valuation.ts';
import { explainConvertedValue } from './valuation.ts';

test('a value is converted with two crossed pairs, one of them inverted, and each names its day', () => {
  const rates = new ExchangeRates([
    { base: 'EUR', quote: 'USD', points: points({ '2025-01-01': '1.05' }) },
    { base: 'EUR', quote: 'CHF', points: points({ '2025-01-02': '0.94' }) },
  ]);
  const listed = instrument({ type: 'listed' }, { currency: 'USD', prices: { '2025-01-03': '12.5' } });
  const one = { instrument: listed, holdingState: { quantity: '200' } };
  const valuation = valuationOn(one, '2025-01-03');
  const found = referenceValue(valuation, { ...valuationContext('2025-01-03'), referenceCurrency: 'CHF', rates });
  const figure = explainConvertedValue({ valuation, ...found }, {});
  checkedFigureNames(figure);
  expect(explanationLines(figure)).toEqual([
    'market-value 2238.095238095238095238 = 2500 ÷ 1.05 × 0.94',
    '  value 2500 = 2500',
    '    quoted-value 2500 = 200 × 12.5',
    '      units 200',
    '      price 12.5',
    '  exchange-rate 1.05',
    '  exchange-rate 0.94',
  ]);
  expect(figure.of?.slice(1).map(({ source, unit }) => [unit, source])).toEqual([
    ['USD/EUR', { kind: 'rate', base: 'EUR', quote: 'USD', day: day('2025-01-01') }],
    ['CHF/EUR', { kind: 'rate', base: 'EUR', quote: 'CHF', day: day('2025-01-02') }],
  ]);
});
