// Days that are valued one by one.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../../tests/setup/ledger-text/ledger-text.ts';
import { day } from '../../../../tests/setup/engine/valued-holding.ts';
import { dayFromCivil } from '../../../kit/day.ts';
import { computeAtOnce } from '../../../kit/turns/pieces.ts';
import { PositionDays } from './position-days.ts';

test('others may compute after a few days that are valued one by one', () => {
  const history = historyOfText(`More digits than a double has
client EUR FIFO
account A EUR
instrument X listed EUR
2024-01-03 buy A X 12345678.123456789012345678 @ 10
`);
  const first = dayFromCivil({ year: 2024, month: 1, day: 3 });
  const position = history.table.positionNumber({ account: 'A', depository: null, instrument: 'X' });
  const dayCount = 200;
  const days = new PositionDays(history, {
    window: { first, last: first + dayCount - 1 },
    fees: 'net',
    currency: 'EUR',
  });
  let pieceCount = 0;
  for (const pieces = days.columns(position); pieces.next().done !== true;) pieceCount++;
  expect(pieceCount).toBeGreaterThan(dayCount / 10);
});

test.each([
  ['held before and throughout', ['2024-01-01 deposit A X 1'], true],
  ['that came on the day before', ['2024-01-04 deposit A X 1'], true],
  ['that left on the day before', ['2024-01-01 deposit A X 1', '2024-01-04 withdraw A X 1'], false],
  ['that left on the first day', ['2024-01-01 deposit A X 1', '2024-01-05 withdraw A X 1'], true],
  ['that came on the first day', ['2024-01-05 deposit A X 1'], true],
  ['that came and left within', ['2024-01-06 deposit A X 1', '2024-01-07 withdraw A X 1'], true],
  ['that came on the last day', ['2024-01-09 deposit A X 1'], true],
  ['that came on the day after', ['2024-01-10 deposit A X 1'], false],
  ['of the smallest unit', ['2024-01-09 deposit A X 0.000000000000000001'], true],
])('of units %s it is known whether a window of days holds any: %j', (_fact, rows, isHeld) => {
  const history = historyOfText(`Held\nclient EUR FIFO\naccount A EUR\ninstrument X listed EUR\n${rows.join('\n')}\n`);
  const position = history.table.positionNumber({ account: 'A', depository: null, instrument: 'X' });
  const window = { first: day('2024-01-04'), last: day('2024-01-09') };
  const days = new PositionDays(history, { window, fees: 'net', currency: 'EUR' });
  expect(computeAtOnce(days.columns(position)).isHeld).toBe(isHeld);
});
