// Daily returns of every segment of every axis with plain doubles over typed arrays, holding by holding: a lower bound for the
// time. Amounts are in the reference currency; inflows count at the day's start, outflows at its end.

import { places, type GeneratedLedger } from '../ledger/generated-ledger.ts';
import { cashHolding, type Segmentation } from '../ledger/segments.ts';

/** The value of segment s on day d is at s × dayCount + d; the segments of the axes follow one another. */
export interface BareReturns {
  readonly values: Float64Array;
  readonly flows: Float64Array;
  readonly ratios: Float64Array;
  readonly cumulative: Float64Array;
  /** One per segment, over all days. */
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
  /** Undefined for cash. */
  readonly prices: Float64Array | undefined;
  /** The index of the applicable price for each day. */
  readonly points: Int32Array;
  /** The rate from the currency to the reference currency for each day. */
  readonly rates: Float64Array;
}

interface Scratch {
  readonly values: Float64Array;
  readonly days: Int32Array;
  readonly flows: Float64Array;
}

/** Writes the value of each day from the first row on, and appends the flows; returns the number of flows. */
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
  /** The rows of holding h are from starts[h] up to starts[h + 1], in ledger order. */
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
}

/** Each row belongs to the cash that it moves and, if it is a trade, also to the position. */
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

/** The first segment is the whole portfolio. */
function computeSegments({ values, flows }: SegmentSums, segmentCount: number, dayCount: number) {
  const ratios = new Float64Array(values.length);
  const cumulative = new Float64Array(values.length);
  const contributions = new Float64Array(segmentCount);
  /** Growth of the whole portfolio before the day / its base. */
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
