// The allocation report on v1, along one or two axes.

import { amount, FieldFault, oneOf, type FieldKind } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { asOfMember, currencyMember, ledgerVersionMember } from '../../../model/report/holding.ts';
import { allocationCellShape, allocationMarginShape } from '../../../model/report/allocation.ts';
import { computeAllocation } from '../../../actions/reports/allocation.ts';
import { explainAllocation } from '../../../actions/reports/explain/explain-holding-rows.ts';
import { axes, type Axis } from '../../../actions/reports/segments/axis.ts';
import { openDayReport } from '../../../actions/reports/day-report.ts';
import { totalWorth } from '../../../actions/reports/holdings.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { explanationsMember } from '../../../model/report/explanation.ts';
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

/** How many axes an allocation may have. */
const axesMax = 2;

/** One or two axes, in the order of the query. */
const axisList: FieldKind<readonly Axis[]> = {
  read(value) {
    const chosen = String(value)
      .split(',')
      .map((item) => oneOf(axes).read(item));
    if (chosen.length > axesMax) throw new FieldFault(`must name at most ${axesMax} axes`);
    if (new Set(chosen).size < chosen.length) throw new FieldFault('must not repeat an axis');
    return chosen;
  },
  write: (value) => value.join(','),
  schema: () => ({ type: 'string', description: `${axes.join(', ')}: one of them, or two separated by a comma.` }),
};

const answer = objectOf({
  by: member(listOf(oneOf(axes)), 'The axes.'),
  currency: currencyMember,
  asOf: asOfMember,
  marketValue: member(amount, 'The market value of all holdings.'),
  explanations: explanationsMember(['marketValue']),
  cells: member(listOf(allocationCellShape), 'Every combination of segments that has holdings.'),
  margins: member(listOf(allocationMarginShape), 'The totals along each axis.'),
  ledgerVersion: ledgerVersionMember,
});

const allocationPath = defineReport<void>({
  ...reportOperationBase,
  people: 'viewer',
  id: 'v1.allocation.report',
  group: 'allocation',
  path: '/v1/allocation',
  summary: 'Allocation of a reporting entity along one or two axes',
  description:
    'For charts, and to compare with a strategy: how the market value at the end of a day is divided, for example by class and currency. The cells of two axes that do not overlap add up to the margins, and the margins to the total; portfolios may overlap. Holdings that belong to no segment of an axis are in a segment without an id.',
  query: {
    ...reportParameters,
    ...asOfParameter,
    by: {
      kind: axisList,
      description: 'One axis, or two separated by a comma. `class` is the top-level class.',
      required: true,
      example: 'class,currency',
    },
    ...roundParameter,
    ...explainParameter,
  },
  responses: { 200: { description: 'The allocation.', schema: answer.schema(v1Style) } },
  refusals: reportRefusals,
  async handle(request) {
    const { work, query } = request;
    const by: readonly Axis[] = query['by'];
    const input = readReportInput(request);
    const isExplained = wantsExplanations(request, input.reportingEntity, true);
    const report = await openDayReport(work, { ...input, asOf: query['as_of'] });
    const computed = await computeAllocation(work, report, by);
    const allocation = isExplained ? await explainAllocation(work, report, computed) : computed;
    const { basis, asOf, holdings } = report;
    const body = answer.write(
      {
        by,
        currency: basis.currency,
        asOf,
        marketValue: totalWorth(holdings).marketValue,
        ...allocation,
        ledgerVersion: basis.ledgerVersion,
      },
      reportStyle(request, basis.currency),
    );
    return { status: 200, body };
  },
});

export const allocationPaths = [allocationPath];
