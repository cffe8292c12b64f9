// Finds where the number of one figure of an explanation was recorded. Only for sources that the reader sees: others have no ids.

import { fromDayNumber } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import type { RecordedOrigin } from '../../../store/report-inputs/origins.ts';
import type { Work } from '../../core/work.ts';
import type { ReportBasis } from '../report-basis.ts';

/** Returns the figure with the origin of the one at the path: `[2, 0]` is the first part of the third part. */
export async function withOrigin(
  { work, basis }: { readonly work: Work; readonly basis: ReportBasis },
  figure: ReportedFigure,
  path: readonly number[],
): Promise<ReportedFigure> {
  const [index, ...below] = path;
  if (index !== undefined) {
    const part = figure.of?.[index];
    if (part === undefined) return figure;
    const of = (figure.of ?? []).with(index, await withOrigin({ work, basis }, part, below));
    return { ...figure, of };
  }
  const origin = await findOrigin(work, basis, figure);
  if (origin === null || figure.source === undefined) return figure;
  return { ...figure, source: { ...figure.source, origin } };
}

async function findOrigin(
  { store, now }: Work,
  { client, knownAt = now }: ReportBasis,
  { source, value }: ReportedFigure,
): Promise<RecordedOrigin | null> {
  if (source === undefined || value === null) return null;
  const day = (date: Day): string => fromDayNumber(date);
  switch (source.kind) {
    case 'transaction':
      if (source.transactionId === null) return null;
      return store.origins.findBooking({ client, id: source.transactionId }, knownAt);
    case 'point': {
      if (source.instrumentId === null) return null;
      const key = { instrument: source.instrumentId, kind: source.series, date: day(source.date), value };
      return store.origins.findPoint(key, knownAt);
    }
    case 'fx-rate': {
      const { base, quote, date } = source;
      return store.origins.findRate({ base, quote, date: day(date), value }, knownAt);
    }
    default:
      return null;
  }
}
