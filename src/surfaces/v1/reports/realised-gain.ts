// The report of realised gains on v1, by lot with totals by term, in pages or as a CSV file.

import { date, oneOf } from '../../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../../kit/structured-field.ts';
import { currencyMember, ledgerVersionMember } from '../../../model/report/holding.ts';
import {
  gainTotalsShape,
  realisedGainMembers,
  realisedGainShape,
  segmentGainsShape,
} from '../../../model/report/realised-gain.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { explainedGainFigures, explainGainRows } from '../../../actions/reports/explain/explain-gain-rows.ts';
import { gainsBySegment, gainTotals, openGainsReport, reportedGains } from '../../../actions/reports/realised-gains.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../../http/lists/day-range.ts';
import { reportPage } from '../../http/reports/report-page.ts';
import { pageMembers } from '../../http/lists/cursor-page.ts';
import { pageSizeOf } from '../page.ts';
import { explanationsMember } from '../../../model/report/explanation.ts';
import { explainParameter, wantsExplanations } from './explain-parameter.ts';
import { csvResponse } from './report-csv.ts';
import {
  defineReport,
  pagedReportRefusals,
  readReportInput,
  reportOperationBase,
  reportPageParameters,
  reportParameters,
  v1Style,
} from './report-query.ts';
import { reportStyle, roundParameter } from './report-rounding.ts';
import { csvType, exportParameters, isCsvExport } from '../ledger/transaction-export.ts';

const path = '/v1/realised-gains';
const names = { from: 'from', to: 'to' } as const;

const rowShape = objectOf({ ...realisedGainMembers, explanations: explanationsMember(explainedGainFigures) });

const answer = objectOf({
  ...pageMembers(rowShape),
  from: member(date, 'The first day.'),
  to: member(date, 'The last day.'),
  currency: currencyMember,
  totals: member(gainTotalsShape, 'The totals of all gains in the range, regardless of page.'),
  subtotals: omissible(listOf(segmentGainsShape), 'With `by`: the totals of each segment of the axis.'),
  ledgerVersion: ledgerVersionMember,
});

const realisedGainsPath = defineReport<DayRange>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.realised-gain.report',
  group: 'realised-gains',
  path,
  summary: 'Realised gains of a reporting entity',
  description:
    'For tax reports: the gains on everything sold within a range of days, by lot in the order of the ledger. Both ends are inclusive; the default is the current year. A gain is exactly the sum of a price part and a currency part. With `by`, the totals of each segment of an axis are included. With `format=csv` or `Accept: text/csv`, all rows are one CSV file without pages.',
  query: {
    ...reportParameters,
    ...dayRangeParameters(names),
    by: { kind: oneOf(axes), description: 'Adds the totals of each segment of this axis.' },
    ...roundParameter,
    ...explainParameter,
    ...reportPageParameters,
    ...exportParameters,
  },
  responses: { 200: { description: 'A page; as CSV all rows.', schema: answer.schema(v1Style) } },
  alternativeMediaTypes: [csvType],
  refusals: pagedReportRefusals,
  read: (parsed) => readDayRange(parsed, names),
  async handle(request, range) {
    const { work, query } = request;
    const by: Axis | undefined = query['by'];
    const input = { ...readReportInput(request), ...range };
    const isExplained = wantsExplanations(request, input.reportingEntity, !isCsvExport(request));
    if (isCsvExport(request)) {
      const all = await openGainsReport(work, input);
      const style = reportStyle(request, all.basis.currency, 'csv');
      return csvResponse(realisedGainShape, reportedGains(all), { style });
    }
    const { report, page } = await reportPage(request, {
      queryKey: [path, input.reportingEntity, range, by],
      hasLastingCursor: true,
      limit: pageSizeOf(request),
      make: (to = range.to) => openGainsReport(work, { ...input, to }),
      dayOf: ({ to }) => to,
      rowsOf: reportedGains,
      keyOf: (one) => [one.transactionId, one.instrumentId, one.accountId, one.depositoryId, one.lotId].join(' '),
    });
    const { basis, from, to, realised } = report;
    const segments = by && (await gainsBySegment(work, report, by));
    const { currency, ledgerVersion } = basis;
    const totals = gainTotals(realised);
    const shown = isExplained
      ? await explainGainRows(work, report, { rows: page.data, totals, segments })
      : { data: page.data, totals, subtotals: segments?.map((one) => ({ ...one.names, ...one.totals })) };
    const values = { ...page, ...shown, from, to, currency, ledgerVersion };
    return { status: 200, body: answer.write(values, reportStyle(request, currency)) };
  },
});

export const realisedGainPaths = [realisedGainsPath];
