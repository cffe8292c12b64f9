// A ledger advanced from version to version has the current rows, reports its changes, and stays compact.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advanceLedger, findChanges, accountLedgerAt, type AccountLedger, type ClosedRow } from './account-ledger.ts';
import type { Id } from '../../kit/id.ts';
import type { InternedNames } from '../postgres/binary/column-builder.ts';
import type { DecimalDigits } from '../postgres/binary/numeric.ts';
import { blockRowsMax } from '../postgres/binary/binary-rows.ts';
import {
  compacted,
  instrumentNames,
  totalBytes,
  toLedgerBlock,
  withoutAccounts,
  withoutRows,
  type LedgerBlock,
  type LiveBlock,
} from './ledger-block.ts';

interface Row {
  readonly sequence: number;
  /** Distinguishes this version of the row from others. */
  readonly opened: number;
}

const bytesPerRow = 8 + 12 + 5 * 4 + 2 * 4 + 8 + 4 * 9;

function blockOf(rows: readonly Row[]): LedgerBlock {
  const length = rows.length;
  const names = (of: (row: Row) => string): InternedNames => {
    const all = [...new Set(rows.map(of))];
    return { names: all, numbers: Int32Array.from(rows, (row) => all.indexOf(of(row))) };
  };
  const decimals = (of: (row: Row) => number): DecimalDigits => ({
    digits: Float64Array.from(rows, of),
    places: new Uint8Array(length),
    wide: new Map(),
  });
  return toLedgerBlock({
    length,
    sequence: Float64Array.from(rows, ({ sequence }) => sequence),
    id: Uint8Array.from(rows.flatMap(({ sequence }) => Array.from({ length: 12 }, () => sequence % 256))),
    kind: names(() => 'flow'),
    day: Int32Array.from(rows, ({ sequence }) => sequence % 9),
    settlement: new Int32Array(length),
    executed: new Float64Array(length),
    account: names(() => 'a'),
    depository: names(({ sequence }) => `d${sequence % 3}`),
    instrument: names(({ sequence }) => `i${sequence % 7}`),
    currency: names(() => 'CHF'),
    quantity: decimals(() => 0),
    amount: {
      digits: new Float64Array(length).fill(NaN),
      places: new Uint8Array(length),
      wide: new Map(rows.map(({ opened }, row) => [row, BigInt(opened)])),
    },
    price: decimals(({ sequence }) => sequence),
    value: decimals(({ opened }) => opened),
    details: new Map(
      rows.flatMap(({ sequence, opened }, row) => (sequence % 2 ? [[row, `{"category":"${opened}"}`] as const] : [])),
    ),
  });
}

/** Renders every value of each row, so that mixed-up columns are noticed. */
function rowsIn(blocks: readonly LiveBlock[]): string[] {
  return blocks
    .flatMap(({ rows, removed }) =>
      [...rows.sequence.keys()]
        .filter((row) => !removed.has(row))
        .map((row) => {
          const name = ({ numbers, names }: InternedNames): string => names[numbers[row]!]!;
          return [
            rows.sequence[row],
            rows.id[row * 12 + 11],
            rows.day[row],
            name(rows.depository),
            name(rows.instrument),
            rows.amount.wide.get(row),
            rows.value.digits[row],
            rows.details.get(row)?.category,
          ].join(' ');
        }),
    )
    .toSorted();
}

const expectedRow = ({ sequence, opened }: Row): string =>
  [
    sequence,
    sequence % 256,
    sequence % 9,
    `d${sequence % 3}`,
    `i${sequence % 7}`,
    opened,
    opened,
    sequence % 2 ? opened : undefined,
  ].join(' ');

type Model = ReadonlyMap<number, Row>;

function expectedRows(model: Model): string[] {
  return [...model.values()].map(expectedRow).toSorted();
}

interface State {
  readonly ledger: AccountLedger;
  readonly model: Model;
}

/** Each choice books a new row, or amends or deletes a current one. */
function step({ ledger, model }: State, choices: readonly number[]): State {
  const version = ledger.version + 1;
  const next = new Map(model);
  const closed: ClosedRow[] = [];
  const opened: Row[] = [];
  let sequence = Math.max(0, ...model.keys(), ...ledger.own.flatMap(({ rows }) => [...rows.sequence]));
  const open = [...model.values()];
  for (const choice of choices) {
    const [some] = choice % 3 === 0 ? [] : open.splice(choice % Math.max(1, open.length), 1);
    if (some !== undefined) {
      closed.push({ sequence: some.sequence, day: some.sequence % 9, account: 'a', opened: some.opened });
      next.delete(some.sequence);
    }
    if (some === undefined) sequence++;
    if (choice % 3 === 2) continue;
    const row = { sequence: some?.sequence ?? sequence, opened: version };
    opened.push(row);
    next.set(row.sequence, row);
  }
  const changes = { opened: opened.length === 0 ? [] : [blockOf(opened)], closed };
  const none = { opened: [], closed: [] };
  return { ledger: advanceLedger(ledger, version, { own: changes, counter: none }), model: next };
}

function begin(count: number): State {
  const rows = Array.from({ length: count }, (_, index) => ({ sequence: index + 1, opened: 1 }));
  const ledger = accountLedgerAt(1, { own: count === 0 ? [] : [blockOf(rows)], counter: [] });
  return { ledger, model: new Map(rows.map((row) => [row.sequence, row])) };
}

const histories = fc.tuple(
  fc.integer({ min: 0, max: 30 }),
  fc.array(fc.array(fc.nat(50), { maxLength: 6 }), { maxLength: 25 }),
);

describe('any history', () => {
  test('results in the current rows, and in the changes since every earlier version', () => {
    fc.assert(
      fc.property(histories, ([count, steps]) => {
        const states = [begin(count)];
        for (const choices of steps) states.push(step(states.at(-1)!, choices));
        const { ledger, model } = states.at(-1)!;
        for (const { ledger: one, model: rows } of states) expect(rowsIn(one.own)).toEqual(expectedRows(rows));
        for (const { ledger: before, model: rows } of states) {
          const { closed, opened } = findChanges(ledger, before.version)!.own;
          const isSame = (one: Row, other: Row | undefined): boolean => one.opened === other?.opened;
          const removed = [...rows.values()].filter((row) => !isSame(row, model.get(row.sequence)));
          const openedRows = [...model.values()].filter((row) => !isSame(row, rows.get(row.sequence)));
          expect(closed.map(({ sequence }) => sequence).toSorted()).toEqual(
            removed.map(({ sequence }) => sequence).toSorted(),
          );
          expect(rowsIn(opened)).toEqual(openedRows.map(expectedRow).toSorted());
        }
      }),
      { numRuns: 150 },
    );
  });
});

test('rows that arrive one by one end up in few blocks, without the closed ones', () => {
  let state = begin(1_000);
  for (let round = 0; round < 150; round++) state = step(state, [round % 5 === 4 ? 4 : 0]);
  expect(state.ledger.own.length).toBeLessThan(12);
  for (let round = 0; round < 800; round++) state = step(state, [2]);
  expect(rowsIn(state.ledger.own)).toEqual(expectedRows(state.model));
  const rowsHeld = state.ledger.own.reduce((sum, { rows }) => sum + rows.length, 0);
  expect(rowsHeld).toBeLessThan(2.5 * state.model.size + 20);
});

test('the oldest steps are dropped when there are too many', () => {
  let state = begin(10);
  for (let round = 0; round < 3; round++)
    state = step(
      state,
      Array.from({ length: 2_000 }, () => 0),
    );
  expect(findChanges(state.ledger, 1)).toBeUndefined();
  expect(findChanges(state.ledger, 2)!.own.opened).toHaveLength(2);
});

const times = (count: number, rows: number): number[] => Array.from({ length: count }, () => rows);

/** Steps that each book so many rows, from version 1 on. */
function booked(counts: readonly number[]): AccountLedger {
  let state = begin(1);
  for (const count of counts) state = step(state, times(count, 0));
  return state.ledger;
}

test.each<[what: string, counts: readonly number[], oldest: number]>([
  ['256 steps', times(256, 0), 1],
  ['257 steps', times(257, 0), 2],
  ['4,096 rows', [4_000, 96], 1],
  ['4,097 rows', [4_000, 97], 2],
  ['4,097 rows of one step', [4_097], 2],
  ['4,097 rows, of which the first step has few', [1, 96, 4_000], 2],
])('of %s the changes are known since those that are kept', (_what, counts, oldest) => {
  const ledger = booked(counts);
  const known = Array.from({ length: ledger.version }, (_, index) => index + 1).filter(
    (version) => findChanges(ledger, version) !== undefined,
  );
  expect([known[0], known.length]).toEqual([oldest, ledger.version - oldest + 1]);
  expect(findChanges(ledger, 0)).toBeUndefined();
});

test('closed rows count as much as opened ones, on both sides', () => {
  const row = (sequence: number): ClosedRow => ({ sequence, day: 0, account: 'a', opened: 1 });
  const closed = (count: number): ClosedRow[] => Array.from({ length: count }, (_, index) => row(index));
  const since = (own: number, counter: number): boolean => {
    const changes = { own: { opened: [], closed: closed(own) }, counter: { opened: [], closed: closed(counter) } };
    return findChanges(advanceLedger(begin(1).ledger, 2, changes), 1) !== undefined;
  };
  expect([since(4_096, 0), since(4_097, 0), since(0, 4_097), since(2_000, 2_096), since(2_000, 2_097)]).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
});

test('a step takes the memory of its opened rows, and a hundred bytes for each that is closed', () => {
  const [one, other] = [blockOf([{ sequence: 5, opened: 2 }]), blockOf([{ sequence: 6, opened: 2 }])];
  const closed = [{ sequence: 1, day: 0, account: 'a', opened: 1 }];
  const before = begin(0).ledger;
  const after = advanceLedger(before, 2, { own: { opened: [one], closed }, counter: { opened: [other], closed } });
  expect(before.bytes).toBe(0);
  expect(after.bytes).toBe(2 * (one.bytes + other.bytes) + 200);
});

/** How many rows each block has, and how many of them are closed, after these blocks came one after the other. */
function blocksAfter(blocks: readonly (readonly [rows: number, removed: number])[]): [number, number][] {
  let first = 0;
  const live = blocks.map(([count, removed]): LiveBlock => {
    const rows = blockOf(Array.from({ length: count }, () => ({ sequence: ++first, opened: 1 })));
    return { rows, removed: new Set(Array.from({ length: removed }, (_, row) => row)) };
  });
  return compacted(live).map(({ rows, removed }) => [rows.length, removed.size]);
}

test.each<[blocks: [number, number][], after: [number, number][]]>([
  [[], []],
  [[[3, 3]], []],
  [[[4, 2]], [[4, 2]]],
  [[[5, 3]], [[2, 0]]],
  [
    [
      [4, 0],
      [2, 0],
    ],
    [[6, 0]],
  ],
  [
    [
      [5, 0],
      [2, 0],
    ],
    [
      [5, 0],
      [2, 0],
    ],
  ],
  [
    [
      [5, 0],
      [2, 0],
      [1, 0],
    ],
    [[8, 0]],
  ],
  [
    [
      [7, 0],
      [2, 0],
      [1, 0],
    ],
    [
      [7, 0],
      [3, 0],
    ],
  ],
  [
    [
      [4, 1],
      [2, 0],
    ],
    [[5, 0]],
  ],
  [
    [
      [3, 3],
      [1, 0],
    ],
    [[1, 0]],
  ],
  [
    [
      [blockRowsMax - 1, 0],
      [1, 0],
    ],
    [
      [blockRowsMax - 1, 0],
      [1, 0],
    ],
  ],
  [
    [
      [blockRowsMax - 40_000, 0],
      [40_000, 0],
    ],
    [[blockRowsMax, 0]],
  ],
  [
    [
      [blockRowsMax - 39_999, 0],
      [40_000, 0],
    ],
    [
      [blockRowsMax - 39_999, 0],
      [40_000, 0],
    ],
  ],
])('blocks of so many rows, and how many are closed: %j become %j', (blocks, after) => {
  expect(blocksAfter(blocks)).toEqual(after);
});

test.each([
  [[], ['i0', 'i1', 'i2', 'i3', 't']],
  [[0], ['i1', 'i2', 'i3', 't']],
  [[0, 1, 2, 3], []],
  [[3], ['i0', 'i1', 'i2']],
])('without the rows %j, a block names the instruments of the others, and what they became', (removed, expected) => {
  const block = blockOf([7, 1, 2, 3].map((sequence) => ({ sequence, opened: 1 })));
  const rows = { ...block, details: new Map([[3, { target: 't' as Id }]]) };
  expect([...instrumentNames({ rows, removed: new Set<number>(removed) })].toSorted()).toEqual(expected);
});

test.each([8, 9])('the rows with %i booking numbers are left out, and no other', (count) => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ sequence: index + 1, opened: 1 }));
  const blocks = [
    { rows: blockOf(rows), removed: new Set([11]) },
    { rows: blockOf([{ sequence: 50, opened: 1 }]), removed: new Set<number>() },
  ];
  const wanted = [2, 4, 6, 8, 10, 12, 99, 100, 101].slice(0, count);
  const without = withoutRows(blocks, new Set(wanted));
  expect([...without[0]!.removed].toSorted((one, other) => one - other)).toEqual([1, 3, 5, 7, 9, 11]);
  expect(without[1]).toBe(blocks[1]);
  expect(withoutRows(blocks, new Set())).toBe(blocks);
});

test('the rows of an account are left out, and blocks without any stay as they are', () => {
  const own = blockOf([1, 2, 3].map((sequence) => ({ sequence, opened: 1 })));
  const mixed = { ...own, account: { names: ['a', 'b'], numbers: Int32Array.of(0, 1, -1) } };
  const blocks = [own, mixed].map((rows) => ({ rows, removed: new Set<number>() }));
  const removedBy = (accounts: string[]): number[][] =>
    withoutAccounts(blocks, new Set(accounts)).map(({ removed }) => [...removed]);
  expect([removedBy(['a']), removedBy(['b']), removedBy(['a', 'b']), removedBy([])]).toEqual([
    [[0, 1, 2], [0]],
    [[], [1]],
    [
      [0, 1, 2],
      [0, 1],
    ],
    [[], []],
  ]);
  expect(withoutAccounts(blocks, new Set(['b']))[0]).toBe(blocks[0]);
});

test('the size is that of the arrays plus an estimate for the rest', () => {
  const block = blockOf(Array.from({ length: 100 }, (_, index) => ({ sequence: 2 * index, opened: 1 })));
  const arrays = 100 * bytesPerRow;
  const names = 1 + 1 + 3 + 7 + 1;
  expect(block.bytes).toBe(4_000 + arrays + 80 * (names + 100));
  expect(totalBytes([{ rows: block, removed: new Set([1, 2]) }])).toBe(block.bytes + 80);
});
