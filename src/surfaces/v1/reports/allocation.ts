// Allocation along one axis or two on v1. Knows no figure but market value.

import { amount, anyText, FieldFault, type FieldKind, instant, oneOf } from '../../../kit/field.ts';
import { listOf } from '../../../kit/structured-field.ts';
import { allocationCellShape, allocationMarginShape } from '../../../model/report/allocation.ts';
import { computeAllocation } from '../../../actions/reports/allocation.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { openDayReport } from '../../../actions/reports/day-report.ts';
import { totalWorth } from '../../../actions/reports/holdings.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { ledgerVersionSchema } from '../../http/reports/report-page.ts';
import { readReportInput, reportOperationBase, reportParameters, reportRefusals, v1Style } from './report-query.ts';

const axesMax = 2;

/** In the order in which they are asked for. */
const axisList: FieldKind<readonly Axis[]> = {
  read(value) {
    const chosen = String(value)
      .split(',')
      .map((item) => oneOf(axes).read(item));
    if (chosen.length > axesMax) throw new FieldFault(`must be at most ${axesMax} axes`);
    if (new Set(chosen).size < chosen.length) throw new FieldFault('must not name an axis twice');
    return chosen;
  },
  write: (value) => value.join(','),
  schema: () => ({ type: 'string', description: `${axes.join(', ')}: one of them, or two with a comma between.` }),
};

const cells = listOf(allocationCellShape);
const margins = listOf(allocationMarginShape);

const schema = {
  type: 'object',
  required: ['by', 'currency', 'as_of', 'market_value', 'cells', 'margins', 'ledger_version'],
  properties: {
    by: { type: 'array', items: { type: 'string', enum: axes }, description: 'The axes.' },
    currency: { ...anyText.schema(v1Style), description: 'What the amounts are in: the reference currency.' },
    as_of: { ...instant.schema(v1Style), description: 'The instant up to which everything counts.' },
    market_value: { ...amount.schema(v1Style), description: 'What everything that is held is worth.' },
    cells: { ...cells.schema(v1Style), description: 'Every combination of segments in which something is held.' },
    margins: { ...margins.schema(v1Style), description: 'The sums along each axis.' },
    ledger_version: ledgerVersionSchema,
  },
  additionalProperties: false,
} as const;

const allocationPath = defineOperation<void>({
  ...reportOperationBase,
  people: 'viewer',
  id: 'v1.allocation.report',
  group: 'allocation',
  path: '/v1/allocation',
  summary: 'Allocation of a reporting entity along one axis or two',
  description:
    'How the market value at the end of a day is divided: by class and currency, say. The cells of two axes that do not overlap add up to the margins, and those to the total; portfolios may overlap. What an axis does not name is in a segment without an id.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    by: {
      kind: axisList,
      description: 'One axis, or two with a comma between. `class` is the top-level class.',
      required: true,
      example: 'class,currency',
    },
  },
  responses: { 200: { description: 'The allocation.', schema } },
  refusals: reportRefusals,
  async handle(request) {
    const { work, query } = request;
    const by: readonly Axis[] = query['by'];
    const report = await openDayReport(work, { ...readReportInput(request), asOf: query['as_of'] });
    const allocation = await computeAllocation(work, report, by);
    return {
      status: 200,
      body: {
        by,
        currency: report.basis.currency,
        as_of: instant.write(report.asOf, v1Style),
        market_value: amount.write(totalWorth(report.holdings).marketValue, v1Style),
        cells: cells.write(allocation.cells, v1Style),
        margins: margins.write(allocation.margins, v1Style),
        ledger_version: report.basis.ledgerVersion,
      },
    };
  },
});

export const allocationPaths = [allocationPath];
