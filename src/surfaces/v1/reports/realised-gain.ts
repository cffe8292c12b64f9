// Realised gains on v1, lot by lot with sums by term: in pages, or as a CSV file. Knows no holding.

import { oneOf } from '../../../kit/field.ts';
import { date, listOf, word } from '../../../kit/shape.ts';
import { gainTotals as totalsShape, realisedGain, segmentGains } from '../../../model/report/realised-gain.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { gainsBySegment, gainTotals, openGainsReport, reportedGains } from '../../../actions/reports/realised-gains.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../../http/lists/day-range.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { ledgerVersionSchema, reportPage, reportPageSchema } from '../../http/reports/report-page.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { csvReport } from './report-csv.ts';
import { pagedRefusals, readReport, reportFrame, reportParameters, style } from './report-query.ts';
import { csvType, exportParameters, isExport } from '../ledger/transaction-export.ts';

const path = '/v1/realised-gains';
const names = { from: 'from', to: 'to' } as const;
const segments = listOf(segmentGains);

const pageSchema = reportPageSchema(realisedGain.schema(style), {
  from: { ...date.schema(style), description: 'The first day.' },
  to: { ...date.schema(style), description: 'The last day.' },
  currency: { ...word.schema(style), description: 'What the amounts are in: the reference currency.' },
  totals: { ...totalsShape.schema(style), description: 'Of everything that was realised, whatever the page.' },
  ledger_version: ledgerVersionSchema,
}) as { readonly properties: object };

const schema = {
  ...pageSchema,
  properties: {
    ...pageSchema.properties,
    subtotals: { ...segments.schema(style), description: 'By the segments of `by`, where it is sent.' },
  },
};

const realisedGainsPath = defineOperation<DayRange>({
  ...reportFrame,
  people: 'advisor',
  id: 'v1.realised-gain.report',
  group: 'realised-gains',
  path,
  summary: 'Realised gains of a reporting entity',
  description:
    'What was gained on everything that was sold within a span of days, lot by lot in the order of the ledger, as tax reporting wants it: both ends included, the current year when they are not sent. A gain is the sum of a price part and a currency part, exactly. With `by`, the sums of each segment of an axis stand beside the rows. With `format=csv`, or `Accept: text/csv`, all rows come as one CSV file, without pages.',
  query: {
    ...reportParameters,
    ...dayRangeParameters(names),
    by: { kind: oneOf(axes), description: 'Also answer the sums of each segment of this axis.' },
    ...pageParameters,
    ...exportParameters,
  },
  answers: { 200: { description: 'A page; as CSV everything at once.', schema } },
  alsoAs: [csvType],
  refusals: pagedRefusals,
  read: (sent) => readDayRange(sent, names),
  async handle(ask, range) {
    const { work, query } = ask;
    const by: Axis | undefined = query['by'];
    const asked = { ...readReport(ask), ...range };
    if (isExport(ask)) return csvReport(realisedGain, reportedGains(await openGainsReport(work, asked)));
    const { report, page } = await reportPage(ask, {
      question: [path, asked, by],
      limit: pageSizeOf(ask),
      make: (to = range.to) => openGainsReport(work, { ...asked, to }),
      dayOf: ({ to }) => to,
      rowsOf: reportedGains,
      keyOf: (one) => [one.transactionId, one.instrumentId, one.accountId, one.depositoryId, one.lotId].join(' '),
    });
    const { scope, from, to, realised } = report;
    const subtotals = by && segments.write(await gainsBySegment(work, report, by), style);
    return {
      status: 200,
      body: {
        ...page,
        data: page.data.map((one) => realisedGain.write(one, style)),
        from: date.write(from, style),
        to: date.write(to, style),
        currency: scope.currency,
        totals: totalsShape.write(gainTotals(realised), style),
        ...(subtotals ? { subtotals } : {}),
        ledger_version: scope.ledgerVersion,
      },
    };
  },
});

export const realisedGainPaths = [realisedGainsPath];
