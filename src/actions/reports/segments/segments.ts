// What lies in each segment of an axis. Knows no figure and no wire.

import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import { residualSegment, segmentsOn, type Axis, type AxisContext } from './axis.ts';
import type { ReportScope } from '../report-basis.ts';

export function axisContextOf({ places, classes, history }: ReportScope): AxisContext {
  return { places, classes, currencyOf: (key) => history.instrument(history.table.find(key)!).currency };
}

/** In the order of segments; what the axis does not name comes last. What lies in several portfolios is in each of them. */
export function segmentedBy<T extends PositionKey>(
  axis: Axis,
  scope: ReportScope,
  placed: readonly T[],
): readonly (readonly [segment: string, some: readonly T[]])[] {
  const context = axisContextOf(scope);
  const segments = new Map<string, T[]>();
  for (const one of placed) {
    for (const segment of segmentsOn(axis, one, context)) {
      const some = segments.get(segment);
      if (some === undefined) segments.set(segment, [one]);
      else some.push(one);
    }
  }
  return [...segments].toSorted(([one], [other]) => compareSegments(one, other));
}

export function compareSegments(one: string, other: string): number {
  if (one === other) return 0;
  if (one === residualSegment || other === residualSegment) return one === residualSegment ? 1 : -1;
  return one < other ? -1 : 1;
}
