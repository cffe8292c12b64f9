// Private-market funds of a reporting entity on JSON:API: the total, then each fund.

import type { ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { privateMarketShape } from '../../model/report/private-market.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import {
  readPrivateMarkets,
  type FundFigures,
  type PrivateMarketsReport,
} from '../../actions/reports/private-markets.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { heldTypeOf } from '../../actions/reports/report-basis.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import {
  heldTypes,
  linkage,
  linkageTo,
  optionalLinkage,
  reportDocument,
  reportMeta,
  reportResource,
  jsonApiStyle,
} from './report-document.ts';
import { jsonApi } from './wire.ts';

const relationships = objectOf({
  reportingEntity: member(linkage('reporting-entity'), 'The reporting entity.'),
  instrument: member(optionalLinkage(...heldTypes), 'The fund; null for the total of all funds.'),
});

const fund = reportResource('private-market-performance', privateMarketShape, relationships);
const document = reportDocument(listOf(fund));

function toFund(one: FundFigures, { basis }: PrivateMarketsReport): ValueOf<typeof fund> {
  const { instrumentId } = one;
  return {
    type: 'private-market-performance',
    id: [basis.reportingEntity, instrumentId ?? 'total'].join('.'),
    attributes: one,
    relationships: {
      reportingEntity: linkageTo('reporting-entity', basis.reportingEntity),
      instrument: linkageTo(instrumentId === null ? '' : heldTypeOf(instrumentId, basis), instrumentId),
    },
  };
}

const privateMarketsPath = defineOperation<void>({
  id: 'json-api.private-market-performance.report',
  wire: jsonApi,
  group: 'private-markets',
  method: 'GET',
  path: '/api/v2/performance/reporting-entities/{id}/private-markets',
  summary: 'Private-market funds of a reporting entity',
  description:
    'Follow funds that call capital over years: commitments, calls, distributions, multiples and IRR as of the latest day, up to today, with data of the funds: the whole in the reference currency first, then each fund in its own.',
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: {},
  responses: {
    200: { description: 'The whole and its funds.', schema: document.schema(jsonApiStyle) },
  },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await readPrivateMarkets(work, { reportingEntity: pathParameter(params, 'id') });
    const data = report.funds.map((one) => toFund(one, report));
    return { status: 200, body: document.write({ data, meta: reportMeta(report) }, jsonApiStyle) };
  },
});

export const jsonApiPrivateMarketPaths = [privateMarketsPath];
