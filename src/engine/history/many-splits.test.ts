// Very many splits of a position of many lots, each of which replaces all lots.

import { expect, test } from 'vitest';
import { heldBytes } from '../../../tests/setup/node/held-bytes.ts';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { dayFromCivil } from '../../kit/day.ts';

type Module = typeof import('../../../tests/setup/ledger-text/ledger-text.ts');
const module = new URL('../../../tests/setup/ledger-text/ledger-text.ts', import.meta.url);

test('few copies of the lots are kept, however many splits there are', async () => {
  const held = await heldBytes<Module>(module, (own) => {
    const history = own.historyOfText(`Many lots and splits
client EUR FIFO
account A EUR
instrument X listed EUR
${'2024-01-03 buy A X 1 @ 10\n'.repeat(400)}${'2024-01-10 split A X 2:1\n2024-01-11 split A X 1:2\n'.repeat(8_000)}`);
    const { rows, replay } = history;
    replay.replayOutcome();
    // Rows are there in any case: what is counted is the replay and what belongs to it.
    return { rows, replay };
  });
  expect(held).toBeLessThan(15e6);
});

test('the lots of any earlier day are found from the copies that are kept', () => {
  const count = 9_000;
  const history = historyOfText(`Splits on two days, and a purchase between
client EUR FIFO
account A EUR
instrument X listed EUR
2024-01-03 buy A X 1 @ 10
${'2024-01-04 split A X 3:1\n2024-01-04 split A X 1:3\n'.repeat(count / 2)}2024-01-05 buy A X 1 @ 10
${'2024-01-06 split A X 3:1\n2024-01-06 split A X 1:3\n'.repeat(count / 2)}2024-01-07 sell A X 1 @ 10
`);
  history.replayOutcome();
  const position = history.table.positionNumber({ account: 'A', depository: null, instrument: 'X' });
  const unitsOn = (day: number): bigint => history.lots(position, dayFromCivil({ year: 2024, month: 1, day })).quantity;
  expect([3, 4, 5, 6, 7].map(unitsOn)).toEqual([1n, 1n, 2n, 2n, 1n].map((units) => units * 10n ** 18n));
});
