// Checks what goes along with units that move between own places, down to the smallest unit.

import { describe, expect, test } from 'vitest';

import type { Point } from '../amounts/series.ts';
import { StepFunction } from './step-function.ts';
import { heldBefore, pointsAfterMoves, unitChangesWithoutMoves, type UnitMove } from './unit-moves.ts';

/** A day and an amount. */
type Entry = readonly [day: number, value: bigint];

type Units = Readonly<Record<number, readonly Entry[]>>;

const stepsOf = (units: Units) => (position: number) => {
  const entries = units[position] ?? [];
  return StepFunction.fromAmounts(
    entries.map(([day]) => day),
    entries.map(([, value]) => value),
  );
};

const toPoints = (entries: readonly Entry[] = []): Point[] => entries.map(([day, value]) => ({ day, value }));
const toEntries = (points: readonly Point[]): Entry[] => points.map(({ day, value }) => [day, value]);

function move(day: number, quantity: bigint, from = 1, to = 2): UnitMove {
  return { row: day, from, to, day, quantity };
}

/** What place 1 and place 2 have been through by day 8. */
function after(units: Units, moves: readonly UnitMove[], own: Units = { 1: history }, day = 8) {
  return [1, 2].map((position) =>
    toEntries(pointsAfterMoves(position, day, { moves, units: stepsOf(units) }, (one) => toPoints(own[one]))),
  );
}

const history: readonly Entry[] = [
  [1, 10n],
  [3, 5n],
  [7, 2n],
];

describe('what happened to units before they moved', () => {
  test.each([
    [
      'goes with them by their share, rounded as a running total',
      {
        1: [
          [1, 10n],
          [5, 6n],
        ],
        2: [[5, 4n]],
      },
      [move(5, 4n)],
      [
        [
          [1, 6n],
          [3, 3n],
          [7, 2n],
        ],
        [
          [1, 4n],
          [3, 2n],
        ],
      ],
    ],
    [
      'goes with them whole if all move',
      {
        1: [
          [1, 10n],
          [5, 0n],
        ],
        2: [[5, 10n]],
      },
      [move(5, 10n)],
      [
        [[7, 2n]],
        [
          [1, 10n],
          [3, 5n],
        ],
      ],
    ],
    [
      'goes with as many as there were if more moved',
      {
        1: [
          [1, 10n],
          [5, -2n],
        ],
        2: [[5, 12n]],
      },
      [move(5, 12n)],
      [
        [[7, 2n]],
        [
          [1, 10n],
          [3, 5n],
        ],
      ],
    ],
    [
      'is left out of the lists where the share of it is nothing',
      {
        1: [
          [1, 100n],
          [5, 99n],
        ],
        2: [[5, 1n]],
      },
      [move(5, 1n)],
      [history, []],
    ],
    ['stays where no units were', { 1: [[5, -4n]], 2: [[5, 4n]] }, [move(5, 4n)], [history, []]],
    [
      'leaves with units that go outside',
      {
        1: [
          [1, 10n],
          [5, 6n],
        ],
      },
      [move(5, 4n, 1, -1)],
      [
        [
          [1, 6n],
          [3, 3n],
          [7, 2n],
        ],
        [],
      ],
    ],
    [
      'stays for units that close a short, and goes with the others by their share of the others',
      {
        1: [
          [1, 10n],
          [5, 5n],
        ],
        2: [
          [2, -3n],
          [5, 2n],
        ],
      },
      [move(5, 5n)],
      [
        [
          [1, 7n],
          [3, 4n],
          [7, 2n],
        ],
        [
          [1, 3n],
          [3, 1n],
        ],
      ],
    ],
    [
      'stays if all units close a short',
      {
        1: [
          [1, 10n],
          [5, 5n],
        ],
        2: [
          [2, -9n],
          [5, -4n],
        ],
      },
      [move(5, 5n)],
      [history, []],
    ],
    [
      'stays if all that is there closes a short',
      {
        1: [
          [1, 5n],
          [5, 0n],
        ],
        2: [
          [2, -9n],
          [5, -4n],
        ],
      },
      [move(5, 5n)],
      [history, []],
    ],
    ['stays until the day on which they move', { 1: [[1, 10n]], 2: [[9, 4n]] }, [move(9, 4n)], [history, []]],
  ] as readonly [string, Units, readonly UnitMove[], readonly (readonly Entry[])[]][])(
    '%s',
    (_what, units, moves, expected) => {
      expect(after(units, moves)).toEqual(expected);
    },
  );

  test('comes beside what happened to the units that are there, by day', () => {
    const units: Units = {
      1: [
        [1, 10n],
        [5, 5n],
      ],
      2: [
        [2, 3n],
        [5, 8n],
      ],
    };
    const own: Units = { 1: history, 2: [[2, 7n]] };
    expect(after(units, [move(5, 5n)], own)[1]).toEqual([
      [1, 5n],
      [2, 7n],
      [3, 3n],
    ]);
  });

  test('goes on with them when they move again, also on the same day', () => {
    const units: Units = {
      1: [
        [1, 10n],
        [5, 4n],
      ],
      2: [[5, 6n]],
      3: [],
    };
    const moves = [move(5, 10n), move(5, 4n, 2, 1)];
    expect(after(units, moves)).toEqual([
      [
        [1, 4n],
        [3, 2n],
        [7, 2n],
      ],
      [
        [1, 6n],
        [3, 3n],
      ],
    ]);
  });
});

test('what happened on the day of a move before it goes with the units too', () => {
  const units: Units = {
    1: [
      [5, 10n],
      [6, 0n],
    ],
    2: [[5, 4n]],
  };
  const own: Units = { 1: [[5, 10n]] };
  expect(after(units, [move(5, 4n)], own)[1]).toEqual([[5, 3n]]);
});

test.each([1n, 2n])(
  'units that close a short of %s at the first place of all leave what happened to the others',
  (short) => {
    const units: Units = {
      0: [
        [2, -short],
        [5, 4n - short],
      ],
      1: [
        [1, 10n],
        [5, 6n],
      ],
    };
    const own = (one: number): Point[] => toPoints(one === 1 ? [[1, 100n * (10n - short)]] : []);
    const moving = { moves: [move(5, 4n, 1, 0)], units: stepsOf(units) };
    expect(toEntries(pointsAfterMoves(0, 8, moving, own))).toEqual([[1, 100n * (4n - short)]]);
  },
);

test('what a place held before a move is what it held at the end of the day before', () => {
  const units: Units = {
    1: [
      [3, 1n],
      [4, 10n],
      [5, 6n],
    ],
  };
  expect(heldBefore(1, { day: 5 }, { moves: [move(5, 4n)], units: stepsOf(units), earlier: [] })).toBe(10n);
});

describe('what a place held just before units moved', () => {
  const units: Units = {
    1: [
      [1, 10n],
      [5, 9n],
    ],
  };
  const held = (moves: readonly UnitMove[], earlier = 0) =>
    heldBefore(1, { day: 5 }, { moves, units: stepsOf(units), earlier: moves.slice(0, earlier) });

  test.each([
    ['is what was there the day before', [move(5, 1n)], 0, 10n],
    ['has what was bought on the day', [move(5, 2n)], 0, 11n],
    ['has all that was there if some was sold on the day', [], 0, 10n],
    ['has not what has moved away before on the day', [move(5, 1n), move(5, 0n)], 1, 9n],
    ['has what has come before on the day', [move(5, 4n, 2, 1), move(5, 5n)], 1, 14n],
    ['has nothing of moves of other days', [move(4, 3n), move(5, 1n)], 1, 10n],
    ['has nothing of moves between other places', [move(5, 3n, 2, 3), move(5, 1n)], 1, 10n],
  ])('%s', (_what, moves, earlier, expected) => {
    expect(held(moves, earlier)).toBe(expected);
  });
});

test('changes of units without moves are what was bought and sold on each day', () => {
  const units: Units = {
    1: [
      [1, 10n],
      [5, 9n],
      [6, 7n],
    ],
  };
  const moves = [move(5, 4n), move(5, 1n, 2, 1)];
  expect(toEntries(unitChangesWithoutMoves(1, { moves, units: stepsOf(units) }))).toEqual([
    [1, 10n],
    [5, 2n],
    [6, -2n],
  ]);
});
