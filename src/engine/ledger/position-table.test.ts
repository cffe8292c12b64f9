// Positions are numbered as they come and listed in one order, whenever they came.

import { expect, test } from 'vitest';
import { PositionTable } from './position-table.ts';

test('positions are listed by instrument, account and depository, those that came later among the others', () => {
  const table = new PositionTable(new Map());
  const place = (account: string | null, depository: string | null, instrument: string): number =>
    table.positionNumber({ account, depository, instrument });
  const [second, fourth] = [place('b', 'x', 'Share'), place(null, 'x', 'Zinc')];
  expect(table.sortedPositions()).toEqual([second, fourth]);
  const [third, first] = [place('b', 'y', 'Share'), place('a', 'z', 'Share')];
  expect(table.sortedPositions()).toEqual([first, second, third, fourth]);
});
