// Checks private-market figures against published figures, worked examples and laws over generated flows.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { roundFixed } from '../../../tests/setup/kit/round-fixed.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { divideRounded, magnitude, oneFixed, toFixed, toRatio, type Fixed } from '../../kit/fixed.ts';
import { fundPerformance, fundMultiples, combinedFundPerformance } from './fund-performance.ts';
import type { Distribution, Drawing, FundFlow } from './fund-flow.ts';
import type { FundInvestment, RatedFundInvestment } from './fund-performance.ts';
import { xirr } from '../returns/money-weighted/xirr.ts';

function fixed(value: number): Fixed {
  return toFixed(parseDecimal(String(value)));
}

function drawing(day: number, amount: number, effectOnUnfunded: number = amount): Drawing {
  return { kind: 'drawing', day, amount: fixed(amount), effectOnUnfunded: fixed(effectOnUnfunded) };
}

function distribution(day: number, amount: number, recallableAmount = 0): Distribution {
  return { kind: 'distribution', day, amount: fixed(amount), recallableAmount: fixed(recallableAmount) };
}

function rate(value: number) {
  return { numerator: fixed(value), denominator: oneFixed };
}

describe('published figures', () => {
  test.each([
    ['pm-cfa-l2, CFA', [98], [28], 131.42, { dpi: 0.286, rvpi: 1.341, tvpi: 1.63 }, 0.005],
    ['pm-pyxirr-1, pyxirr', [10, 20], [15, 30], 15, { dpi: 1.5, rvpi: 0.5, tvpi: 2 }, 1e-9],
  ])('%s', (_id, calls, distributions, nav, expected, tolerance) => {
    const flows = [
      ...calls.map((amount, index) => drawing(index, amount)),
      ...distributions.map((amount, index) => distribution(900 + index, amount)),
    ];
    const { multiples } = fundPerformance({ commitment: null, flows, residualValue: fixed(nav) }, 1_000);
    expect(Math.abs(toRatio(multiples.dpi!) - expected.dpi)).toBeLessThan(tolerance);
    expect(Math.abs(toRatio(multiples.rvpi!) - expected.rvpi)).toBeLessThan(tolerance);
    expect(Math.abs(toRatio(multiples.tvpi!) - expected.tvpi)).toBeLessThan(tolerance);
  });

  test('pm-recallable, Eagle: recallable distributions are unfunded again', () => {
    const flows = [drawing(0, 400), distribution(100, 150, 100)];
    const { commitment } = fundPerformance({ commitment: fixed(1000), flows, residualValue: 0n }, 200);
    expect(commitment).toEqual({
      total: fixed(1000),
      called: fixed(400),
      recallable: fixed(100),
      transferred: 0n,
      uncalled: fixed(700),
      paidIn: fixed(400),
    });
    expect(commitment!.called - commitment!.recallable).toBe(fixed(300)); // what the source calls funded
  });

  test('irr-insead-2, INSEAD: calls, distributions and a final residual value', () => {
    const flows = [drawing(0, 12), drawing(365, 10), drawing(730, 4), distribution(1_095, 40), distribution(1_825, 15)];
    const { irr, irrFlows } = fundPerformance({ commitment: null, flows, residualValue: fixed(5) }, 2_190);
    expect(Math.abs(irr.rate! - 0.324)).toBeLessThan(0.001);
    expect(irrFlows.map(({ day, amount }) => [day, toRatio(amount)])).toEqual([
      [0, -12],
      [365, -10],
      [730, -4],
      [1_095, 40],
      [1_825, 15],
      [2_190, 5],
    ]);
  });
});

describe('a fund in its own currency', () => {
  test('a call may lower the unfunded commitment by its amount, by a part of it, or not at all', () => {
    const flows = [drawing(0, 100), drawing(10, 50, 40), drawing(20, 5, 0)];
    const { paidIn, commitment } = fundPerformance({ commitment: fixed(500), flows, residualValue: 0n }, 30);
    expect(paidIn).toBe(fixed(155));
    expect(commitment).toMatchObject({ called: fixed(140), uncalled: fixed(360) });
  });

  test('calls above the commitment leave a negative uncalled amount, and without a commitment there is none', () => {
    const investment: FundInvestment = { commitment: fixed(100), flows: [drawing(0, 130)], residualValue: 0n };
    expect(fundPerformance(investment, 1).commitment).toMatchObject({ uncalled: fixed(-30) });
    expect(fundPerformance({ ...investment, commitment: null }, 1).commitment).toBeNull();
  });

  test('flows on the as-of day count, and flows after it do not', () => {
    const flows = [drawing(0, 100), distribution(10, 30, 5), drawing(11, 50), distribution(12, 20, 20)];
    const investment = { commitment: fixed(200), flows, residualValue: fixed(90) };
    expect(fundPerformance(investment, 10)).toMatchObject({
      paidIn: fixed(100),
      distributed: fixed(30),
      recallable: fixed(5),
      residualValue: fixed(90),
      commitment: { called: fixed(100), uncalled: fixed(105) },
      irrFlows: [
        { day: 0, amount: fixed(-100) },
        { day: 10, amount: fixed(30) },
        { day: 10, amount: fixed(90) },
      ],
    });
  });

  test('before anything is paid in there is no multiple, and no rate because there is no sign change', () => {
    const { multiples, irr } = fundPerformance({ commitment: fixed(9), flows: [], residualValue: 0n }, 5);
    expect(multiples).toEqual({ dpi: null, rvpi: null, tvpi: null, pic: 0n });
    expect(irr).toMatchObject({ rate: null, reason: 'no-sign-change' });
  });

  test('an investment without value and distributions has multiples of 0 and no rate', () => {
    const { multiples, irr } = fundPerformance({ commitment: null, flows: [drawing(0, 10)], residualValue: 0n }, 400);
    expect(multiples).toEqual({ dpi: 0n, rvpi: 0n, tvpi: 0n, pic: null });
    expect(irr.reason).toBe('no-sign-change');
  });
});

describe('all funds in the reference currency', () => {
  const dollars: RatedFundInvestment = {
    commitment: fixed(1000),
    flows: [drawing(0, 100), drawing(365, 100, 50), distribution(400, 40, 10)],
    referenceFlows: [drawing(0, 90), drawing(365, 80, 40), distribution(400, 30, 7.5)],
    residualValue: fixed(200),
    asOfRate: rate(0.7),
  };
  const euros: RatedFundInvestment = {
    commitment: null,
    flows: [drawing(10, 70)],
    referenceFlows: [drawing(10, 70)],
    residualValue: fixed(80),
    asOfRate: rate(1),
  };

  test('flows are the reference money of their rows, values and commitments are converted at the as-of day', () => {
    const { irr, irrFlows, investorFlows, ...figures } = combinedFundPerformance([dollars, euros], 730);
    expect(figures).toEqual({
      paidIn: fixed(90 + 80 + 70),
      distributed: fixed(30),
      recallable: fixed(7.5),
      residualValue: fixed(140 + 80),
      commitment: {
        total: fixed(700),
        called: fixed(105),
        recallable: fixed(7),
        transferred: 0n,
        uncalled: fixed(602),
        paidIn: fixed(140),
      },
      multiples: {
        dpi: fixed(0.125),
        rvpi: divideRounded(220n * oneFixed, 240n),
        tvpi: fixed(0.125) + divideRounded(220n * oneFixed, 240n),
        pic: fixed(0.2),
      },
    });
    expect(investorFlows.map(({ kind }) => kind)).toEqual(['drawing', 'drawing', 'distribution', 'drawing']);
    expect(irrFlows.map(({ day, amount }) => [day, toRatio(amount)])).toEqual([
      [0, -90],
      [365, -80],
      [400, 30],
      [10, -70],
      [730, 220],
    ]);
    expect(irr).toEqual(xirr(irrFlows));
    expect(irr.rate).toBeCloseTo(0.03, 1);
  });

  test('flows after the as-of day do not count', () => {
    expect(combinedFundPerformance([dollars, euros], 9)).toMatchObject({
      paidIn: fixed(90),
      commitment: { called: fixed(70) },
    });
  });

  test('without funds all amounts are zero and there is no commitment', () => {
    expect(combinedFundPerformance([], 9)).toMatchObject({ paidIn: 0n, residualValue: 0n, commitment: null });
  });

  test('one fund at a rate of 1 has the figures of the fund itself', () => {
    const { flows, ...investment } = dollars;
    const rated: RatedFundInvestment = { ...investment, flows, referenceFlows: flows, asOfRate: rate(1) };
    expect(combinedFundPerformance([rated], 730)).toEqual(fundPerformance({ ...investment, flows }, 730));
  });

  test('a rate is an exact fraction, and an amount is rounded once', () => {
    const third = { numerator: oneFixed, denominator: fixed(3) };
    const empty = { commitment: null, flows: [], referenceFlows: [], asOfRate: third };
    expect(combinedFundPerformance([{ ...empty, residualValue: fixed(3) }], 1).residualValue).toBe(oneFixed);
    expect(combinedFundPerformance([{ ...empty, residualValue: 2n }], 1).residualValue).toBe(1n); // two thirds, rounded
  });
});

test('multiples are of whatever was paid in, however little, and of nothing there are none', () => {
  const totals = { distributed: 2n, residualValue: 3n, recallable: 0n };
  expect(fundMultiples({ ...totals, paidIn: 1n })).toEqual({
    dpi: 2n * oneFixed,
    rvpi: 3n * oneFixed,
    tvpi: 5n * oneFixed,
  });
  for (const paidIn of [0n, -1n])
    expect(fundMultiples({ ...totals, paidIn })).toEqual({ dpi: null, rvpi: null, tvpi: null });
});

describe('laws', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

  test('TVPI is DPI + RVPI to the last digit at any number of places, and within one unit of its own quotient', () => {
    fc.assert(
      fc.property(
        amount.filter((value) => value > 0n),
        amount,
        amount,
        fc.integer({ min: 0, max: 18 }),
        (paidIn, distributed, residualValue, places) => {
          const { dpi, rvpi, tvpi } = fundMultiples({ paidIn, distributed, residualValue, recallable: 0n }, places);
          expect(dpi! + rvpi!).toBe(tvpi);
          expect(roundFixed(dpi!, places)).toBe(dpi);
          expect(roundFixed(tvpi!, places)).toBe(tvpi);
          const unit = 10n ** BigInt(18 - places);
          expect(magnitude(tvpi! * paidIn - (distributed + residualValue) * oneFixed)).toBeLessThanOrEqual(
            unit * paidIn,
          );
          expect(magnitude(dpi! * paidIn - distributed * oneFixed) * 2n).toBeLessThanOrEqual(unit * paidIn);
        },
      ),
    );
  });

  const flow: fc.Arbitrary<FundFlow> = fc.oneof(
    fc.record({ kind: fc.constant('drawing' as const), day: fc.nat(4_000), amount, effectOnUnfunded: amount }),
    fc.record({ kind: fc.constant('distribution' as const), day: fc.nat(4_000), amount, recallableAmount: amount }),
  );
  const rated = fc.record({
    numerator: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    denominator: fc.bigInt({ min: 1n, max: 10n ** 20n }),
  });
  const investment: fc.Arbitrary<RatedFundInvestment> = fc.record({
    commitment: fc.option(amount),
    flows: fc.array(flow, { maxLength: 12 }),
    referenceFlows: fc.array(flow, { maxLength: 12 }),
    residualValue: amount,
    asOfRate: rated,
  });

  test('called plus uncalled is the commitment plus the recallable amount', () => {
    fc.assert(
      fc.property(fc.array(investment, { maxLength: 4 }), fc.nat(4_000), (investments, asOf) => {
        const all = [
          combinedFundPerformance(investments, asOf),
          ...investments.map((one) => fundPerformance(one, asOf)),
        ];
        const commitments = all.flatMap(({ commitment }) => commitment ?? []);
        expect(commitments.map(({ called, uncalled }) => called + uncalled)).toEqual(
          commitments.map(({ total, recallable }) => total + recallable),
        );
      }),
    );
  });

  test('the total is the sum of the separate funds', () => {
    fc.assert(
      fc.property(fc.array(investment, { maxLength: 4 }), fc.nat(4_000), (investments, asOf) => {
        const whole = combinedFundPerformance(investments, asOf);
        const alone = investments.map((one) => combinedFundPerformance([one], asOf));
        const total = (pick: (performance: typeof whole) => Fixed) => alone.reduce((sum, one) => sum + pick(one), 0n);
        expect(whole.paidIn).toBe(total(({ paidIn }) => paidIn));
        expect(whole.distributed).toBe(total(({ distributed }) => distributed));
        expect(whole.recallable).toBe(total(({ recallable }) => recallable));
        expect(whole.residualValue).toBe(total(({ residualValue }) => residualValue));
        expect(whole.commitment?.uncalled ?? 0n).toBe(total(({ commitment }) => commitment?.uncalled ?? 0n));
        expect(whole.irrFlows.reduce((sum, one) => sum + one.amount, 0n)).toBe(
          whole.distributed + whole.residualValue - whole.paidIn,
        );
      }),
    );
  });
});
