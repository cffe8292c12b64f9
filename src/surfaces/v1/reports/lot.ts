// Open lots on v1: in pages, or as a CSV file. Knows no sums.

import { id } from '../../../kit/field.ts';
import { moment } from '../../../kit/shape.ts';
import { placedLot } from '../../../model/report/lot.ts';
import { openDayReport } from '../../../actions/reports/day-report.ts';
import { placedLots, type LotFilter } from '../../../actions/reports/lots.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { defineOperation, type Ask } from '../../http/operation/operation.ts';
import { ledgerVersionSchema, reportPage, reportPageSchema } from '../../http/reports/report-page.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { csvReport } from './report-csv.ts';
import { pagedRefusals, readReport, reportFrame, reportParameters, style } from './report-query.ts';
import { csvType, exportParameters, isExport } from '../ledger/transaction-export.ts';

const path = '/v1/lots';

const filters = {
  instrument_id: { kind: id, description: 'Only lots of this instrument.' },
  account_id: { kind: id, description: 'Only lots in this account.' },
  depository_id: { kind: id, description: 'Only lots in this depository.' },
} as const;

function filterOf({ query }: Ask): LotFilter {
  return { instrument: query['instrument_id'], account: query['account_id'], depository: query['depository_id'] };
}

const lotsPath = defineOperation<void>({
  ...reportFrame,
  people: 'advisor',
  id: 'v1.lot.report',
  group: 'lots',
  path,
  summary: 'Open lots of a reporting entity',
  description:
    'Every lot that is open at the end of a day, by instrument, account and depository, the oldest first. A lot is worth its part of its position by units; the lots of a position add up to it exactly. Cash has none. With `format=csv`, or `Accept: text/csv`, all lots come as one CSV file, without pages.',
  query: { ...reportParameters, ...asOfParameter, ...filters, ...pageParameters, ...exportParameters },
  answers: {
    200: {
      description: 'A page; as CSV everything at once.',
      schema: reportPageSchema(placedLot.schema(style), {
        as_of: { ...moment.schema(style), description: 'The instant up to which everything counts.' },
        ledger_version: ledgerVersionSchema,
      }),
    },
  },
  alsoAs: [csvType],
  refusals: pagedRefusals,
  async handle(ask) {
    const { work, query } = ask;
    const [asked, filter] = [readReport(ask), filterOf(ask)];
    const make = (asOf = query['as_of']) => openDayReport(work, { ...asked, asOf });
    if (isExport(ask)) {
      const report = await make();
      return csvReport(placedLot, placedLots(report, filter), { as_of: String(moment.write(report.asOf, style)) });
    }
    const { report, page } = await reportPage(ask, {
      question: [path, asked, query['as_of'], filter],
      limit: pageSizeOf(ask),
      make,
      dayOf: ({ day }) => day,
      rowsOf: (made) => placedLots(made, filter),
      keyOf: (one) => [one.instrumentId, one.accountId, one.depositoryId, one.id].join(' '),
    });
    return {
      status: 200,
      body: {
        ...page,
        data: page.data.map((one) => placedLot.write(one, style)),
        as_of: moment.write(report.asOf, style),
        ledger_version: report.scope.ledgerVersion,
      },
    };
  },
});

export const lotPaths = [lotsPath];
