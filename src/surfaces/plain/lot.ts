// Positions with every open lot on the Plain wire. Knows no sums.

import { reportingEntity } from '../../model/reporting-entity.ts';
import { instrumentHolding } from '../../model/report/lot.ts';
import { openDayReport } from '../../actions/report/day-report.ts';
import { instrumentHoldings } from '../../actions/report/lots.ts';
import { defineOperation } from '../http/operation.ts';
import { ledgerVersionSchema, withBeside } from '../http/report-page.ts';
import { cappedListSchema, cutRows } from '../http/row-cap.ts';
import { notFoundOf } from '../http/write-refusals.ts';
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
