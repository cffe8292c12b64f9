// Times every figure of a performance report, for the whole portfolio and every segment of every axis.

import type { Facts } from '../../src/engine/history/facts.ts';
import type { GeneratedLedger } from './ledger/generated-ledger.ts';
import { timeInTurns, type EngineMeasurement } from './harness.ts';
import { engineFactsOf } from './holdfast/facts.ts';
import { holdfastRequest, holdfastReturns, type HoldfastRequest } from './holdfast/returns.ts';
import { segmentationOf } from './ledger/segments.ts';
import { implementationNames } from './implementation-names.ts';

const timeBudget = { rounds: 7, implementationMsMax: 8_000 };

export function measureFigures(ledger: GeneratedLedger): EngineMeasurement {
  const facts = engineFactsOf(ledger);
  const request = holdfastRequest(ledger, segmentationOf(ledger));
  return {
    task: 'every figure of a performance report over ten years, all axes',
    size: ledger.days.length,
    timings: timeInTurns([{ name: implementationNames.ours, run: () => holdfastFigures(facts, request) }], timeBudget),
  };
}

/** Includes the daily figures, which are computed on the way. */
function holdfastFigures(facts: Facts, request: HoldfastRequest): unknown[] {
  const { segments } = holdfastReturns(facts, request);
  return [...segments.values()].flatMap((ofAxis) =>
    [...ofAxis.values()].map((segment) => {
      const { path } = segment;
      return [
        segment.totals(),
        segment.moneyWeightedReturn(),
        segment.flaggedDays(),
        path.annualised(),
        path.volatility(),
        path.maximumDrawdown(),
      ];
    }),
  );
}
