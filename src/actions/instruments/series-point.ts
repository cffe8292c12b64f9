// What may happen to the points of an instrument's time series: which series it has, and who writes them.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, RecordOf, Resource } from '../../kit/resource.ts';
import { instrument, traitsOf, type Instrument } from '../../model/instrument/instrument.ts';
import { type SeriesKind, type SeriesPoint, type seriesPoints } from '../../model/instrument/series-point.ts';
import { flagHolders } from '../../store/queues/dirty-flags.ts';
import { putDatedValues, auditBulk, putDatedValue, type PutOutcome, type WriteCounts } from '../core/dated-value.ts';
import { instrumentRules } from './instrument.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import { notFound, type DeleteRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

export type SeriesResource = (typeof seriesPoints)[number];

export function seriesPointRules<R extends SeriesResource>(resource: R): DeleteRules<R> {
  return {
    resource,
    checkAccess(work, { client }) {
      if (client === null) requireAllClients(work);
    },
    async lockFirst(work, id) {
      const point = (await work.store.table(resource as Resource).find(id)) as SeriesPoint | undefined;
      if (point !== undefined) await work.store.table(instrument).lock(point.instrument, 'to-change');
    },
    afterWrite(work, point) {
      const { instrument: id, client } = point as SeriesPoint;
      const target = { id, client };
      work.store.seriesVersions.incrementVersion(target);
      invalidateSeries(work, target);
    },
  };
}

function invalidateSeries(work: Work, target: Pick<Instrument, 'id' | 'client'>): void {
  flagHolders(work.store, target, { cause: 'series', now: work.now });
}

/** Held until the work is done, so that two writers of one series follow each other. */
export async function lockSeries(work: Work, resource: SeriesResource, instrumentId: string): Promise<Instrument> {
  const found = (await work.store.table(instrument).lock(instrumentId, 'to-change')) as Instrument | undefined;
  if (found === undefined) throw notFound(instrument);
  instrumentRules.checkAccess?.(work, found);
  const kinds = traitsOf(found.type).series;
  if (!kinds.includes(resource.type as SeriesKind)) throw seriesMismatch(resource, found.type, kinds);
  return found;
}

function seriesMismatch(resource: Resource, type: string, kinds: readonly SeriesKind[]): Refusal {
  const allowed = kinds.map((kind) => `${kind}s`).join(' and ');
  return new Refusal('series-not-of-type', `An instrument of type ${type} has ${allowed}, and no ${resource.plural}.`);
}

/** A point of the series, by hand unless it says otherwise. */
export async function putPoint<R extends SeriesResource>(
  work: Work,
  resource: R,
  input: AnyChange & { readonly instrument: Id },
): Promise<PutOutcome<R>> {
  const { id, client } = await lockSeries(work, resource, input.instrument);
  const target = { id, client };
  return putDatedValue(work, resource, { source: 'manual', ...input, instrument: id, client }, () => {
    work.store.seriesVersions.incrementVersion(target);
    invalidateSeries(work, target);
  });
}

export type SeriesPointInput = Pick<RecordOf<SeriesResource>, 'date' | 'value'> & { readonly source?: string };

/** Points of one series that `holdSeries` has given. Answers how many said something new. */
export function putPoints(
  work: Work,
  resource: SeriesResource,
  target: Instrument,
  points: readonly SeriesPointInput[],
): Promise<number> {
  work.store.seriesVersions.open(target);
  return putDatedValues(work, resource, {
    common: { instrument: target.id, client: target.client },
    columns: {
      date: points.map(({ date }) => date),
      source: points.map(({ source }) => source ?? 'manual'),
      value: points.map(({ value }) => value),
    },
  });
}

/** The line, the number and the mark that many points leave together. */
export function recordPointImport(
  work: Work,
  { plural }: SeriesResource,
  { id, client }: Instrument,
  counts: WriteCounts,
): void {
  if (counts.written === 0) return;
  work.store.seriesVersions.incrementVersion({ id, client });
  invalidateSeries(work, { id, client });
  auditBulk(work, { type: instrument.type, id, clientId: client }, { [plural]: counts });
}
