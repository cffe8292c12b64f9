// Points of an instrument's time series on Plain: read only, by day, without ids.

import type { JsonSchema } from '../../kit/field.ts';
import type { AnyRecord } from '../../kit/resource.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import { listDatedValues } from '../../actions/core/dated-value.ts';
import { instrumentActions } from '../../actions/instruments/instrument-actions.ts';
import type { SeriesResource } from '../../actions/instruments/series-point.ts';
import { datedPosition } from '../../store/series/dated-values.ts';
import { objectSchema } from '../http/operation/object-schema.ts';
import { snakeCaseSchema, renderSnakeCase } from '../snake-case/snake-case-object.ts';
import { cursorParameter, listFromCursor, pageSchema } from '../http/lists/cursor-page.ts';
import { rangeParameters, readDatedRange, type DatedRange } from '../http/lists/dated-query.ts';
import { defineOperation, type Operation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { renderInSlices, rowCap } from '../http/lists/row-cap.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

function renderPlainPoint(resource: SeriesResource, record: AnyRecord): object {
  const { id: _id, ...point } = renderSnakeCase(resource, record, plain);
  return point;
}

function pointSchema(resource: SeriesResource): JsonSchema {
  const { properties, required, ...schema } = objectSchema(snakeCaseSchema(resource, plain));
  const { id: _id, ...fields } = properties;
  return { ...schema, required: required.filter((name) => name !== 'id'), properties: fields };
}

function listPath(resource: SeriesResource): Operation {
  const path = `/v3/instruments/{id}/${resource.plural}`;
  const words = resource.plural.replaceAll('-', ' ');
  return defineOperation<DatedRange>({
    id: `plain.${resource.type}.list`,
    wire: plain,
    method: 'GET',
    path,
    summary: `List ${words} of an instrument`,
    description: `Up to ${rowCap.toLocaleString('en')} in one answer; pass the cursor to get the rest.`,
    group: resource.plural,
    resource,
    right: 'read',
    mode: 'read',
    heavy: true,
    query: { ...rangeParameters, cursor: cursorParameter },
    responses: {
      200: {
        description: `The ${words} of the instrument by day: of each day the effective one.`,
        schema: pageSchema(pointSchema(resource)),
      },
    },
    refusals: ['cursor-invalid', 'cursor-expired', notFoundCode(instrument)],
    read: readDatedRange,
    async handle(request, range) {
      const where = { instrument: pathParameter(request.params, 'id') };
      const page = await listFromCursor(request, {
        queryKey: [path, where, range],
        list: (after) =>
          listDatedValues(request.work, resource, {
            where,
            ...range,
            limit: rowCap,
            after: after === undefined ? after : JSON.parse(after),
          }),
        positionOf: (last) => JSON.stringify(datedPosition(resource, last as AnyRecord)),
      });
      // A list that is not empty proves that the instrument exists.
      if (page.data.length === 0) await instrumentActions.get(request.work, pathParameter(request.params, 'id'));
      const data = await renderInSlices(page.data as readonly AnyRecord[], (point) =>
        renderPlainPoint(resource, point),
      );
      return { status: 200, body: { ...page, data } };
    },
  });
}

export const plainSeriesPointPaths: readonly Operation[] = seriesPoints.map(listPath);
