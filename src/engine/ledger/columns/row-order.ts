// Sorts rows into ledger order: counting sort by booking number, day and rank, because most rows of a day have no time, and a
// comparison sort only where that is not enough.

import { compareRows, type PlainColumns } from './ledger-chunk.ts';

type OrderColumns = Pick<PlainColumns, 'row' | 'day' | 'time' | 'rank' | 'isTimed'>;

const rankCount = 8;

/** Days further apart than this are sorted together. */
const daysMax = 1_000_000;

export function identityOrder(length: number): Uint32Array {
  const order = new Uint32Array(length);
  for (let index = 0; index < length; index++) order[index] = index;
  return order;
}

/** Returns the positions of the first `length` rows in the order of compareRows. */
export function rowOrder(columns: OrderColumns, length: number): Uint32Array {
  const compare = (one: number, other: number): number => compareRows(columns, one, columns, other);
  const [first, last] = dayBounds(columns.day, length);
  if (last - first > daysMax) return identityOrder(length).toSorted(compare);
  const { order, starts, timed } = countingSort(columns, { length, first, days: last - first + 1 });
  for (let day = 0; day < timed.length; day++) {
    const step = timed[day] === 1 ? rankCount : 1; // without times, ranks alone tell rows of a day apart
    for (let cell = day * rankCount; cell < (day + 1) * rankCount; cell += step) {
      const rows = order.subarray(starts[cell]!, starts[cell + step]!);
      if (!isOrdered(rows, columns)) rows.sort(compare);
    }
  }
  return order;
}

function dayBounds(days: Int32Array, length: number): [first: number, last: number] {
  let [first, last] = [days[0] ?? 0, days[0] ?? 0];
  for (let index = 1; index < length; index++) {
    const day = days[index]!;
    if (day < first) first = day;
    if (day > last) last = day;
  }
  return [first, last];
}

/** Sparser numbers are not counted: most slots would be empty. */
const slotsPerRowMax = 8;

/** Returns the positions of rows in the order of their booking numbers; undefined if the numbers are sparse or two are equal. */
export function findBookingOrder(numbers: Float64Array): Uint32Array | undefined {
  let [least, greatest] = [numbers[0] ?? 0, numbers[0] ?? 0];
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!;
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  if (!(greatest - least < slotsPerRowMax * numbers.length)) return undefined;
  const slots = new Uint32Array(greatest - least + 1); // the row after it; 0 for none
  for (let row = 0; row < numbers.length; row++) {
    const slot = numbers[row]! - least;
    if (slots[slot] !== 0) return undefined;
    slots[slot] = row + 1;
  }
  const order = new Uint32Array(numbers.length);
  let at = 0;
  for (let slot = 0; slot < slots.length; slot++) if (slots[slot] !== 0) order[at++] = slots[slot]! - 1;
  return order;
}

/** Returns rows by day and rank, the start of each of these cells, and which days have timed rows. */
function countingSort(
  { row: numbers, day, rank, isTimed }: OrderColumns,
  { length, first, days }: { length: number; first: number; days: number },
): { order: Uint32Array; starts: Uint32Array; timed: Uint8Array } {
  const starts = new Uint32Array(days * rankCount + 1);
  const timed = new Uint8Array(days);
  for (let row = 0; row < length; row++) {
    starts[(day[row]! - first) * rankCount + rank[row]! + 1]!++;
    timed[day[row]! - first]! |= isTimed[row]!;
  }
  for (let cell = 1; cell < starts.length; cell++) starts[cell]! += starts[cell - 1]!;
  const next = starts.slice();
  const byBookingNumber = findBookingOrder(numbers.subarray(0, length)) ?? identityOrder(length);
  const order = new Uint32Array(length);
  for (let index = 0; index < length; index++) {
    const row = byBookingNumber[index]!;
    order[next[(day[row]! - first) * rankCount + rank[row]!]!++] = row;
  }
  return { order, starts, timed };
}

function isOrdered(rows: Uint32Array, columns: OrderColumns): boolean {
  for (let index = 1; index < rows.length; index++) {
    if (compareRows(columns, rows[index - 1]!, columns, rows[index]!) > 0) return false;
  }
  return true;
}
