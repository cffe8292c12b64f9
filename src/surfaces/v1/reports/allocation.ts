// Allocation along one axis or two on v1. Knows no figure but market value.

import { FieldFault, oneOf, type FieldKind } from '../../../kit/field.ts';
import { amount, listOf, moment, word } from '../../../kit/shape.ts';
import { allocationCell, allocationMargin } from '../../../model/report/allocation.ts';
import { allocationBy } from '../../../actions/reports/allocation.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { openDayReport } from '../../../actions/reports/day-report.ts';
import { worthOf } from '../../../actions/reports/holdings.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { ledgerVersionSchema } from '../../http/reports/report-page.ts';
import { readReport, reportFrame, reportParameters, reportRefusals, style } from './report-query.ts';

const axesMax = 2;

/** In the order in which they are asked for. */
const axesAsked: FieldKind<readonly Axis[]> = {
  read(value) {
    const asked = String(value)
      .split(',')
      .map((item) => oneOf(axes).read(item));
    if (asked.length > axesMax) throw new FieldFault(`must be at most ${axesMax} axes`);
    if (new Set(asked).size < asked.length) throw new FieldFault('must not name an axis twice');
    return asked;
  },
  write: (value) => value.join(','),
  schema: () => ({ type: 'string', description: `${axes.join(', ')}: one of them, or two with a comma between.` }),
};

const cells = listOf(allocationCell);
const margins = listOf(allocationMargin);

const schema = {
  type: 'object',
  required: ['by', 'currency', 'as_of', 'market_value', 'cells', 'margins', 'ledger_version'],
  properties: {
    by: { type: 'array', items: { type: 'string', enum: axes }, description: 'The axes.' },
    currency: { ...word.schema(style), description: 'What the amounts are in: the reference currency.' },
    as_of: { ...moment.schema(style), description: 'The instant up to which everything counts.' },
    market_value: { ...amount.schema(style), description: 'What everything that is held is worth.' },
    cells: { ...cells.schema(style), description: 'Every combination of segments in which something is held.' },
    margins: { ...margins.schema(style), description: 'The sums along each axis.' },
    ledger_version: ledgerVersionSchema,
  },
  additionalProperties: false,
} as const;

const allocationPath = defineOperation<void>({
  ...reportFrame,
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
      kind: axesAsked,
      description: 'One axis, or two with a comma between. `class` is the top-level class.',
      required: true,
      example: 'class,currency',
    },
  },
  answers: { 200: { description: 'The allocation.', schema } },
  refusals: reportRefusals,
  async handle(ask) {
    const { work, query } = ask;
    const by: readonly Axis[] = query['by'];
    const report = await openDayReport(work, { ...readReport(ask), asOf: query['as_of'] });
    const allocation = await allocationBy(work, report, by);
    return {
      status: 200,
      body: {
        by,
        currency: report.scope.currency,
        as_of: moment.write(report.asOf, style),
        market_value: amount.write(worthOf(report.holdings).marketValue, style),
        cells: cells.write(allocation.cells, style),
        margins: margins.write(allocation.margins, style),
        ledger_version: report.scope.ledgerVersion,
      },
    };
  },
});

export const allocationPaths = [allocationPath];
