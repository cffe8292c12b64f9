// What the paths of dated values have in common on v1: pages by day, a write that overwrites, and writes of very many.

import { writeJson } from '../../../kit/json.ts';
import type { AnyChange, AnyRecord, Resource, RecordOf } from '../../../kit/resource.ts';
import { listDatedValues, type PutOutcome } from '../../../actions/core/dated-value.ts';
import { datedPosition } from '../../../store/series/dated-values.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { bulkResultSchema } from '../../http/bulk/bulk-report.ts';
import { listFromCursor, type CursorPage } from '../../http/lists/cursor-page.ts';
import { rangeParameters, sourceParameter, type DatedRange } from '../../http/lists/dated-query.ts';
import type { OperationResponse, ResponseDescription, RequestContext } from '../../http/operation/operation.ts';
import { entityTag } from '../conditional.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

export interface DatedPageOptions extends DatedRange {
  readonly operation: string;
  readonly where: AnyChange;
}

/** What a list of dated values is asked for, besides what its resource has to be found by. */
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
      description: 'What was known of that day and source, overwritten; or as it was, where nothing is new.',
      schema,
      headers: { ETag: 'Its entity tag.' },
    },
    201: {
      description: 'The first of that day and source.',
      schema,
      headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
    },
  };
}

const counts = { written: 'How many of the accepted said something that was not known already.' };

export const bulkResponses: Record<number, ResponseDescription> = {
  200: { description: 'What came of the rows.', schema: bulkResultSchema('Bulk answer', counts) },
};

export const bulkRowsDescription = `Rows are sent as JSON (\`{"data": […]}\`), as JSON lines or as CSV with a header, up to 256 MiB and within ten minutes. They are written in their order in one transaction: of two rows about the same day and source the later counts. What is known already is not written again, so a body may be sent twice.`;
