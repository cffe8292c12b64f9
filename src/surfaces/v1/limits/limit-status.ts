// How a limit is kept, on v1. Knows no holding.

import { limit } from '../../../model/limit/limit.ts';
import { limitStatus } from '../../../model/report/limit-status.ts';
import { getLimitStatus } from '../../../actions/limits/limit-status.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { style } from '../reports/report-query.ts';
import { v1 } from '../wire.ts';

export const limitStatusPath = defineOperation<void>({
  id: 'v1.limit.status',
  wire: v1,
  group: 'limits',
  resource: limit,
  method: 'GET',
  path: '/v1/limits/{id}/status',
  summary: 'Status of a limit',
  description:
    'Worked out from the ledger when it is asked for: the present value at each reporting entity that the limit is for, and the distance to its bounds. Where a rate is missing the state is `not_evaluable`.',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  thread: ({ params }) => params['id']!,
  query: knownAtParameter,
  answers: { 200: { description: 'The status.', schema: limitStatus.schema(style) } },
  refusals: ['limit-not-found'],
  read: () => undefined,
  async handle(ask) {
    const status = await getLimitStatus(ask.work, ask.params['id']!, readKnownAt(ask));
    return { status: 200, body: limitStatus.write(status, style) };
  },
});
