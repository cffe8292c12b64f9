// The holdings report on v1 along an axis, in pages or as a CSV file.

import { instant, kindText, oneOf, type ValueOf } from '../../../kit/field.ts';
import { member, objectOf, omissible } from '../../../kit/structured-field.ts';
import { JsonText } from '../../../kit/json.ts';
import { explanationShape, explanationsMember } from '../../../model/report/explanation.ts';
import {
  asOfMember,
  currencyMember,
  ledgerVersionMember,
  segmentHoldingMembers,
  segmentHoldingShape,
  splitWorthMembers,
} from '../../../model/report/holding.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { openDayReport, type DayReport } from '../../../actions/reports/day-report.ts';
import {
  explainHoldingRows,
  explainedHoldingFigures,
  explainedTotalFigures,
} from '../../../actions/reports/explain/explain-holding-rows.ts';
import { holdingsBySegment, splitWorth, type SegmentHoldings } from '../../../actions/reports/holdings.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import type { RequestContext } from '../../http/operation/operation.ts';
import { reportPage } from '../../http/reports/report-page.ts';
import { pageMembers } from '../../http/lists/cursor-page.ts';
import { pageSizeOf } from '../page.ts';
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

const path = '/v1/holdings';

const rowShape = objectOf({
  ...segmentHoldingMembers,
  explanation: omissible(
    explanationShape,
    'With `explain=true`: the explanation of `market_value`, as in `explanations`.',
  ),
  explanations: explanationsMember(explainedHoldingFigures),
});

const totalsShape = objectOf({ ...splitWorthMembers, explanations: explanationsMember(explainedTotalFigures) });

const answer = objectOf({
  ...pageMembers(rowShape),
  by: member(oneOf(axes), 'The axis.'),
  currency: currencyMember,
  asOf: asOfMember,
  totals: member(totalsShape, 'The totals of all holdings, regardless of page.'),
  ledgerVersion: ledgerVersionMember,
});

interface SegmentHoldingsReport extends DayReport {
  readonly rows: readonly SegmentHoldings[];
}

function chosenAxis({ query }: RequestContext): Axis {
  return query['by'] ?? 'instrument';
}

async function reportedHoldings(
  rows: readonly SegmentHoldings[],
  report: SegmentHoldingsReport,
  request: RequestContext,
): Promise<{ data: readonly ValueOf<typeof rowShape>[]; totals: ValueOf<typeof totalsShape> }> {
  const totals = splitWorth(report.basis, report.holdings);
  if (request.query['explain'] !== true) return { data: rows.map((row) => row.sum()), totals };
  const explained = await explainHoldingRows(request.work, report, rows);
  const data = explained.rows.map((row) => ({ ...row, explanation: row.explanations.marketValue }));
  return { data, totals: { ...totals, explanations: explained.totals } };
}

const holdingsPath = defineReport<void>({
  ...reportOperationBase,
  people: 'viewer',
  id: 'v1.holding.report',
  group: 'holdings',
  path,
  summary: 'Holdings of a reporting entity along an axis',
  description:
    'What is owned and what it is worth: the statement of wealth. The holdings at the end of a day, computed from the ledger, including cash, by the segments of `by`. Holdings that belong to no segment are in the last row, without an id. The rows add up to the totals, except those of portfolios, which may overlap: shared holdings count once in the totals. Accounts that are excluded from reporting are left out. With `format=csv` or `Accept: text/csv`, all rows are one CSV file without pages.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    by: {
      kind: oneOf(axes),
      description: 'The axis; `class` is the top-level class. `instrument` by default.',
    },
    ...roundParameter,
    ...explainParameter,
    ...reportPageParameters,
    ...exportParameters,
  },
  responses: {
    200: {
      description: 'A page, by id; as CSV all rows.',
      schema: answer.schema(v1Style),
    },
  },
  alternativeMediaTypes: [csvType],
  refusals: pagedReportRefusals,
  async handle(request) {
    const { work, query } = request;
    const [input, by] = [readReportInput(request), chosenAxis(request)];
    wantsExplanations(request, input.reportingEntity, !isCsvExport(request));
    const make = async (asOf = query['as_of']): Promise<SegmentHoldingsReport> => {
      const report = await openDayReport(work, { ...input, asOf });
      return { ...report, rows: await holdingsBySegment(work, report, by) };
    };
    if (isCsvExport(request)) {
      const { rows, asOf, basis } = await make();
      const sums = rows.map((row) => row.sum());
      const prefixColumns = { as_of: String(instant.write(asOf, v1Style)), currency: basis.currency };
      return csvResponse(segmentHoldingShape, sums, {
        style: reportStyle(request, basis.currency, 'csv'),
        prefixColumns,
      });
    }
    const { report, page } = await reportPage(request, {
      queryKey: [path, input.reportingEntity, query['as_of'], by, query['explain']],
      hasLastingCursor: true,
      limit: pageSizeOf(request),
      make,
      dayOf: ({ day }) => day,
      rowsOf: ({ rows }) => rows,
      keyOf: ({ segment }) => segment,
    });
    const { basis, asOf } = report;
    const values = {
      ...page,
      ...(await reportedHoldings(page.data, report, request)),
      by,
      currency: basis.currency,
      asOf,
      ledgerVersion: basis.ledgerVersion,
    };
    return { status: 200, body: new JsonText(kindText(answer, values, reportStyle(request, basis.currency))) };
  },
});

export const v1HoldingPaths = [holdingsPath];
