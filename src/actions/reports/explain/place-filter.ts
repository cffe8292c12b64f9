// Selects the positions of a reporting entity that lie in all given segments.

import type { Coverage } from '../../../engine/history/holdings.ts';
import { keysOf } from '../../../kit/keys.ts';
import type { SegmentParameter } from '../../../model/report/explainable-figures.ts';
import { segmentsOn, type Axis } from '../segments/axis.ts';
import type { ReportBasis } from '../report-basis.ts';
import { makeAxisContext } from '../segments/segments.ts';

/** The segment of each given axis; the residual one for what the axis does not name. */
export type PlaceFilter = { readonly [Name in Axis & SegmentParameter]?: string };

export function filteredAxes(places: PlaceFilter): readonly Axis[] {
  return keysOf(places);
}

/** Matches what lies in all of them; everything if none is given. */
export function matchesPlaces(basis: ReportBasis, places: PlaceFilter): Coverage {
  const axisContext = makeAxisContext(basis);
  const filters = Object.entries(places) as [Axis, string][];
  return (key) => filters.every(([axis, segment]) => segmentsOn(axis, key, axisContext).includes(segment));
}

/** The same for what the reporting entity covers. */
export function coversPlaces(basis: ReportBasis, places: PlaceFilter): Coverage {
  const [covers, isMatch] = [basis.places.covers, matchesPlaces(basis, places)];
  return (key) => covers(key) && isMatch(key);
}
