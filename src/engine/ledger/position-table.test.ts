// Checks that positions are numbered as they are added and listed in one sorted order, all of them and those of an instrument.

import { expect, test } from 'vitest';
import { PositionTable } from './position-table.ts';

test('positions are sorted by instrument, account and depository, including those added later', () => {
  const table = new PositionTable(new Map());
  const place = (account: string | null, depository: string | null, instrument: string): number =>
    table.positionNumber({ account, depository, instrument });
  const [second, fourth] = [place('b', 'x', 'Share'), place(null, 'x', 'Zinc')];
  expect(table.sortedPositions()).toEqual([second, fourth]);
  const [third, first] = [place('b', 'y', 'Share'), place('a', 'z', 'Share')];
  expect(table.sortedPositions()).toEqual([first, second, third, fourth]);
  expect(table.sortedPositionsIn('Share')).toEqual([first, second, third]);
  expect([table.sortedPositionsIn('Zinc'), table.sortedPositionsIn('Tin')]).toEqual([[fourth], []]);
  const fifth = place(null, null, 'Zinc');
  expect(table.sortedPositionsIn('Zinc')).toEqual([fifth, fourth]);
});

test('the positions in an instrument are listed without those in others, in the order of their numbers', () => {
  const table = new PositionTable(new Map());
  const place = (account: string, instrument: string): number =>
    table.positionNumber({ account, depository: null, instrument });
  const [first] = [place('b', 'Share'), place('b', 'Zinc')];
  expect(table.positionsIn('Share')).toEqual([first]);
  expect(table.positionsIn('Share')).toEqual([first, place('a', 'Share')]);
  expect(table.positionsIn('Gold')).toEqual([]);
});
