// Finds where the number of one figure of an explanation was recorded. Only for sources that the reader sees: others have no ids.

import { fromDayNumber } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import type { RecordedOrigin } from '../../../store/report-inputs/origins.ts';
import { openReadWork, serviceAuthor, type Work } from '../../core/work.ts';
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
  work: Work,
  { client, knownAt = work.now }: ReportBasis,
  { source, value }: ReportedFigure,
): Promise<RecordedOrigin | null> {
  if (source === undefined || value === null) return null;
  const { store } = work;
  const day = (date: Day): string => fromDayNumber(date);
  switch (source.kind) {
    case 'transaction':
      return source.transactionId === null ? null : findBooking(work, { client, id: source.transactionId }, knownAt);
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

/** Who booked it may be an application of the whole workspace, which the reader does not see; of it, only the name is answered. */
function findBooking(
  { context, store }: Work,
  booking: { readonly client: string; readonly id: string },
  knownAt: number,
): Promise<RecordedOrigin | null> {
  const whole = openReadWork(context, serviceAuthor(store.scope));
  return whole.store.origins.findBooking(booking, knownAt);
}
