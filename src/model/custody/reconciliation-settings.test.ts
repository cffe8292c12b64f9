// Which of several settings holds: member by member, the last one that states it.

import { expect, test } from 'vitest';

import { parseDecimal } from '../../kit/decimal.ts';
import { wholeSettings } from './reconciliation-settings.ts';

const client = {
  unitsTolerance: parseDecimal('0.5'),
  cashTolerance: parseDecimal('2'),
  priceTolerance: parseDecimal('0.1'),
  settlementDays: 3,
};
const account = {
  unitsTolerance: parseDecimal('0.25'),
  cashTolerance: parseDecimal('7'),
  priceTolerance: parseDecimal('0'),
  settlementDays: 0,
};

test('where nothing is stated, units are exact, cash may differ by 1, prices by 0.01, and five days are waited', () => {
  const defaults = { unitsTolerance: '0', cashTolerance: '1', priceTolerance: '0.01', settlementDays: 5 };
  expect([wholeSettings(), wholeSettings(null, undefined, {})]).toEqual([defaults, defaults]);
});

test('a later one goes before an earlier one, in what it states alone', () => {
  expect(wholeSettings(client, account)).toEqual(account);
  for (const member of Object.keys(client) as (keyof typeof client)[])
    expect(wholeSettings(client, { [member]: account[member] })).toEqual({ ...client, [member]: account[member] });
});
