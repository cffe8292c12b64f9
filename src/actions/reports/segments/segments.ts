// Groups positions by the segments of an axis.

import { defined } from '../../../kit/assert.ts';
import { exposuresOf, type Exposure } from '../../../engine/history/holdings.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import { residualSegment, segmentsOn, type Axis, type AxisContext } from './axis.ts';
import type { ReportBasis } from '../report-basis.ts';

export function makeAxisContext({ places, classes, history }: ReportBasis): AxisContext {
  return {
    places,
    classes,
    currencyOf: (key) =>
      history.instrument(defined(history.table.find(key), 'only positions of the history are grouped')).currency,
  };
}

/** Ordered by segment, with the residual segment last. A position in several portfolios appears in each. */
export function groupBySegment<T extends PositionKey>(
  axis: Axis,
  basis: ReportBasis,
  positions: readonly T[],
): Groups<T> {
  const axisContext = makeAxisContext(basis);
  return groupBy(positions, (one) => segmentsOn(axis, one, axisContext));
}

/** The same for holdings: by currency, the legs of a forward count in their own. */
export function groupHoldings(axis: Axis, basis: ReportBasis, holdings: readonly Exposure[]): Groups<Exposure> {
  if (axis !== 'currency') return groupBySegment(axis, basis, holdings);
  const axisContext = makeAxisContext(basis);
  return groupBy(holdings.flatMap(exposuresOf), (one) =>
    one.legCurrency === undefined ? segmentsOn(axis, one, axisContext) : [one.legCurrency],
  );
}

type Groups<T> = readonly (readonly [segment: string, some: readonly T[]])[];

function groupBy<T>(positions: readonly T[], segmentsOf: (one: T) => readonly string[]): Groups<T> {
  const segments = new Map<string, T[]>();
  for (const one of positions) {
    for (const segment of segmentsOf(one)) {
      const members = segments.get(segment);
      if (members === undefined) segments.set(segment, [one]);
      else members.push(one);
    }
  }
  return [...segments].toSorted(([one], [other]) => compareSegments(one, other));
}

export function compareSegments(one: string, other: string): number {
  if (one === other) return 0;
  if (one === residualSegment || other === residualSegment) return one === residualSegment ? 1 : -1;
  return one < other ? -1 : 1;
}
