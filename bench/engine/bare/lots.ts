// FIFO lots with plain doubles over typed arrays: a lower bound for the time of the pass. Its costs are inexact in the last
// digits.

export interface BareColumns {
  /** The position of each row; negative if it is no trade. */
  readonly positions: Int32Array;
  readonly quantities: Float64Array;
  /** One column for each currency of the cost. */
  readonly costs: readonly [Float64Array] | readonly [Float64Array, Float64Array];
}

/** Totals by position. */
export interface BareTotals {
  readonly quantities: Float64Array;
  readonly costs: readonly Float64Array[];
}

const none = -1;

export function bareLots(columns: BareColumns, positionCount: number): BareTotals {
  return columns.costs.length === 1
    ? lotsInOneCurrency(columns, columns.costs[0], positionCount)
    : lotsInTwoCurrencies(columns, columns.costs, positionCount);
}

function lotsInOneCurrency(
  { positions, quantities }: BareColumns,
  costs: Float64Array,
  positionCount: number,
): BareTotals {
  const rowCount = positions.length;
  const next = new Int32Array(rowCount);
  const oldest = new Int32Array(positionCount).fill(none);
  const newest = new Int32Array(positionCount);
  /** Remaining units and cost of the oldest lot. */
  const left = new Float64Array(positionCount);
  const leftCost = new Float64Array(positionCount);
  for (let row = 0; row < rowCount; row++) {
    const position = positions[row]!;
    if (position < 0) continue;
    const quantity = quantities[row]!;
    if (quantity > 0) {
      if (oldest[position] === none) {
        oldest[position] = row;
        left[position] = quantity;
        leftCost[position] = costs[row]!;
      } else next[newest[position]!] = row;
      newest[position] = row;
      next[row] = none;
      continue;
    }
    let wanted = -quantity;
    while (wanted > 0 && wanted >= left[position]!) {
      wanted -= left[position]!;
      const lot = next[oldest[position]!]!;
      oldest[position] = lot;
      left[position] = lot === none ? 0 : quantities[lot]!;
      leftCost[position] = lot === none ? 0 : costs[lot]!;
      if (lot === none) break;
    }
    if (wanted > 0) {
      leftCost[position]! -= (leftCost[position]! * wanted) / left[position]!;
      left[position]! -= wanted;
    }
  }
  for (let position = 0; position < positionCount; position++) {
    if (oldest[position] === none) continue;
    for (let lot = next[oldest[position]!]!; lot !== none; lot = next[lot]!) {
      left[position]! += quantities[lot]!;
      leftCost[position]! += costs[lot]!;
    }
  }
  return { quantities: left, costs: [leftCost] };
}

function lotsInTwoCurrencies(
  { positions, quantities }: BareColumns,
  [costs, otherCosts]: readonly [Float64Array, Float64Array],
  positionCount: number,
): BareTotals {
  const rowCount = positions.length;
  const next = new Int32Array(rowCount);
  const oldest = new Int32Array(positionCount).fill(none);
  const newest = new Int32Array(positionCount);
  const left = new Float64Array(positionCount);
  const leftCost = new Float64Array(positionCount);
  const leftOther = new Float64Array(positionCount);
  for (let row = 0; row < rowCount; row++) {
    const position = positions[row]!;
    if (position < 0) continue;
    const quantity = quantities[row]!;
    if (quantity > 0) {
      if (oldest[position] === none) {
        oldest[position] = row;
        left[position] = quantity;
        leftCost[position] = costs[row]!;
        leftOther[position] = otherCosts[row]!;
      } else next[newest[position]!] = row;
      newest[position] = row;
      next[row] = none;
      continue;
    }
    let wanted = -quantity;
    while (wanted > 0 && wanted >= left[position]!) {
      wanted -= left[position]!;
      const lot = next[oldest[position]!]!;
      oldest[position] = lot;
      left[position] = lot === none ? 0 : quantities[lot]!;
      leftCost[position] = lot === none ? 0 : costs[lot]!;
      leftOther[position] = lot === none ? 0 : otherCosts[lot]!;
      if (lot === none) break;
    }
    if (wanted > 0) {
      const share = wanted / left[position]!;
      leftCost[position]! -= leftCost[position]! * share;
      leftOther[position]! -= leftOther[position]! * share;
      left[position]! -= wanted;
    }
  }
  for (let position = 0; position < positionCount; position++) {
    if (oldest[position] === none) continue;
    for (let lot = next[oldest[position]!]!; lot !== none; lot = next[lot]!) {
      left[position]! += quantities[lot]!;
      leftCost[position]! += costs[lot]!;
      leftOther[position]! += otherCosts[lot]!;
    }
  }
  return { quantities: left, costs: [leftCost, leftOther] };
}
