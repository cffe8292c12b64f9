// Positions with every open lot, on Plain.

import { objectOf } from '../../kit/structured-field.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { ledgerVersionMember } from '../../model/report/holding.ts';
import { instrumentHoldingShape } from '../../model/report/lot.ts';
import { openDayReport } from '../../actions/reports/day-report.ts';
import { instrumentHoldings } from '../../actions/reports/lots.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedListMembers, truncateRows } from '../http/lists/row-cap.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const answer = objectOf({ ...cappedListMembers(instrumentHoldingShape), ledgerVersion: ledgerVersionMember });

const instrumentHoldingsPath = defineOperation<void>({
  id: 'plain.instrument-holding.report',
  wire: plain,
  group: 'instrument-holdings',
  method: 'GET',
  path: '/v3/instrument-holdings/reporting-entities/{id}',
  summary: 'Holdings of a reporting entity, lot by lot',
  description:
    'Show positions with the purchases behind them: what is held today, position by position: an account, a depository and an instrument, with every open lot. Carries the same numbers as the JSON:API shape.',
  right: 'read',
  people: 'advisor',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: {},
  responses: {
    200: {
      description: 'The positions, by instrument, account and depository.',
      schema: answer.schema(plain.style),
    },
  },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing'],
  read: () => undefined,
  async handle({ work, params }) {
    const report = await openDayReport(work, { reportingEntity: pathParameter(params, 'id') });
    const { rows, truncation } = truncateRows(report.holdings);
    const data = await instrumentHoldings({ ...report, holdings: rows });
    const values = { data, meta: truncation, ledgerVersion: report.basis.ledgerVersion };
    return { status: 200, body: answer.write(values, plain.style) };
  },
});

export const plainLotPaths = [instrumentHoldingsPath];
