// One row that concerns more lots than a call takes arguments.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { dayFromCivil } from '../../kit/day.ts';
import { fromFixed } from '../../kit/fixed.ts';
import { realisedGains } from './realised-gains.ts';

const lotCount = 200_000;

test('a merger of very many lots, and a sale of all of them', () => {
  const history = historyOfText(`A merger of very many lots, and a sale of all of them
client EUR FIFO
account A EUR
instrument X listed EUR
instrument Y listed EUR
${'2024-01-03 buy A X 1 @ 10\n'.repeat(lotCount)}2024-01-10 merger A X into Y 2:1
2024-01-11 sell A Y ${2 * lotCount} @ 6
`);
  const day = dayFromCivil({ year: 2024, month: 1, day: 11 });
  const realised = realisedGains(history, { from: day, to: day, covers: () => true });
  expect(realised.length).toBe(lotCount);
  expect(fromFixed(realised.reduce((sum, one) => sum + one.referenceGain, 0n))).toBe(String(2 * lotCount));
});
