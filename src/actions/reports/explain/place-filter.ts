// Which positions of a reporting entity a question is about: those that lie in all of the segments that it names. Knows no figure.

import type { Coverage } from '../../../engine/history/holdings.ts';
import type { PlaceQuestion } from '../../../model/report/explainable-figures.ts';
import { segmentsOn, type Axis } from '../segments/axis.ts';
import type { ReportScope } from '../report-basis.ts';
import { axisContextOf } from '../segments/segments.ts';

/** Of each axis that is asked about the segment; the residual one for what the axis does not name. */
export type AskedPlaces = { readonly [Name in Axis & PlaceQuestion]?: string };

export function askedAxes(places: AskedPlaces): readonly Axis[] {
  return Object.keys(places) as Axis[];
}

/** What lies in all of them; everything where none is asked about. */
export function liesIn(scope: ReportScope, places: AskedPlaces): Coverage {
  const context = axisContextOf(scope);
  const asked = Object.entries(places) as [Axis, string][];
  return (key) => asked.every(([axis, segment]) => segmentsOn(axis, key, context).includes(segment));
}

/** The same of what the reporting entity covers. */
export function coveredIn(scope: ReportScope, places: AskedPlaces): Coverage {
  const [covers, isThere] = [scope.places.covers, liesIn(scope, places)];
  return (key) => covers(key) && isThere(key);
}
