// The modes of a bulk request: what one refused row does to the others, and whether anything is written at all.

import { oneOf } from '../../../kit/field.ts';
import { runDry } from '../../../actions/core/dry-run.ts';
import type { RequestContext, ParsedRequest, Parameter } from '../operation/operation.ts';

const modes = ['all-or-nothing', 'per-row', 'dry-run'] as const;
export type BulkMode = (typeof modes)[number];

export const bulkParameters = {
  mode: {
    kind: oneOf(modes),
    description:
      '`all-or-nothing` (the default): one refused row refuses the whole body, and nothing is written. `per-row`: the other rows are written, and the response lists the refused ones. `dry-run`: the response says what `per-row` would do, and nothing is written; an `Idempotency-Key` is not used up.',
  },
} as const satisfies Record<string, Parameter>;

export function bulkModeOf({ query }: Pick<ParsedRequest, 'query'>): BulkMode {
  return query['mode'] ?? 'all-or-nothing';
}

/** Whether the request writes nothing, so that its answer is not kept either. */
export function isDryRun(request: Pick<ParsedRequest, 'query'>): boolean {
  return bulkModeOf(request) === 'dry-run';
}

/** The same of a request whose query was not read. */
export function isDryRunAddress(address: string): boolean {
  return new URL(address, 'http://service').searchParams.get('mode') === ('dry-run' satisfies BulkMode);
}

/** Runs the work of a bulk request: a dry run keeps nothing of it. */
export function runBulk<T>(request: RequestContext, task: () => Promise<T>): Promise<T> {
  return isDryRun(request) ? runDry(request.work, task) : task();
}
