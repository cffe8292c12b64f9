// What may happen to the points of an instrument's time series: which series it has, and who writes them.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, RecordOf, Resource } from '../../kit/resource.ts';
import { instrument, type Instrument, type InstrumentType } from '../../model/instrument/instrument.ts';
import {
  seriesOfType,
  type SeriesKind,
  type SeriesPoint,
  type seriesPoints,
} from '../../model/instrument/series-point.ts';
import { markHolders } from '../../store/queues/dirty-flags.ts';
import { putAllDated, auditMany, putDated, type PutOutcome, type Written } from '../core/dated-value.ts';
import { instrumentRules } from './instrument.ts';
import { refuseUnlessAllSeen } from '../core/all-clients-access.ts';
import { notFound, type DeleteRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

export type SeriesResource = (typeof seriesPoints)[number];

export function pointRules<R extends SeriesResource>(resource: R): DeleteRules<R> {
  return {
    resource,
    mayTouch(work, { client }) {
      if (client === null) refuseUnlessAllSeen(work);
    },
    async holdFirst(work, id) {
      const point = (await work.store.table(resource as Resource).find(id)) as SeriesPoint | undefined;
      if (point !== undefined) await work.store.table(instrument).lock(point.instrument, 'to-change');
    },
    leaveTrace(work, point) {
      const { instrument: id, client } = point as SeriesPoint;
      const of = { id, client };
      work.store.seriesNumbers.raise(of);
      markSeries(work, of);
    },
  };
}

function markSeries(work: Work, of: Pick<Instrument, 'id' | 'client'>): void {
  markHolders(work.store, of, { cause: 'series', now: work.now });
}

/** Held until the work is done, so that two writers of one series follow each other. */
export async function holdSeries(work: Work, resource: SeriesResource, instrumentId: string): Promise<Instrument> {
  const found = (await work.store.table(instrument).lock(instrumentId, 'to-change')) as Instrument | undefined;
  if (found === undefined) throw notFound(instrument);
  instrumentRules.mayTouch?.(work, found);
  const kinds = seriesOfType[found.type as InstrumentType];
  if (!kinds.includes(resource.type as SeriesKind)) throw doesNotFit(resource, found.type, kinds);
  return found;
}

function doesNotFit(resource: Resource, type: string, kinds: readonly SeriesKind[]): Refusal {
  const has = kinds.map((kind) => `${kind}s`).join(' and ');
  return new Refusal('series-not-of-type', `An instrument of type ${type} has ${has}, and no ${resource.plural}.`);
}

/** A point of the series, by hand unless it says otherwise. */
export async function putPoint<R extends SeriesResource>(
  work: Work,
  resource: R,
  asked: AnyChange & { readonly instrument: Id },
): Promise<PutOutcome<R>> {
  const { id, client } = await holdSeries(work, resource, asked.instrument);
  const of = { id, client };
  return putDated(work, resource, { source: 'manual', ...asked, instrument: id, client }, () => {
    work.store.seriesNumbers.raise(of);
    markSeries(work, of);
  });
}

export type AskedPoint = Pick<RecordOf<SeriesResource>, 'date' | 'value'> & { readonly source?: string };

/** Points of one series that `holdSeries` has given. Answers how many said something new. */
export function putPoints(
  work: Work,
  resource: SeriesResource,
  of: Instrument,
  points: readonly AskedPoint[],
): Promise<number> {
  work.store.seriesNumbers.open(of);
  return putAllDated(work, resource, {
    given: { instrument: of.id, client: of.client },
    columns: {
      date: points.map(({ date }) => date),
      source: points.map(({ source }) => source ?? 'manual'),
      value: points.map(({ value }) => value),
    },
  });
}

/** The line, the number and the mark that many points leave together. */
export function tracePoints(work: Work, { plural }: SeriesResource, { id, client }: Instrument, told: Written): void {
  if (told.written === 0) return;
  work.store.seriesNumbers.raise({ id, client });
  markSeries(work, { id, client });
  auditMany(work, { type: instrument.type, id, clientId: client }, { [plural]: told });
}
