// The private-markets report on v1: as of any day, and compared with an index.

import { amountsIn, anyText, id, nullable, oneOf, type ValueOf } from '../../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../../kit/structured-field.ts';
import { asOfMember, ledgerVersionMember } from '../../../model/report/holding.ts';
import {
  allFundFigureMembers,
  fundKeyMembers,
  fundPeriodShape,
  marketEquivalentShape,
} from '../../../model/report/private-market.ts';
import { explanationsMember } from '../../../model/report/explanation.ts';
import { explainedFundFigures, explainFundRows } from '../../../actions/reports/explain/explain-fund-rows.ts';
import { readPrivateMarkets, type FundFigures } from '../../../actions/reports/private-markets.ts';
import { calendarPeriods } from '../../../model/report/calendar-period.ts';
import type { ReportBasis } from '../../../actions/reports/report-basis.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { explainParameter, wantsExplanations } from './explain-parameter.ts';
import {
  defineReport,
  readReportInput,
  reportOperationBase,
  reportParameters,
  reportRefusals,
  v1Style,
} from './report-query.ts';
import { reportStyle, roundParameter } from './report-rounding.ts';

const { ccyCode, reportingCcyCode, ...otherFigures } = allFundFigureMembers;

const fund = objectOf({
  ...fundKeyMembers,
  instrumentName: member(nullable(anyText), 'The name of the fund; null for the total.'),
  currency: ccyCode,
  reportingCurrency: reportingCcyCode,
  ...otherFigures,
  publicMarketEquivalent: member(
    nullable(marketEquivalentShape),
    'With `index`: the same flows into and out of the index. Null without it.',
  ),
  periods: omissible(
    listOf(fundPeriodShape),
    'With `every`: what it was at the end of each calendar period since the first call of any fund; the last one ends on the day of the report.',
  ),
  explanations: explanationsMember(explainedFundFigures),
});

/** Amounts of a fund are in its own currency, unless they say otherwise. */
const fundInItsCurrency = amountsIn(fund, ({ currency }) => currency);

const answer = objectOf({
  data: member(listOf(fundInItsCurrency), 'The total of all funds first, then each fund.'),
  asOf: asOfMember,
  ledgerVersion: ledgerVersionMember,
});

/** Every currency of v1 is named `currency`, not by its code. */
function toV1Fund(
  { ccyCode, reportingCcyCode, ...figures }: FundFigures & Pick<ValueOf<typeof fund>, 'explanations'>,
  { instruments }: Pick<ReportBasis, 'instruments'>,
): ValueOf<typeof fund> {
  const instrumentName = instruments.get(figures.instrumentId ?? '')?.instrument.name ?? null;
  return { ...figures, instrumentName, currency: ccyCode, reportingCurrency: reportingCcyCode };
}

const privateMarketsPath = defineReport<void>({
  ...reportOperationBase,
  people: 'viewer',
  id: 'v1.private-market-performance.report',
  group: 'private-markets',
  path: '/v1/performance/private-markets',
  summary: 'Private-market funds of a reporting entity',
  description:
    'Follow funds that call capital over years: commitments, calls, distributions, multiples and IRR, first the total in the reference currency, then each fund in its own currency. With `index`, the public market equivalent: the same flows into and out of that index.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    index: {
      kind: id,
      description:
        'An instrument to compare with, by its index factors, or else its prices, or else its net asset values. Its levels are not converted to the currency of a fund.',
    },
    every: {
      kind: oneOf(calendarPeriods),
      description:
        'Adds to each row what was paid in, distributed and left at the end of each calendar month, quarter or year, as `periods`.',
    },
    ...roundParameter,
    ...explainParameter,
  },
  responses: { 200: { description: 'The total and each fund.', schema: answer.schema(v1Style) } },
  refusals: [...reportRefusals, 'instrument-not-found', 'report-too-large'],
  async handle(request) {
    const index: string | undefined = request.query['index'];
    const input = readReportInput(request);
    const isExplained = wantsExplanations(request, input.reportingEntity, true);
    const report = await readPrivateMarkets(request.work, {
      ...input,
      asOf: request.query['as_of'],
      every: request.query['every'],
      index: index === undefined ? undefined : { parameter: 'index', id: index },
    });
    const { asOf, basis } = report;
    const funds = isExplained ? await explainFundRows(request.work, report) : report.funds;
    const values = { data: funds.map((one) => toV1Fund(one, basis)), asOf, ledgerVersion: basis.ledgerVersion };
    return { status: 200, body: answer.write(values, reportStyle(request, basis.currency)) };
  },
});

export const v1PrivateMarketPaths = [privateMarketsPath];
