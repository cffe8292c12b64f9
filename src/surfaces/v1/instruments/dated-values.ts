// Shared parts of the v1 paths of dated values: pages by day, writes that overwrite, and bulk writes.

import { writeJson } from '../../../kit/json.ts';
import type { AnyChange, AnyRecord, Resource, RecordOf } from '../../../kit/resource.ts';
import { listDatedValues, type PutOutcome } from '../../../actions/core/dated-value.ts';
import { datedPosition } from '../../../store/series/dated-values.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { bulkResultSchema } from '../../http/bulk/bulk-report.ts';
import { listFromCursor, type CursorPage } from '../../http/lists/cursor-page.ts';
import { rangeParameters, sourceParameter, type DatedRange } from '../../http/lists/dated-query.ts';
import type { OperationResponse, ResponseDescription, RequestContext } from '../../http/operation/operation.ts';
import { entityTag } from '../../http/negotiation/entity-tag.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

interface DatedPageOptions extends DatedRange {
  readonly operation: string;
  readonly where: AnyChange;
}

/** The query parameters of every list of dated values, besides the filters of the resource. */
export const datedPageParameters = {
  ...pageParameters,
  ...rangeParameters,
  ...sourceParameter,
  ...knownAtParameter,
} as const;

export function listDatedPage<R extends Resource>(
  request: RequestContext,
  resource: R,
  { operation, where, ...range }: DatedPageOptions,
): Promise<CursorPage<RecordOf<R>>> {
  const query = { where, ...range, ...readKnownAt(request), limit: pageSizeOf(request) };
  return listFromCursor(request, {
    queryKey: [operation, where, range, query.knownAt],
    list: (after) =>
      listDatedValues(request.work, resource, { ...query, after: after === undefined ? after : JSON.parse(after) }),
    positionOf: (last) => JSON.stringify(datedPosition(resource, last as AnyRecord)),
  });
}

export function putResponse<R extends Resource>(
  { work }: RequestContext,
  resource: R,
  { record, outcome }: PutOutcome<R>,
): OperationResponse {
  const body = renderV1(resource, record);
  const etag = entityTag(writeJson(body));
  if (outcome !== 'created') return { status: 200, headers: { etag }, body };
  const location = `${work.context.addresses.baseUrl}/v1/${resource.plural}/${record.id}`;
  return { status: 201, headers: { location, etag }, body };
}

export function putResponses(resource: Resource): Record<number, ResponseDescription> {
  const schema = snakeCaseSchema(resource, v1);
  return {
    200: {
      description: 'The value of that day and source was overwritten, or was the same already.',
      schema,
      headers: { ETag: 'Its entity tag.' },
    },
    201: {
      description: 'The first value of that day and source was created.',
      schema,
      headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
    },
  };
}

const counts = { written: 'How many of the accepted rows were new or changed a value.' };

export const bulkResponses: Record<number, ResponseDescription> = {
  200: {
    description: 'How many rows were accepted, and which were refused.',
    schema: bulkResultSchema('Bulk answer', counts),
  },
};

export const bulkRowsDescription = `Rows are sent as JSON (\`{"data": […]}\`), as JSON lines or as CSV with a header, up to 256 MiB and within ten minutes. They are written in their order in one transaction: of two rows for the same day and source the later one counts. A value that is already stored is not written again, so the same body may be sent twice.`;
