// Holdings along an axis on v1: in pages, or as a CSV file. Knows no lots.

import { boolean, oneOf } from '../../../kit/field.ts';
import { refuseFaults } from '../../../kit/refusal.ts';
import { JsonText, writeJson } from '../../../kit/json.ts';
import { listOf, moment, shapeText, word } from '../../../kit/shape.ts';
import { explanation } from '../../../model/report/explanation.ts';
import { segmentHolding, worth } from '../../../model/report/holding.ts';
import { requireRoleAt } from '../../../actions/access/person-caller.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { openDayReport, type DayReport } from '../../../actions/reports/day-report.ts';
import { explainSegment } from '../../../actions/reports/explain/explain-holding.ts';
import { holdingsBySegment, worthOf, type SegmentHoldings } from '../../../actions/reports/holdings.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { defineOperation, type Ask } from '../../http/operation/operation.ts';
import { ledgerVersionSchema, reportPage, reportPageSchema } from '../../http/reports/report-page.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { csvReport } from './report-csv.ts';
import { pagedRefusals, readReport, reportFrame, reportParameters, style } from './report-query.ts';
import { csvType, exportParameters, isExport } from '../ledger/transaction-export.ts';

const path = '/v1/holdings';
const segmentHoldings = listOf(segmentHolding);

const beside = {
  by: { type: 'string', enum: axes, description: 'The axis.' },
  currency: { ...word.schema(style), description: 'What the amounts are in: the reference currency.' },
  as_of: { ...moment.schema(style), description: 'The instant up to which everything counts.' },
  totals: { ...worth.schema(style), description: 'Of everything that is held, whatever the page.' },
  ledger_version: ledgerVersionSchema,
} as const;

/** A row, and on demand the working of its value. */
const rowSchema = {
  ...segmentHolding.schema(style),
  properties: {
    ...(segmentHolding.schema(style) as { readonly properties: object }).properties,
    explanation: { ...explanation.schema(style), description: 'With `explain=true`: the working of `market_value`.' },
  },
};

interface SegmentReport extends DayReport {
  readonly rows: readonly SegmentHoldings[];
}

function axisOf({ query }: Ask): Axis {
  return query['by'] ?? 'instrument';
}

function writeRows(rows: readonly SegmentHoldings[], report: SegmentReport, ask: Ask): JsonText {
  if (ask.query['explain'] !== true) {
    const sums = rows.map((row) => row.sum());
    return new JsonText(shapeText(segmentHoldings, sums, style));
  }
  const { scope, day } = report;
  const explained = rows.map((row) => {
    const figure = explainSegment({ scope, day, places: { [axisOf(ask)]: row.segment } });
    return { ...(segmentHolding.write(row.sum(), style) as object), explanation: explanation.write(figure, style) };
  });
  return new JsonText(writeJson(explained));
}

/** A line of a table has no room for a tree. */
function checkFormat(ask: Ask): void {
  if (ask.query['explain'] !== true || !isExport(ask)) return;
  const detail = 'explain goes with JSON: a CSV file has no room for the working of a figure.';
  throw refuseFaults('invalid-parameter', [{ code: 'invalid-parameter', detail, parameter: 'explain' }]);
}

const holdingsPath = defineOperation<void>({
  ...reportFrame,
  people: 'viewer',
  id: 'v1.holding.report',
  group: 'holdings',
  path,
  summary: 'Holdings of a reporting entity along an axis',
  description:
    'What is held at the end of a day, worked out from the ledger, cash included, summed by `by`. What the axis does not name is in one row without an id, the last; so the rows of every axis but that of portfolios, which may overlap, add up to the totals. Accounts that are excluded from reporting are left out, and what several portfolios share counts once in the totals. With `format=csv`, or `Accept: text/csv`, all rows come as one CSV file, without pages.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    by: {
      kind: oneOf(axes),
      description: 'The axis; `class` is the top-level class. `instrument` when it is not sent.',
    },
    explain: {
      kind: boolean,
      description: '`true` adds the working of each market value, as `GET /v1/explain` tells it. Not with CSV.',
    },
    ...pageParameters,
    ...exportParameters,
  },
  answers: {
    200: {
      description: 'A page, by id; as CSV everything at once.',
      schema: reportPageSchema(rowSchema, beside),
    },
  },
  alsoAs: [csvType],
  refusals: pagedRefusals,
  async handle(ask) {
    const { work, query } = ask;
    const [asked, by] = [readReport(ask), axisOf(ask)];
    checkFormat(ask);
    if (query['explain'] === true) requireRoleAt(ask.caller, 'advisor', asked.reportingEntity);
    const make = async (asOf = query['as_of']): Promise<SegmentReport> => {
      const report = await openDayReport(work, { ...asked, asOf });
      return { ...report, rows: await holdingsBySegment(work, report, by) };
    };
    if (isExport(ask)) {
      const { rows, asOf, scope } = await make();
      const sums = rows.map((row) => row.sum());
      return csvReport(segmentHolding, sums, { as_of: String(moment.write(asOf, style)), currency: scope.currency });
    }
    const { report, page } = await reportPage(ask, {
      question: [path, asked, query['as_of'], by, query['explain']],
      limit: pageSizeOf(ask),
      make,
      dayOf: ({ day }) => day,
      rowsOf: ({ rows }) => rows,
      keyOf: ({ segment }) => segment,
    });
    const { scope, asOf, holdings } = report;
    return {
      status: 200,
      body: JsonText.ofMembers({
        ...page,
        data: writeRows(page.data, report, ask),
        by,
        currency: scope.currency,
        as_of: moment.write(asOf, style),
        totals: worth.write(worthOf(holdings), style),
        ledger_version: scope.ledgerVersion,
      }),
    };
  },
});

export const holdingPaths = [holdingsPath];
