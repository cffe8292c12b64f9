// The report of open lots on v1, in pages or as a CSV file.

import { id, instant } from '../../../kit/field.ts';
import { objectOf } from '../../../kit/structured-field.ts';
import { asOfMember, ledgerVersionMember } from '../../../model/report/holding.ts';
import { lotWithPositionMembers, lotWithPositionShape } from '../../../model/report/lot.ts';
import { openDayReport } from '../../../actions/reports/day-report.ts';
import { explainedLotFigures, explainLotRows } from '../../../actions/reports/explain/explain-lot-rows.ts';
import { describeLots, listLots, type LotFilter } from '../../../actions/reports/lots.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import type { RequestContext } from '../../http/operation/operation.ts';
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

const path = '/v1/lots';

const rowShape = objectOf({ ...lotWithPositionMembers, explanations: explanationsMember(explainedLotFigures) });

const answer = objectOf({
  ...pageMembers(rowShape),
  asOf: asOfMember,
  ledgerVersion: ledgerVersionMember,
});

const filters = {
  instrument_id: { kind: id, description: 'Only lots of this instrument.' },
  account_id: { kind: id, description: 'Only lots in this account.' },
  depository_id: { kind: id, description: 'Only lots in this depository.' },
} as const;

function lotFilter({ query }: RequestContext): LotFilter {
  return { instrument: query['instrument_id'], account: query['account_id'], depository: query['depository_id'] };
}

const lotsPath = defineReport<void>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.lot.report',
  group: 'lots',
  path,
  summary: 'Open lots of a reporting entity',
  description:
    'For gains that are not realised yet, and to choose which lots to sell. The open lots at the end of a day, by instrument, account and depository, oldest first. The value of a lot is its share of the position by units; the lots of a position add up to it exactly. Cash has no lots. With `format=csv` or `Accept: text/csv`, all lots are one CSV file without pages.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    ...filters,
    ...roundParameter,
    ...explainParameter,
    ...reportPageParameters,
    ...exportParameters,
  },
  responses: {
    200: {
      description: 'A page; as CSV all rows.',
      schema: answer.schema(v1Style),
    },
  },
  alternativeMediaTypes: [csvType],
  refusals: [...pagedReportRefusals, 'instrument-not-found', 'account-not-found', 'depository-not-found'],
  async handle(request) {
    const { work, query } = request;
    const [input, filter] = [readReportInput(request), lotFilter(request)];
    const isExplained = wantsExplanations(request, input.reportingEntity, !isCsvExport(request));
    const make = (asOf = query['as_of']) => openDayReport(work, { ...input, asOf });
    if (isCsvExport(request)) {
      const report = await make();
      const lots = await describeLots(report, await listLots(work, report, filter));
      return csvResponse(lotWithPositionShape, lots, {
        style: reportStyle(request, report.basis.currency, 'csv'),
        prefixColumns: { as_of: String(instant.write(report.asOf, v1Style)) },
      });
    }
    const { report, page } = await reportPage(request, {
      queryKey: [path, input.reportingEntity, query['as_of'], filter],
      hasLastingCursor: true,
      limit: pageSizeOf(request),
      make,
      dayOf: ({ day }) => day,
      rowsOf: (made) => listLots(work, made, filter),
      keyOf: ({ holding: { instrument, account, depository }, id }) => [instrument, account, depository, id].join(' '),
    });
    const { asOf, basis } = report;
    const lots = await describeLots(report, page.data);
    const data = isExplained ? await explainLotRows(work, report, lots) : lots;
    const values = { ...page, data, asOf, ledgerVersion: basis.ledgerVersion };
    return { status: 200, body: answer.write(values, reportStyle(request, basis.currency)) };
  },
});

export const v1LotPaths = [lotsPath];
