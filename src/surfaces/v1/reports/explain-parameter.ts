// The `explain` parameter of the v1 reports: adds to each row the explanations of its figures.

import { boolean } from '../../../kit/field.ts';
import { requireRoleAt } from '../../../actions/access/person-caller.ts';
import type { RequestContext } from '../../http/operation/operation.ts';
import { invalidParameter } from '../../http/operation/query-parameters.ts';

export const explainParameter = {
  explain: {
    kind: boolean,
    description:
      '`true` adds the explanation of each figure of a row, as in `GET /v1/explain`. Available with JSON only. People need the role `advisor`.',
  },
} as const;

/** Refuses it with a file of lines, since a line cannot contain a tree, and to people who may not see transactions. */
export function wantsExplanations(request: RequestContext, reportingEntity: string, isJson: boolean): boolean {
  if (request.query['explain'] !== true) return false;
  if (!isJson)
    throw invalidParameter(
      'explain',
      'explain is available with JSON only: a line of a file cannot contain explanations.',
    );
  requireRoleAt(request.caller, 'advisor', reportingEntity);
  return true;
}
