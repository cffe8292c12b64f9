// Rules for the points of an instrument's time series: which series its type has, and who may write them.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, RecordOf, Resource } from '../../kit/resource.ts';
import { findExistingBuiltIn } from '../../model/instrument/built-in.ts';
import { instrument, traitsOf, type Instrument } from '../../model/instrument/instrument.ts';
import { type SeriesKind, type SeriesPoint, type seriesPoints } from '../../model/instrument/series-point.ts';
import { flagHolders } from '../../store/queues/dirty-flags.ts';
import { putDatedValues, auditBulk, putDatedValue, type PutOutcome, type WriteCounts } from '../core/dated-value.ts';
import { lockBuiltInInstrument } from '../../store/series/built-in-instruments.ts';
import { findBuiltInRecord } from './built-in-instruments.ts';
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
      if (point !== undefined) await lockSeriesOwner(work, point.instrument);
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

/** Locks the instrument until the transaction ends, so that two writers of one series follow each other. */
export async function lockSeries(work: Work, resource: SeriesResource, instrumentId: string): Promise<Instrument> {
  const found = await lockSeriesOwner(work, instrumentId);
  if (found === undefined) throw notFound(instrument);
  checkSeriesAccess(work, resource, found);
  return found;
}

/** Refuses a series that the caller may not write, or that instruments of the type do not have. */
export function checkSeriesAccess(work: Work, resource: SeriesResource, found: Instrument): void {
  instrumentRules.checkAccess?.(work, found);
  const kinds = traitsOf(found.type).series;
  if (!kinds.some((kind) => kind === resource.type)) throw seriesMismatch(resource, found.type, kinds);
}

export async function lockSeriesOwner(work: Work, id: string): Promise<Instrument | undefined> {
  const builtIn = findExistingBuiltIn(id);
  if (builtIn === undefined)
    return (await work.store.table(instrument).lock(id, 'to-change')) as Instrument | undefined;
  requireAllClients(work);
  if (traitsOf(builtIn.type).series.length > 0) await lockBuiltInInstrument(work.store, builtIn);
  return findBuiltInRecord(work, id);
}

function seriesMismatch(resource: Resource, type: string, kinds: readonly SeriesKind[]): Refusal {
  const allowed = kinds.length === 0 ? 'no series' : kinds.map((kind) => `${kind}s`).join(' and ');
  return new Refusal('series-not-of-type', `An instrument of type ${type} has ${allowed}, but no ${resource.plural}.`);
}

/** The fields of a point as they were sent. */
export type SeriesPointChange = AnyChange & { readonly instrument?: Id };

/** Writes one point. Its source is `manual` unless the input names another. */
export async function putPoint<R extends SeriesResource>(
  work: Work,
  resource: R,
  input: SeriesPointChange,
): Promise<PutOutcome<R>> {
  const instrumentId = defined(input.instrument, 'a point names its instrument');
  const { id, client } = await lockSeries(work, resource, instrumentId);
  const target = { id, client };
  return putDatedValue(work, resource, { source: 'manual', ...input, instrument: id, client }, () => {
    work.store.seriesVersions.incrementVersion(target);
    invalidateSeries(work, target);
  });
}

export type SeriesPointInput = Pick<RecordOf<SeriesResource>, 'date' | 'value'> & { readonly source?: string };

/** Writes many points of an instrument that `lockSeries` returned. Returns how many were new or changed. */
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

/** Writes one audit entry, one new version and one dirty flag for all points of an import. */
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
