// The JSON:API wire: /api/v2 and /api/v3, media type application/vnd.api+json, errors as an array.

import { camelCaseNumbers } from '../../kit/field.ts';
import type { FaultItem } from '../../kit/refusal.ts';
import type { Resource } from '../../kit/resource.ts';
import { errorsBody, errorsSchema } from '../http/operation/errors-body.ts';
import type { Wire } from '../http/operation/operation.ts';
import { jsonApiFields } from './shown-fields.ts';

function pointer(resource: Resource | undefined, field: string, item: FaultItem = []): string {
  const isRelation = resource !== undefined && field in resource.relations;
  const at = `/data/${isRelation ? 'relationships' : 'attributes'}/${field}`;
  const steps = [item].flat();
  return steps.length === 0 ? at : `${at}${isRelation ? '/data' : ''}/${steps.join('/')}`;
}

export const jsonApi: Wire = {
  name: 'json-api',
  title: 'JSON:API',
  host: 'legacy',
  mediaType: 'application/vnd.api+json',
  problemMediaType: 'application/vnd.api+json',
  style: camelCaseNumbers,
  shownFields: jsonApiFields,
  supportsIdempotencyAndETags: false,
  problemSchema: errorsSchema,
  problemBody: errorsBody,
  pointer,
  scope: (scope) => scope,
  around: ({ proceed }) => proceed(),
};
