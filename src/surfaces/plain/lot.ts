// Positions with every open lot on the Plain wire. Knows no sums.

import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { instrumentHoldingShape } from '../../model/report/lot.ts';
import { openDayReport } from '../../actions/reports/day-report.ts';
import { instrumentHoldings } from '../../actions/reports/lots.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { ledgerVersionSchema, withExtraMembers } from '../http/reports/report-page.ts';
import { cappedListSchema, truncateRows } from '../http/lists/row-cap.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const plainStyle = plain.style;

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
  threadKey: ({ params }) => params['id']!,
  query: {},
  responses: {
    200: {
      description: 'The positions, by instrument, account and depository.',
      schema: withExtraMembers(cappedListSchema(instrumentHoldingShape.schema(plainStyle)), {
        ledger_version: ledgerVersionSchema,
      }),
    },
  },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await openDayReport(work, { reportingEntity: params['id']! });
    const { rows, truncation } = truncateRows(report.holdings);
    const data = instrumentHoldings({ ...report, holdings: rows }).map((one) =>
      instrumentHoldingShape.write(one, plainStyle),
    );
    const meta = 'truncated' in truncation ? { meta: truncation } : {};
    return { status: 200, body: { data, ...meta, ledger_version: report.basis.ledgerVersion } };
  },
});

export const plainLotPaths = [instrumentHoldingsPath];
