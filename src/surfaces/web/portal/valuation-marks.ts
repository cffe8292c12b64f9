// What a value says about itself if it is not current: its price, its exchange rate, or both.

import { markTexts } from '../parts/mark-texts.ts';
import type { Mark } from '../parts/marks.ts';
import type { EntityView } from './entity-view.ts';
import type { ShownValuation } from './holdings-report.ts';

export function valuationMarks(
  { page: { formats, reader } }: EntityView,
  { stale, estimated, date, stale_rate_date }: ShownValuation,
): readonly Mark[] {
  const text = markTexts[reader.language];
  const marks: Mark[] = [];
  if (stale) marks.push({ kind: 'old', text: text.oldValue(formats.dateShort(date)) });
  else if (estimated)
    marks.push({
      kind: 'estimated',
      text: date === null ? text.estimated : text.estimatedFrom(formats.dateShort(date)),
    });
  if (stale_rate_date !== undefined)
    marks.push({ kind: 'old', text: text.oldRate(formats.dateShort(stale_rate_date)) });
  return marks;
}
