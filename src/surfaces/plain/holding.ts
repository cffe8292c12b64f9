// Holdings of a reporting entity by instrument, on Plain.

import { JsonText } from '../../kit/json.ts';
import { kindText } from '../../kit/field.ts';
import { objectOf } from '../../kit/structured-field.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { holdingShape, ledgerVersionMember } from '../../model/report/holding.ts';
import { openDayReport } from '../../actions/reports/day-report.ts';
import { holdingsByInstrument } from '../../actions/reports/holdings.ts';
import { asOfParameter } from '../http/reports/as-of.ts';
import { cursorParameter, pageMembers } from '../http/lists/cursor-page.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { reportPage } from '../http/reports/report-page.ts';
import { rowCap } from '../http/lists/row-cap.ts';
import { notFoundCode } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

const path = '/v2/holdings/reporting-entities/{id}';
const answer = objectOf({ ...pageMembers(holdingShape), ledgerVersion: ledgerVersionMember });

const holdingsPath = defineOperation<void>({
  id: 'plain.holding.report',
  wire: plain,
  group: 'holdings',
  method: 'GET',
  path,
  summary: 'Holdings of a reporting entity',
  description: `Show what a family owns: what is held at the end of a day, calculated from the ledger: one row for each instrument, cash included, in the order of instruments. Accounts that are excluded from reporting are left out; what several portfolios share counts once. Up to ${rowCap.toLocaleString('en')} in one answer; the cursor goes on from there. Amounts are in the reference currency of the client. What a value is based on, and whether it is stale or estimated, is on v1: \`GET /v1/holdings\`.`,
  right: 'read',
  people: 'viewer',
  mode: 'read',
  heavy: true,
  threadKey: ({ params }) => pathParameter(params, 'id'),
  query: { ...asOfParameter, cursor: cursorParameter },
  responses: {
    200: {
      description: 'The holdings.',
      schema: answer.schema(plain.style),
    },
  },
  refusals: [notFoundCode(reportingEntity), 'fx-rate-missing', 'cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    const { params, query, work } = request;
    const { report, page } = await reportPage(request, {
      queryKey: [path, params['id'], query['as_of']],
      limit: rowCap,
      make: (day) => openDayReport(work, { reportingEntity: pathParameter(params, 'id'), asOf: day ?? query['as_of'] }),
      dayOf: ({ day }) => day,
      rowsOf: holdingsByInstrument,
      keyOf: ({ instrumentId }) => instrumentId,
    });
    const values = { ...page, ledgerVersion: report.basis.ledgerVersion };
    return { status: 200, body: new JsonText(kindText(answer, values, plain.style)) };
  },
});

export const plainHoldingPaths = [holdingsPath];
