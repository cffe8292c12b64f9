// Limits on v1, the wire that manages them, and the breaches that rounds have found.

import { readActions, writeActions } from '../../../actions/core/record-actions.ts';
import { limitBreachRules, limitRules } from '../../../actions/limits/limit.ts';
import { limitCheckPath } from './limit-check.ts';
import { limitStatusPath } from './limit-status.ts';
import { v1ListPath, v1ReadPath, v1Paths } from '../resource-paths.ts';

const breachesPath = {
  ...v1ListPath({ actions: readActions(limitBreachRules), order: 'newest-first', readers: 'advisor' }),
  summary: 'List breaches of limits',
  description:
    'Report to the family or the auditor when a policy was not kept: one breach for each time a round of calculation found a reporting entity beyond a bound. Breaches remain when the limit or the reporting entity is deleted.',
} as const;

export const v1LimitPaths = [
  ...v1Paths({ actions: writeActions(limitRules), readers: 'advisor' }),
  limitStatusPath,
  limitCheckPath,
  breachesPath,
  v1ReadPath({ actions: readActions(limitBreachRules), readers: 'advisor' }),
];
