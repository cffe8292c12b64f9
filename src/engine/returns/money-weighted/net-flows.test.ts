// Holds the netting of dated flows to exact sums.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { netColumns, netFlows, netFlowsPerDay, type DatedFlow } from './net-flows.ts';

const flow = fc.record({ day: fc.integer({ min: -3, max: 4 }), amount: fc.bigInt({ min: -2n, max: 2n }) });

function columnsOf(flows: readonly DatedFlow[]) {
  return {
    days: Int32Array.from(flows, ({ day }) => day),
    amounts: Float64Array.from(flows, ({ amount }) => Number(amount)),
  };
}

describe('flows of one day are one flow', () => {
  test('a day has the sum of its flows, days come in order, a day that comes to zero is not there', () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 12 }), (flows) => {
        const sums = new Map<number, bigint>();
        for (const { day, amount } of flows) sums.set(day, (sums.get(day) ?? 0n) + amount);
        const expected = [...sums]
          .filter(([, amount]) => amount !== 0n)
          .toSorted(([one], [other]) => one - other)
          .map(([day, amount]) => ({ day, amount }));
        expect(netFlowsPerDay(flows)).toEqual(expected);
      }),
    );
  });

  test('columns of doubles and exact flows net to the same', () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 12 }), (flows) => {
        expect(netColumns(columnsOf(flows))).toEqual(netFlows(flows));
      }),
    );
  });

  test('times count from the first day that has a net flow', () => {
    const flows = [
      { day: 100, amount: 5n },
      { day: 90, amount: 1n },
      { day: 90, amount: -1n },
      { day: 130, amount: -2n },
    ];
    expect(netFlows(flows)).toEqual({ times: Int32Array.of(0, 30), amounts: Float64Array.of(5, -2) });
  });

  test('the sum is exact before it becomes a double', () => {
    const flows = [10n ** 38n, 1n, -(10n ** 38n)].map((amount) => ({ day: 7, amount }));
    expect(netFlows(flows).amounts).toEqual(Float64Array.of(1));
  });
});

test.each([NaN, Infinity, -Infinity, 1e121, -1e-121])('%d is no amount of money', (amount) => {
  const columns = { days: Int32Array.of(1, 2), amounts: Float64Array.of(-1, amount) };
  expect(() => netColumns(columns)).toThrow('A flow is no amount of money.');
});
