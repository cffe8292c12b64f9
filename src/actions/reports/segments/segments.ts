// Groups positions by the segments of an axis.

import { defined } from '../../../kit/assert.ts';
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
): readonly (readonly [segment: string, some: readonly T[]])[] {
  const axisContext = makeAxisContext(basis);
  const segments = new Map<string, T[]>();
  for (const one of positions) {
    for (const segment of segmentsOn(axis, one, axisContext)) {
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
