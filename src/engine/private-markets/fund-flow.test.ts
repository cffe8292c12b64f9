// Checks the flows of very many stakes in one fund that came without money: each row is looked at a few times, not once for each stake.

import { expect, test, vi } from 'vitest';
import { eventOn, historyOfEvents } from '../../../tests/setup/engine/explained-ledger.ts';
import { day, fixed } from '../../../tests/setup/engine/valued-holding.ts';
import { listFundFlows } from './fund-flow.ts';

test('stakes of a day count at what they cost, each found at once among very many', () => {
  const count = 600;
  const acquired = day('2024-01-02');
  const history = historyOfEvents(
    Array.from({ length: count }, (_, index) =>
      eventOn('2025-01-06', {
        kind: 'flow',
        account: 'dollar',
        instrument: 'fund',
        quantity: fixed(String(index + 1)),
        details: {
          lots: [
            {
              acquired,
              quantity: fixed(String(index + 1)),
              cost: fixed(`${index + 1}00`),
              referenceCost: 0n,
              isEstimated: false,
            },
          ],
        },
      }),
    ),
  );
  const positions = [...history.table.positions.keys()].filter(
    (position) => history.key(position).instrument === 'fund',
  );
  // What is computed once for the history.
  for (const position of positions) history.legs(position);
  const { rows } = history;
  const read = vi.spyOn(rows, 'get');
  const flows = listFundFlows(history, { positions, day: day('2025-03-31') });
  expect(flows.map(({ flow }) => flow.amount)).toEqual(
    Array.from({ length: count }, (_, index) => fixed(`${index + 1}00`)),
  );
  expect(read.mock.calls.length).toBeLessThan(count * 10);
});
