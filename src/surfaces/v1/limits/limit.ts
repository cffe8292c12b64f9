// Limits on v1: made, changed and deleted here, and the breaches that rounds have found.

import { readActions, writeActions } from '../../../actions/core/record-actions.ts';
import { limitBreachRules, limitRules } from '../../../actions/limits/limit.ts';
import { limitCheckPath } from './limit-check.ts';
import { limitStatusPath } from './limit-status.ts';
import { v1ListPath, v1ReadPath, v1Paths } from '../resource-paths.ts';

const breachesPath = {
  ...v1ListPath({ actions: readActions(limitBreachRules), order: 'newest-first' }),
  summary: 'List breaches of limits',
  description:
    'What rounds of calculation found: one for each time that a reporting entity went beyond a bound. Breaches stay when the limit or the reporting entity is deleted.',
} as const;

export const v1LimitPaths = [
  ...v1Paths({ actions: writeActions(limitRules) }),
  limitStatusPath,
  limitCheckPath,
  breachesPath,
  v1ReadPath({ actions: readActions(limitBreachRules) }),
];
