// Breaks on v1: listed and read, and noted, accepted or opened again by whoever works on them.

import { changeActions } from '../../../actions/core/record-actions.ts';
import { reconciliationBreakRules } from '../../../actions/reconciliation/reconciliation-break.ts';
import { v1ChangePath, v1ListPath, v1ReadPath } from '../resource-paths.ts';

const paths = {
  actions: changeActions(reconciliationBreakRules),
  order: 'newest-first',
  readers: 'advisor',
  writers: 'admin',
} as const;

export const reconciliationBreakPaths = [
  {
    ...v1ListPath(paths),
    description:
      'The differences that rounds of calculation have found between statements of custodians and the ledger, also those that are closed. Each is also a finding of `GET /v1/data-quality` until it is gone or accepted.',
  },
  v1ReadPath(paths),
  {
    ...v1ChangePath(paths),
    description:
      'Work through a break. Notes something about it, accepts it (`state` `accepted`: who and when are kept) or opens it again (`open`). An accepted break opens again by itself when its difference or class changes.',
  },
];
