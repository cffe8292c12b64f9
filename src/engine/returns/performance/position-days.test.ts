// Days that are valued one by one.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../../tests/setup/ledger-text/ledger-text.ts';
import { dayFromCivil } from '../../../kit/day.ts';
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
