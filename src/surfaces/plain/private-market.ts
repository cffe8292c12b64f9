// The private-market funds of a reporting entity on the Plain wire: the whole, then each fund. Knows no formula.

import { instant } from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { fundFigureMembers, fundKeyMembers } from '../../model/report/private-market.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { readPrivateMarkets } from '../../actions/reports/private-markets.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { ledgerVersionSchema } from '../http/reports/report-page.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const plainStyle = plain.style;
const funds = listOf(objectOf({ ...fundKeyMembers, ...fundFigureMembers }));

const schema = {
  type: 'object',
  required: ['data', 'as_of', 'ledger_version'],
  properties: {
    data: funds.schema(plainStyle),
    as_of: instant.schema(plainStyle),
    ledger_version: ledgerVersionSchema,
  },
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
  threadKey: ({ params }) => params['id']!,
  query: {},
  responses: { 200: { description: 'The whole and its funds.', schema } },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await readPrivateMarkets(work, { reportingEntity: params['id']! });
    const body = {
      data: funds.write(report.funds, plainStyle),
      as_of: instant.write(report.asOf, plainStyle),
      ledger_version: report.basis.ledgerVersion,
    };
    return { status: 200, body };
  },
});

export const plainPrivateMarketPaths = [privateMarketsPath];
