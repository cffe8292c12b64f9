// Tests the country codes of ISO 3166-1.

import { expect, test } from 'vitest';
import { countryCode, isCountryCode } from './country.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

test('there are 249 countries', () => {
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  expect(pairs.filter(isCountryCode)).toHaveLength(249);
});

test.each(['CH', 'LU', 'US', 'GB', 'AX', 'ZW', 'AD', 'CF', 'CG', 'NI'])('%s is a country', (code) => {
  expect(countryCode.read(code)).toBe(code);
});

test.each(['UK', 'EU', 'XK', 'ZZ', 'ch', 'CHE', 'C', '', null, 41])('%j is not a country', (code) => {
  expect(() => countryCode.read(code as string)).toThrow(
    'must be an ISO 3166-1 country code of two letters, such as CH',
  );
});
