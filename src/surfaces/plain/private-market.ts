// The private-market funds of a reporting entity on the Plain wire: the whole, then each fund. Knows no formula.

import { listOf, moment } from '../../kit/shape.ts';
import { plainPrivateMarket } from '../../model/report/private-market.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { readPrivateMarkets } from '../../actions/reports/private-markets.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { ledgerVersionSchema } from '../http/reports/report-page.ts';
import { notFoundOf } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const style = { decimals: plain.decimals, names: 'snake' } as const;
const funds = listOf(plainPrivateMarket);

const schema = {
  type: 'object',
  required: ['data', 'as_of', 'ledger_version'],
  properties: { data: funds.schema(style), as_of: moment.schema(style), ledger_version: ledgerVersionSchema },
  additionalProperties: false,
} as const;

const privateMarketsPath = defineOperation<void>({
  id: 'plain.private-market-performance.report',
  wire: plain,
  group: 'private-markets',
  method: 'GET',
  path: '/v2/performance/reporting-entities/{id}/private-markets',
  summary: 'Private-market funds of a reporting entity',
  description:
    'Commitments, calls, distributions, multiples and IRR as of today, and no later than the latest day with data: the whole in the reference currency first, then each fund in its own.',
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  thread: ({ params }) => params['id']!,
  query: {},
  answers: { 200: { description: 'The whole and its funds.', schema } },
  refusals: [notFoundOf(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await readPrivateMarkets(work, { reportingEntity: params['id']! });
    const body = {
      data: funds.write(report.funds, style),
      as_of: moment.write(report.asOf, style),
      ledger_version: report.scope.ledgerVersion,
    };
    return { status: 200, body };
  },
});

export const privateMarketPaths = [privateMarketsPath];
