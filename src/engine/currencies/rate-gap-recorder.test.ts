import { expect, test } from 'vitest';
import { ExchangeRates } from './exchange-rates.ts';
import { NotedRates } from './rate-gap-recorder.ts';

const points = [{ day: 10, value: 9n * 10n ** 17n }];
const rates = new ExchangeRates([{ base: 'USD', quote: 'EUR', points }]);

test('what is known is told, and what is missing is noted by pair with its first day', () => {
  const noted = new NotedRates(rates);
  expect(noted.get({ from: 'USD', to: 'EUR', day: 12 })).toEqual(rates.get({ from: 'USD', to: 'EUR', day: 12 }));
  expect(noted.listWays('EUR', 'USD')).toEqual(rates.listWays('EUR', 'USD'));
  expect(noted.missing()).toEqual([]);
  for (const day of [7, 5, 6]) expect(noted.get({ from: 'USD', to: 'EUR', day })).toMatchObject({ quoted: [] });
  noted.get({ from: 'JPY', to: 'EUR', day: 12 });
  expect(noted.missing()).toEqual([
    { from: 'USD', to: 'EUR', day: 5 },
    { from: 'JPY', to: 'EUR', day: 12 },
  ]);
});
