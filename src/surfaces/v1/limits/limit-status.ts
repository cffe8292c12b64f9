// Serves the status of a limit on v1.

import { limit } from '../../../model/limit/limit.ts';
import { explainedLimitStatusShape } from '../../../model/report/limit-status.ts';
import { getLimitStatus } from '../../../actions/limits/limit-status.ts';
import { explainLimitStatus } from '../../../actions/reports/explain/explain-limit-rows.ts';
import { explainParameter } from '../reports/explain-parameter.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { defineReport, v1Style } from '../reports/report-query.ts';
import { v1 } from '../wire.ts';

export const limitStatusPath = defineReport<void>({
  id: 'v1.limit.status',
  wire: v1,
  group: 'limits',
  resource: limit,
  method: 'GET',
  path: '/v1/limits/{id}/status',
  summary: 'Status of a limit',
  description:
    'See whether a rule is kept now, without waiting for the next round. Computed from the ledger at the time of the request: the current value for each reporting entity that the limit applies to, and the distance to its bounds. If a rate is missing, the state is `not_evaluable`.',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: { ...knownAtParameter, ...explainParameter },
  responses: { 200: { description: 'The status.', schema: explainedLimitStatusShape.schema(v1Style) } },
  refusals: ['limit-not-found'],
  read: () => undefined,
  async handle(request) {
    const [id, moment] = [pathParameter(request.params, 'id'), readKnownAt(request)];
    const status =
      request.query['explain'] === true
        ? await explainLimitStatus(request.work, id, moment)
        : await getLimitStatus(request.work, id, moment);
    return { status: 200, body: explainedLimitStatusShape.write(status, v1Style) };
  },
});
