// Corporate actions and uploads of a client with very many positions: each concerns those in its own instrument.

import { expect, onTestFinished, test, vi } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { PositionTable } from '../ledger/position-table.ts';
import { LotBooks } from '../lots/lot-books.ts';
import { dayFromCivil } from '../../kit/day.ts';

const count = 300;

function repeated(line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
}

/** One stock in each position, and a split of each. */
const text = `A split of each of very many stocks
client EUR FIFO
account A EUR
${repeated((index) => `instrument X${index} listed EUR`)}${repeated((index) => `2024-01-03 buy A X${index} 1 @ 10`)}${repeated(
  (index) => `2024-01-10 split X${index} 2:1`,
)}`;

test('a corporate action looks at the positions in its instrument, not at all others', () => {
  const read = vi.spyOn(PositionTable.prototype, 'positions', 'get');
  onTestFinished(() => read.mockRestore());
  const history = historyOfText(text);
  expect(history.replayOutcome().realised).toEqual([]);
  // Not once for each of them.
  expect(read.mock.calls.length).toBeLessThan(count / 10);
});

test('the lots of one earlier day are replayed once for all positions', () => {
  const history = historyOfText(text);
  history.replayOutcome();
  const copied = vi.spyOn(LotBooks.prototype, 'copy');
  onTestFinished(() => copied.mockRestore());
  const day = dayFromCivil({ year: 2024, month: 1, day: 5 });
  const units = history.table.positions.keys().map((position) => history.lots(position, day).quantity);
  expect(units.filter((one) => one === 10n ** 18n).toArray()).toHaveLength(count);
  expect(copied).toHaveBeenCalledTimes(1);
});
