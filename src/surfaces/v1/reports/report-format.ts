// The format of a v1 report: the `format` parameter, or else what `Accept` prefers.

import { keysOf } from '../../../kit/keys.ts';
import { defined } from '../../../kit/assert.ts';
import { oneOf } from '../../../kit/field.ts';
import { preferredMediaType } from '../../http/negotiation/media-types.ts';
import type { RequestContext } from '../../http/operation/operation.ts';
import { csvType } from '../ledger/transaction-export.ts';
import { v1 } from '../wire.ts';

export const ndjsonType = 'application/x-ndjson';

const mediaTypes = { json: v1.mediaType, csv: csvType, ndjson: ndjsonType } as const;

export type ReportFormat = keyof typeof mediaTypes;
const formats = keysOf(mediaTypes);

export const formatParameter = {
  format: {
    kind: oneOf(formats),
    description:
      '`csv` or `ndjson` for a file with one line per row. The default is what `Accept` prefers, or else `json`.',
  },
} as const;

export function reportFormat({ query, headers }: RequestContext): ReportFormat {
  const requested: ReportFormat | undefined = query['format'];
  if (requested !== undefined) return requested;
  const preferred = preferredMediaType<string>(headers.accept, [v1.mediaType, csvType, ndjsonType]);
  const format = formats.find((one) => mediaTypes[one] === preferred);
  return defined(format, 'the router has refused what no format satisfies');
}
