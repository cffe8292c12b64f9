// Checks what counts as paid in and paid out of a fund, and that with very many stakes that came without money each row is looked at a few
// times, not once for each stake.

import { expect, test, vi } from 'vitest';
import { eventOn, historyOfEvents } from '../../../tests/setup/engine/explained-ledger.ts';
import { day, fixed } from '../../../tests/setup/engine/valued-holding.ts';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import { fixedText } from '../../kit/fixed.ts';
import { listFundFlows } from './fund-flow.ts';

const dust = '0.000000000000000001';

test.each([
  ['buy A P 1 for 10', ['drawing 10 on 2024-02-02']],
  [`buy A P ${dust} for 10`, ['drawing 10 on 2024-02-02']],
  ['sell A P 1 for 10', ['distribution 10 on 2024-02-02']],
  ['call A P 10', ['drawing 10 on 2024-02-02']],
  [`distribution A P ${dust}`, [`distribution ${dust} on 2024-02-02`]],
  ['distribution A P 0', []],
  ['fee A P 3', ['drawing 3 on 2024-02-02']],
  ['dividend A P 3', ['distribution 3 on 2024-02-02']],
  ['deposit A P 1 acquired 2024-01-02 1 cost 7', ['drawing 7 on 2024-01-02']],
  [`deposit A P 1 acquired 2024-01-02 1 cost ${dust}`, [`drawing ${dust} on 2024-01-02`]],
  ['deposit A P 1', ['drawing 300 on 2024-02-02']],
])('%s is one of %j up to its day', (row, flows) => {
  const text = `A fund\nclient EUR FIFO\naccount A EUR\ninstrument P private-fund EUR\nnav P 2024-01-01 300\n2024-02-02 ${row}\n`;
  expect(flowTexts(text, '2024-02-02')).toEqual(flows);
  expect(flowTexts(text, '2024-02-01')).toEqual([]);
});

test('flows are listed by day, those of stakes that came in kind on the days on which these were acquired', () => {
  const text = `A fund
client EUR FIFO
account A EUR
account B EUR
instrument P private-fund EUR
2024-02-05 call A P 5
2024-02-02 call B P 2
2024-02-03 call A P 3
2024-02-04 deposit A P 2 acquired 2024-01-06 1 cost 6 acquired 2024-01-07 1 cost 7
`;
  expect(flowTexts(text, '2024-02-04')).toEqual([
    'drawing 6 on 2024-01-06',
    'drawing 7 on 2024-01-07',
    'drawing 2 on 2024-02-02',
    'drawing 3 on 2024-02-03',
  ]);
});

function flowTexts(text: string, until: string): string[] {
  const history = historyOfText(text);
  const positions = history.table.sortedPositions().filter((one) => history.key(one).instrument === 'P');
  return listFundFlows(history, { positions, day: day(until) }).map(
    ({ flow }) => `${flow.kind} ${fixedText(flow.amount)} on ${fromDayNumber(flow.day)}`,
  );
}

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
