// Very many splits of one instrument.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import type { LedgerRows } from './ledger-rows.ts';
import { unitChangesByInstrument } from './unit-changes.ts';

/** The same rows; counts how often the ratios of splits are read. */
function countingRatios({ rows }: { readonly rows: LedgerRows }): { readonly rows: LedgerRows; readCount(): number } {
  let count = 0;
  const details: LedgerRows['details'] = (row) => {
    const found = rows.details(row);
    if (found?.action?.action !== 'split') return found;
    const { action, ratio } = found.action;
    const counted = {
      denominator: ratio.denominator,
      get numerator() {
        count++;
        return ratio.numerator;
      },
    };
    return { ...found, action: { action, ratio: counted } };
  };
  const { rowsWithDetails } = rows;
  const counting = { rowsWithDetails, details, transaction: (row: number) => rows.transaction(row) };
  return { rows: counting as LedgerRows, readCount: () => count };
}

test('each split is compared with those of its day and ratio without going over all others', () => {
  const count = 1_000;
  const history = historyOfText(`Very many splits of one day
client EUR FIFO
account A EUR
instrument X listed EUR
2024-01-03 buy A X 1 @ 10
${Array.from({ length: count }, (_, index) => `2024-01-10 split A X ${index + 2}:1\n`).join('')}`);
  const { rows, readCount } = countingRatios(history);
  expect(unitChangesByInstrument(rows).get('X')).toHaveLength(count);
  expect(readCount()).toBeLessThan(10 * count);
});
