// The Plain wire: /v2 and /v3 as application/json, errors as on the JSON:API wire. A scoped token sees its own client only.

import { ownClientOnly } from '../../model/reach.ts';
import { flatPointer } from '../flat/object.ts';
import { errorsBody, errorsSchema } from '../http/errors-body.ts';
import type { Wire } from '../http/wire.ts';

export const plain: Wire = {
  name: 'plain',
  title: 'Plain JSON',
  host: 'base',
  mediaType: 'application/json',
  problemMediaType: 'application/json',
  decimals: 'number',
  keepsAnswers: false,
  problemSchema: errorsSchema,
  problemBody: errorsBody,
  pointer: flatPointer,
  reach: ownClientOnly,
  around: ({ proceed }) => proceed(),
};
