// The private-market funds of a reporting entity on v1: as of any day, and beside an index. Knows no formula.

import { id } from '../../../kit/field.ts';
import { listOf, moment, type Shaped } from '../../../kit/shape.ts';
import { v1PrivateMarket } from '../../../model/report/private-market.ts';
import { readPrivateMarkets, type FundFigures } from '../../../actions/reports/private-markets.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { ledgerVersionSchema } from '../../http/reports/report-page.ts';
import { readReport, reportFrame, reportParameters, reportRefusals, style } from './report-query.ts';

const funds = listOf(v1PrivateMarket);

/** Currencies are called so, as everywhere on this wire. */
function inWordsOfV1({ ccyCode, reportingCcyCode, ...figures }: FundFigures): Shaped<typeof v1PrivateMarket> {
  return { ...figures, currency: ccyCode, reportingCurrency: reportingCcyCode };
}

const schema = {
  type: 'object',
  required: ['data', 'as_of', 'ledger_version'],
  properties: { data: funds.schema(style), as_of: moment.schema(style), ledger_version: ledgerVersionSchema },
  additionalProperties: false,
} as const;

const privateMarketsPath = defineOperation<void>({
  ...reportFrame,
  people: 'viewer',
  id: 'v1.private-market-performance.report',
  group: 'private-markets',
  path: '/v1/performance/private-markets',
  summary: 'Private-market funds of a reporting entity',
  description:
    'Commitments, calls, distributions, multiples and IRR: the whole in the reference currency first, then each fund in its own. With `index`, the public market equivalent: the same flows into and out of that index.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    index: {
      kind: id,
      description:
        'An instrument to compare with: its index factors, else prices, else net asset values. Its levels count as they are, whatever the currency of a fund.',
    },
  },
  answers: { 200: { description: 'The whole and its funds.', schema } },
  refusals: [...reportRefusals, 'instrument-not-found'],
  async handle(ask) {
    const index: string | undefined = ask.query['index'];
    const report = await readPrivateMarkets(ask.work, {
      ...readReport(ask),
      asOf: ask.query['as_of'],
      index: index === undefined ? undefined : { parameter: 'index', id: index },
    });
    const body = {
      data: funds.write(report.funds.map(inWordsOfV1), style),
      as_of: moment.write(report.asOf, style),
      ledger_version: report.scope.ledgerVersion,
    };
    return { status: 200, body };
  },
});

export const privateMarketPaths = [privateMarketsPath];
