// Positions with every open lot on the Plain wire. Knows no sums.

import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { instrumentHolding } from '../../model/report/lot.ts';
import { openDayReport } from '../../actions/reports/day-report.ts';
import { instrumentHoldings } from '../../actions/reports/lots.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { ledgerVersionSchema, withBeside } from '../http/reports/report-page.ts';
import { cappedListSchema, cutRows } from '../http/lists/row-cap.ts';
import { notFoundOf } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const style = { decimals: plain.decimals, names: 'snake' } as const;

const instrumentHoldingsPath = defineOperation<void>({
  id: 'plain.instrument-holding.report',
  wire: plain,
  group: 'instrument-holdings',
  method: 'GET',
  path: '/v3/instrument-holdings/reporting-entities/{id}',
  summary: 'Holdings of a reporting entity, lot by lot',
  description:
    'What is held today, position by position: an account, a depository and an instrument, with every open lot. Carries the same numbers as the JSON:API shape.',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  thread: ({ params }) => params['id']!,
  query: {},
  answers: {
    200: {
      description: 'The positions, by instrument, account and depository.',
      schema: withBeside(cappedListSchema(instrumentHolding.schema(style)), { ledger_version: ledgerVersionSchema }),
    },
  },
  refusals: [notFoundOf(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await openDayReport(work, { reportingEntity: params['id']! });
    const { rows, truncation } = cutRows(report.holdings);
    const data = instrumentHoldings({ ...report, holdings: rows }).map((one) => instrumentHolding.write(one, style));
    const meta = 'truncated' in truncation ? { meta: truncation } : {};
    return { status: 200, body: { data, ...meta, ledger_version: report.scope.ledgerVersion } };
  },
});

export const lotPaths = [instrumentHoldingsPath];
