// Every figure that a report on performance tells, of the whole and of every segment of every axis: what the engine takes for all of it.

import type { Facts } from '../../src/engine/history/facts.ts';
import type { GeneratedLedger } from './ledger/generated-ledger.ts';
import { conduct, type Measured } from './harness.ts';
import { factsOf } from './holdfast/facts.ts';
import { ourRequest, ourReturns, type OurRequest } from './holdfast/returns.ts';
import { segmentationOf } from './ledger/segments.ts';
import { wayNames } from './implementation-names.ts';

const patience = { rounds: 7, wayMsMax: 8_000 };

export function measureFigures(ledger: GeneratedLedger): Measured {
  const facts = factsOf(ledger);
  const request = ourRequest(ledger, segmentationOf(ledger));
  return {
    task: 'every figure of a performance report over ten years, all axes',
    size: ledger.days.length,
    timings: conduct([{ name: wayNames.ours, run: () => ourFigures(facts, request) }], patience),
  };
}

/** With the days: they are worked out on the way. */
function ourFigures(facts: Facts, request: OurRequest): unknown[] {
  const { segments } = ourReturns(facts, request);
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
