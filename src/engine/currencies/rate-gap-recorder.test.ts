import { expect, test } from 'vitest';
import { convertedAmount, ExchangeRates } from './exchange-rates.ts';
import { RateGapRecorder } from './rate-gap-recorder.ts';

const points = [{ day: 10, value: 9n * 10n ** 17n }];
const rates = new ExchangeRates([{ base: 'USD', quote: 'EUR', points }]);

test('known rates are returned, and each pair with a missing rate is recorded with its first day', () => {
  const recorder = new RateGapRecorder(rates);
  expect(recorder.get({ from: 'USD', to: 'EUR', day: 12 })).toEqual(rates.get({ from: 'USD', to: 'EUR', day: 12 }));
  expect(recorder.listPaths('EUR', 'USD')).toEqual(rates.listPaths('EUR', 'USD'));
  expect(recorder.listMissing()).toEqual([]);
  for (const day of [7, 5, 6]) {
    const missing = recorder.get({ from: 'USD', to: 'EUR', day });
    expect(missing.quoted).toEqual([]);
    expect(convertedAmount(3n, missing)).toBe(3n);
  }
  expect(convertedAmount(0n, recorder.get({ from: 'USD', to: 'EUR', day: 2 }))).toBe(0n); // nothing needs a rate
  convertedAmount(1n, recorder.get({ from: 'JPY', to: 'EUR', day: 12 }));
  expect(recorder.listMissing()).toEqual([
    { from: 'USD', to: 'EUR', day: 5 },
    { from: 'JPY', to: 'EUR', day: 12 },
  ]);
});

test('a rate is stale after as many days as were set', () => {
  const recorder = new RateGapRecorder(rates).withStaleness({ daysMax: 3 });
  const staleOn = (day: number) => recorder.get({ from: 'EUR', to: 'USD', day }).quoted.map(({ isStale }) => isStale);
  expect([staleOn(13), staleOn(14)]).toEqual([[false], [true]]);
});
