// Daily returns of every segment of every axis with plain doubles over typed arrays, holding by holding: what it costs at
// least. Money in the reference currency; money comes in at the day's start and leaves at its end.

import { places, type GeneratedLedger } from '../ledger/generated-ledger.ts';
import { cashHolding, type Segmentation } from '../ledger/segments.ts';

/** Of segment s and day d at s × dayCount + d, the segments of one axis after those of the one before. */
export interface BareReturns {
  readonly values: Float64Array;
  readonly flows: Float64Array;
  readonly ratios: Float64Array;
  readonly cumulative: Float64Array;
  /** By segment, over all days. */
  readonly contributions: Float64Array;
}

export function bareReturns(ledger: GeneratedLedger, { holdings, axes }: Segmentation): BareReturns {
  const { dayCount } = ledger;
  const segmentCount = axes.reduce((sum, axis) => sum + axis.segmentCount, 0);
  const values = new Float64Array(segmentCount * dayCount);
  const flows = new Float64Array(segmentCount * dayCount);
  const byHolding = rowsByHolding(ledger, holdings.length);
  const points = pointsByDay(ledger);
  const ratesByDay = ledger.rates.map((rates) =>
    Float64Array.from(points, (point) => 10 ** places.rate / rates[point]!),
  );
  const scratch = {
    values: new Float64Array(dayCount),
    days: new Int32Array(dayCount),
    flows: new Float64Array(dayCount),
  };
  for (const [holding, { instrument, currency }] of holdings.entries()) {
    const rows = byHolding.rows.subarray(byHolding.starts[holding]!, byHolding.starts[holding + 1]!);
    const prices = instrument === null ? undefined : ledger.prices[instrument]!;
    const flowCount = addHolding({ ledger, rows, prices, points, rates: ratesByDay[currency]! }, scratch);
    let first = 0;
    for (const { segments, segmentCount: count } of axes) {
      const start = (first + segments[holding]!) * dayCount;
      const from = rows.length === 0 ? dayCount : ledger.days[rows[0]!]! - ledger.firstDay;
      for (let day = from; day < dayCount; day++) values[start + day]! += scratch.values[day]!;
      for (let index = 0; index < flowCount; index++) flows[start + scratch.days[index]!]! += scratch.flows[index]!;
      first += count;
    }
  }
  return { values, flows, ...computeSegments({ values, flows }, segmentCount, dayCount) };
}

interface HoldingRows {
  readonly ledger: GeneratedLedger;
  readonly rows: Uint32Array;
  /** None for cash. */
  readonly prices: Float64Array | undefined;
  /** By day, which point counts. */
  readonly points: Int32Array;
  /** By day, from the currency to the reference currency. */
  readonly rates: Float64Array;
}

interface Scratch {
  readonly values: Float64Array;
  readonly days: Int32Array;
  readonly flows: Float64Array;
}

/** Puts the value of each day from the first row on, and the flows one after the other; answers how many these are. */
function addHolding({ ledger, rows, prices, points, rates }: HoldingRows, scratch: Scratch): number {
  const { firstDay, dayCount, days, quantities, amounts } = ledger;
  const unit = prices === undefined ? 10 ** -places.amount : 10 ** -(places.quantity + places.price);
  let [units, flowCount, index] = [0, 0, 0];
  while (index < rows.length) {
    const day = days[rows[index]!]! - firstDay;
    let flow = 0;
    for (; index < rows.length && days[rows[index]!]! - firstDay === day; index++) {
      const row = rows[index]!;
      const intoCash = quantities[row]! > 0 ? -amounts[row]! : amounts[row]!;
      units += prices === undefined ? intoCash : quantities[row]!;
      flow += prices === undefined ? intoCash : -intoCash;
    }
    scratch.days[flowCount] = day;
    scratch.flows[flowCount++] = flow * 10 ** -places.amount * rates[day]!;
    const end = index < rows.length ? days[rows[index]!]! - firstDay : dayCount;
    const heldValue = units * unit;
    if (prices === undefined) for (let at = day; at < end; at++) scratch.values[at] = heldValue * rates[at]!;
    else for (let at = day; at < end; at++) scratch.values[at] = heldValue * prices[points[at]!]! * rates[at]!;
  }
  return flowCount;
}

function pointsByDay({ firstDay, dayCount, pointDays }: GeneratedLedger): Int32Array {
  let point = 0;
  return Int32Array.from({ length: dayCount }, (_, index) => {
    while (pointDays[point + 1]! <= firstDay + index) point++;
    return point;
  });
}

interface RowsByHolding {
  /** Those of holding h from starts[h] up to starts[h + 1], in the order of the ledger. */
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
}

/** Each row is one of the cash it moves and, where it is a trade, one of the position. */
function rowsByHolding(ledger: GeneratedLedger, holdingCount: number): RowsByHolding {
  const { rowPositions, accounts, currencies, positions } = ledger;
  const rowCount = rowPositions.length;
  const cash = new Int32Array(rowCount);
  const starts = new Uint32Array(holdingCount + 1);
  for (let row = 0; row < rowCount; row++) {
    cash[row] = cashHolding(positions.length, accounts[row]!, currencies[row]!);
    starts[cash[row]! + 1]!++;
    if (rowPositions[row]! >= 0) starts[rowPositions[row]! + 1]!++;
  }
  for (let holding = 0; holding < holdingCount; holding++) starts[holding + 1]! += starts[holding]!;
  const next = starts.slice();
  const rows = new Uint32Array(starts[holdingCount]!);
  for (let row = 0; row < rowCount; row++) {
    rows[next[cash[row]!]!++] = row;
    if (rowPositions[row]! >= 0) rows[next[rowPositions[row]!]!++] = row;
  }
  return { rows, starts };
}

type SegmentSums = Pick<BareReturns, 'values' | 'flows'>;

/** The first segment is the whole. */
function computeSegments({ values, flows }: SegmentSums, segmentCount: number, dayCount: number) {
  const ratios = new Float64Array(values.length);
  const cumulative = new Float64Array(values.length);
  const contributions = new Float64Array(segmentCount);
  /** Growth of the whole before the day / its base. */
  const weights = new Float64Array(dayCount);
  for (let segment = 0; segment < segmentCount; segment++) {
    let [begin, growth, contribution] = [0, 1, 0];
    for (let day = 0, at = segment * dayCount; day < dayCount; day++, at++) {
      const flow = flows[at]!;
      const end = values[at]!;
      const gain = end - begin - flow;
      const base = flow > 0 ? begin + flow : begin;
      const ratio = base > 0 ? gain / base : 0;
      if (segment === 0) weights[day] = base > 0 ? growth / base : 0;
      growth *= 1 + ratio;
      ratios[at] = ratio;
      cumulative[at] = growth - 1;
      contribution += gain * weights[day]!;
      begin = end;
    }
    contributions[segment] = contribution;
  }
  return { ratios, cumulative, contributions };
}
