// The points of an instrument's time series on v1: pages by day, single points, and very many at once.

import type { Id } from '../../../kit/id.ts';
import type { AnyRecord } from '../../../kit/resource.ts';
import { wordsOf } from '../../../kit/resource.ts';
import { instrument } from '../../../model/instrument/instrument.ts';
import { seriesPoints } from '../../../model/instrument/series-point.ts';
import { instrumentRules } from '../../../actions/instruments/instrument.ts';
import { getThing } from '../../../actions/core/resource.ts';
import {
  tracePoints,
  holdSeries,
  pointRules,
  putPoint,
  putPoints,
  type AskedPoint,
  type SeriesResource,
} from '../../../actions/instruments/series-point.ts';
import { creationSchema } from '../../snake-case/creation-schema.ts';
import { flatExample, flatSchema, readFlat } from '../../snake-case/snake-case-object.ts';
import { bulkParameters, writeBulk } from '../../http/bulk/write-bulk.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { readRange, type DatedRange } from '../../http/lists/dated-query.ts';
import { defineOperation, type BulkDescription, type Operation, type Sent } from '../../http/operation/operation.ts';
import { notFoundOf } from '../../http/operation/write-refusals.ts';
import { bulkAnswers, bulkNotes, datedPageParameters, listDatedPage, putAnswer, putAnswers } from './dated-values.ts';
import { deletePath, readPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

function frame(resource: SeriesResource, verb: string) {
  return { id: `v1.${resource.type}.${verb}`, wire: v1, group: resource.plural, resource };
}

function collectionOf({ plural }: SeriesResource): string {
  return `/v1/instruments/{id}/${plural}`;
}

const words = ({ plural }: SeriesResource): string => plural.replaceAll('-', ' ');

function belowInstrument({ params }: Sent) {
  return { relation: 'instrument', id: params['id']! };
}

function listPath(resource: SeriesResource): Operation {
  const path = collectionOf(resource);
  return defineOperation<DatedRange>({
    ...frame(resource, 'list'),
    method: 'GET',
    path,
    summary: `List ${words(resource)} of an instrument`,
    right: 'read',
    mode: 'read',
    query: datedPageParameters,
    answers: { 200: { description: 'A page, by day.', schema: pageSchema(flatSchema(resource, v1)) } },
    refusals: ['cursor-invalid', 'cursor-expired', notFoundOf(instrument)],
    read: readRange,
    async handle(ask, range) {
      const where = { instrument: ask.params['id']! };
      const page = await listDatedPage(ask, resource, { operation: path, where, ...range });
      // Where there is a point, its instrument is there too.
      if (page.data.length === 0) await getThing(ask.work, instrumentRules, ask.params['id']!);
      return { status: 200, body: { ...page, data: page.data.map((one) => renderV1(resource, one)) } };
    },
  });
}

function createPath(resource: SeriesResource): Operation {
  return defineOperation<AnyRecord & { instrument: Id }>({
    ...frame(resource, 'create'),
    method: 'POST',
    path: collectionOf(resource),
    summary: `Put ${/^[aeiou]/.test(resource.type) ? 'an' : 'a'} ${wordsOf(resource)}`,
    description: 'Overwrites what is known of the same day from the same source.',
    right: 'write',
    mode: 'write',
    query: {},
    fieldInPath: 'instrument',
    body: { schema: creationSchema(resource, v1, 'instrument'), example: flatExample(resource, 'v1', 'create') },
    answers: putAnswers(resource),
    refusals: [notFoundOf(instrument), 'series-not-of-type', 'outside-reach'],
    read: (sent) =>
      readFlat(resource, sent.body, { wire: 'v1', purpose: 'create', above: belowInstrument(sent) }) as never,
    handle: async (ask, asked) => putAnswer(ask, resource, await putPoint(ask.work, resource, asked)),
  });
}

function bulkPath(resource: SeriesResource): Operation {
  const example = flatExample(resource, 'v1', 'create');
  const bulk: BulkDescription = {
    row: creationSchema(resource, v1, 'instrument'),
    example: [{ ...example, date: '2026-11-12' }, example],
  };
  return defineOperation<void>({
    ...frame(resource, 'bulk'),
    method: 'POST',
    path: `${collectionOf(resource)}/bulk`,
    summary: `Put very many ${words(resource)}`,
    description: bulkNotes,
    right: 'write',
    mode: 'write',
    heavy: true,
    query: bulkParameters,
    bulk,
    answers: bulkAnswers,
    refusals: [notFoundOf(instrument), 'series-not-of-type', 'outside-reach'],
    read: () => undefined,
    async handle(ask) {
      const { work } = ask;
      const above = belowInstrument(ask);
      const of = await holdSeries(work, resource, above.id);
      const told = await writeBulk<AskedPoint, 'written'>(ask, bulk, {
        counts: ['written'],
        read: (row, at) => readFlat(resource, row, { wire: 'v1', purpose: 'create', above, at }) as never,
        write: async (points) => ({ counts: { written: await putPoints(work, resource, of, points) } }),
      });
      tracePoints(work, resource, of, { accepted: told.accepted, written: told.written });
      return { status: 200, body: told };
    },
  });
}

export const seriesPointPaths: readonly Operation[] = seriesPoints.flatMap((resource) => {
  const rules = pointRules(resource as (typeof seriesPoints)[0]);
  return [listPath(resource), createPath(resource), bulkPath(resource), readPath({ rules }), deletePath({ rules })];
});
