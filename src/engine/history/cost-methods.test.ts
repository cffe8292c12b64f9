import { expect, test } from 'vitest';

import type { CostMethod } from '../lots/lot.ts';
import { CostMethods } from './cost-methods.ts';
import type { Facts } from './facts.ts';

const account = (depositories: readonly string[], method?: CostMethod) => {
  return { currency: 'EUR', depositories, ...(method && { method }) };
};

const accounts = new Map([
  ['average', account(['one', 'both', 'mixed'], 'AVERAGE')],
  ['also-average', account(['both'], 'AVERAGE')],
  ['named', account(['mixed', 'named'], 'SPECIFIC_ID')],
  ['free', account(['free', 'named'])],
]);

test.each<readonly [string | null, string | null, CostMethod]>([
  ['average', null, 'AVERAGE'],
  ['average', 'named', 'AVERAGE'],
  ['free', 'one', 'FIFO'],
  ['unknown', 'one', 'FIFO'],
  [null, 'one', 'AVERAGE'],
  [null, 'both', 'AVERAGE'],
  [null, 'mixed', 'FIFO'],
  [null, 'named', 'FIFO'],
  [null, 'free', 'FIFO'],
  [null, 'unknown', 'FIFO'],
  [null, null, 'FIFO'],
])('sales of what account %s holds at depository %s are matched under %s', (name, depository, expected) => {
  const methods = new CostMethods({ accounts, settings: { method: 'FIFO' } as Facts['settings'] });
  expect(methods.of({ account: name, depository })).toBe(expected);
});
