// Private-market funds of a reporting entity on Plain: the total, then each fund.

import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { asOfMember, ledgerVersionMember } from '../../model/report/holding.ts';
import { fundFigureMembers, fundKeyMembers } from '../../model/report/private-market.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { readPrivateMarkets } from '../../actions/reports/private-markets.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const fund = objectOf({ ...fundKeyMembers, ...fundFigureMembers });

const answer = objectOf({
  data: member(listOf(fund), 'The total of all funds first, then each fund.'),
  asOf: asOfMember,
  ledgerVersion: ledgerVersionMember,
});

const privateMarketsPath = defineOperation<void>({
  id: 'plain.private-market-performance.report',
  wire: plain,
  group: 'private-markets',
  method: 'GET',
  path: '/v2/performance/reporting-entities/{id}/private-markets',
  summary: 'Private-market funds of a reporting entity',
  description:
    'Commitments, calls, distributions, multiples and IRR as of the latest day, up to today, with data of the funds: the whole in the reference currency first, then each fund in its own.',
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: {},
  responses: { 200: { description: 'The whole and its funds.', schema: answer.schema(plain.style) } },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const { funds, asOf, basis } = await readPrivateMarkets(work, { reportingEntity: pathParameter(params, 'id') });
    const values = { data: funds, asOf, ledgerVersion: basis.ledgerVersion };
    return { status: 200, body: answer.write(values, plain.style) };
  },
});

export const plainPrivateMarketPaths = [privateMarketsPath];
