// The Plain wire: /v2 and /v3 as application/json, with errors as in JSON:API. A scoped token sees its own client only.

import { withoutDescendants } from '../../model/access/scope.ts';
import { snakeCasePointer } from '../snake-case/snake-case-object.ts';
import { errorsBody, errorsSchema } from '../http/operation/errors-body.ts';
import type { Wire } from '../http/operation/operation.ts';
import { plainFields } from './shown-fields.ts';

export const plain: Wire = {
  name: 'plain',
  title: 'Plain JSON',
  host: 'base',
  mediaType: 'application/json',
  problemMediaType: 'application/json',
  style: { decimals: 'number', names: 'snake' },
  shownFields: plainFields,
  supportsIdempotencyAndETags: false,
  problemSchema: errorsSchema,
  problemBody: errorsBody,
  pointer: snakeCasePointer,
  scope: withoutDescendants,
  around: ({ proceed }) => proceed(),
};
