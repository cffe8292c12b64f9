// What a report of v1 is written as: what is asked for in so many words, else what is accepted. Knows no report.

import { oneOf } from '../../../kit/field.ts';
import { preferredType } from '../../http/negotiation/media-types.ts';
import type { Ask } from '../../http/operation/operation.ts';
import { csvType } from '../ledger/transaction-export.ts';
import { v1 } from '../wire.ts';

export const linesType = 'application/x-ndjson';

const mediaTypes = { json: v1.mediaType, csv: csvType, ndjson: linesType } as const;

export type ReportFormat = keyof typeof mediaTypes;
const formats = Object.keys(mediaTypes) as ReportFormat[];

export const formatParameter = {
  format: {
    kind: oneOf(formats),
    description:
      '`csv` or `ndjson` for a file with a line for each row; without it what `Accept` prefers, else `json`.',
  },
} as const;

export function formatOf({ query, headers }: Ask): ReportFormat {
  const asked: ReportFormat | undefined = query['format'];
  if (asked !== undefined) return asked;
  const preferred = preferredType<string>(headers.accept, [v1.mediaType, csvType, linesType]);
  return formats.find((format) => mediaTypes[format] === preferred)!;
}
