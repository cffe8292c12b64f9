// Checks the netting of dated flows against exact sums.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { netFlows, netFlowsPerDay } from './net-flows.ts';

const flow = fc.record({ day: fc.integer({ min: -3, max: 4 }), amount: fc.bigInt({ min: -2n, max: 2n }) });

describe('flows of one day are combined into one flow', () => {
  test('a day has the sum of its flows, days are sorted, and a day with a sum of zero is left out', () => {
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

  test('the doubles are those of the exact sums', () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 12 }), (flows) => {
        const exact = netFlowsPerDay(flows);
        expect(netFlows(flows)).toEqual({
          times: Int32Array.from(exact, ({ day }) => day - exact[0]!.day),
          amounts: Float64Array.from(exact, ({ amount }) => Number(amount)),
        });
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
